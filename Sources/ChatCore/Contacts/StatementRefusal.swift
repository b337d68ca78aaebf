import ChatCrypto

/// The reason for ignoring a peer's statement about an identity; monitoring programs read the text.
package enum StatementRefusal: String, Hashable, Sendable, CaseIterable {
    /// The bytes are no statement.
    case malformed
    /// A signature is wrong, or the statement came from a peer other than the identity that it is about.
    case forged
    /// The same statement was accepted before, or a later one was.
    case stale
    /// The statement is about an identity that is unknown here.
    case unknownPeer
    /// Trust forbids it: one of the identities is blocked, revoked, or has rotated already.
    case refused

    /// Translates an error of the trust store.
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
