import ChatCrypto
import ChatHistory

extension ChatError {
    /// What went wrong below, told as this module's error.
    init(_ error: any Error) {
        switch error {
        case let error as ChatError: self = error
        case let error as StoreError: self.init(error)
        case let error as CryptoError: self.init(error, .unknown)
        default: self.init(.homeUnusable, "Something unexpected failed: \(error)")
        }
    }

    /// What cryptography or trust refused, about a peer in this state.
    init(_ error: CryptoError, _ state: TrustState) {
        switch error.code {
        case .unknownPeer: self.init(.notFound, "No contact has this id.")
        case .numberMismatch:
            self.init(
                .numberMismatch,
                "What you compared differs. Compare again; if it still differs, somebody is between the two of you."
            )
        case .refusedByTrust:
            self.init(.refusedByTrust, error.reason)
            trust = state
        case .titleForbidden: self.init(.badName, error.reason)
        case .notMember, .invalidOperation: self.init(.notMember, error.reason)
        case .notOwner: self.init(.notOwner, error.reason)
        case .frozen: self.init(.frozen, error.reason)
        case .full: self.init(.limited, error.reason)
        case .malformed, .authenticationFailed, .unknownVersion: self.init(.homeCorrupt, error.reason)
        default: self.init(.cryptographyUnavailable, error.reason)
        }
    }

    /// What to do where a part of a home does not open.
    static let rescue = "What still opens is saved by 'earshot history export --rescue FILE'."

    private init(_ error: StoreError) {
        switch error.code {
        case .corrupt, .notDatabase, .tampered, .keyMissing:
            self.init(.homeCorrupt, "\(error.description) \(Self.rescue)")
        case .foreignDatabase: self.init(.homeCorrupt, error.description)
        case .newerVersion: self.init(.homeNewer, error.description)
        case .inUse: self.init(.homeInUse, error.description)
        case .closed: self.init(.stopped, error.description)
        default: self.init(.homeUnusable, error.description)
        }
    }
}
