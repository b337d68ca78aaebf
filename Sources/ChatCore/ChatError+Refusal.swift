package import ChatCrypto

extension ChatError {
    /// Translates an error of cryptography or of the core.
    package init(refusal error: any Error) {
        switch error {
        case let error as ChatError: self = error
        case let error as CryptoError: self.init(error, .unknown)
        case is CancellationError: self.init(.cancelled, "The call was cancelled, and nothing has changed.")
        default: self.init(.homeUnusable, "Something unexpected failed: \(error)")
        }
    }

    /// Translates a refusal of cryptography or trust about a peer in a state.
    package init(_ error: CryptoError, _ state: TrustState) {
        switch error.code {
        case .unknownPeer: self.init(.notFound, "No contact has this id.")
        case .numberMismatch:
            self.init(
                .numberMismatch,
                "The numbers differ. Compare again; if they still differ, someone is between the two of you."
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

    /// The advice that saves the readable records of a damaged data directory.
    package static let rescue = "'earshot history export --rescue FILE' saves all that still opens."

    /// The error for a position of a message that only a change of the file can have caused.
    static var tamperedMessages: ChatError {
        ChatError(.homeCorrupt, "Another program changed the positions of messages. \(rescue)")
    }
}
