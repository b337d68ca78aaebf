import ChatCrypto

/// Why what a peer stated of an identity was ignored; the text is what monitoring programs read.
package enum StatementRefusal: String, Hashable, Sendable, CaseIterable {
    /// It is no statement.
    case malformed
    /// A signature is wrong, or it came from somebody else than the identity that it is about.
    case forged
    /// It was taken before, or a later one was.
    case stale
    /// It is about somebody whom nobody here knows.
    case unknownPeer
    /// Trust forbids it: one of the identities is blocked, revoked, or has gone on already.
    case refused

    /// Puts an error of the trust book into these words.
    init(_ error: CryptoError) {
        self =
            switch error.code {
            case .malformed: .malformed
            case .authenticationFailed: .forged
            case .outOfBounds: .stale
            case .unknownPeer: .unknownPeer
            default: .refused
            }
    }
}
