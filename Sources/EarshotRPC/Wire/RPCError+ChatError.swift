import ChatCrypto
package import Earshot

extension RPCError {
    /// Makes the answer to a failed request; only this initializer turns errors into errors of the wire.
    package init(_ error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case let error as ChatError: self.init(error)
        case is CancellationError: self.init(.unavailable, "The call was cancelled.")
        default: self.init(.internalError, "The call failed.")
        }
    }

    /// Makes the answer to a request that the node refuses.
    package init(_ error: ChatError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .ambiguous: .ambiguous
            case .refusedByTrust: .refusedByTrust
            case .locked: .locked
            case .tooLarge: .tooLarge
            case .numberMismatch: .numberMismatch
            case .limited: .limited
            case .notMember: .notMember
            case .expired: .expired
            case .wrongCode, .badCredential, .badDuration, .badCount, .empty, .badName, .fileUnusable, .mediaRefused,
                .notEmoji, .notAuthor, .noSuchOption, .closed, .badPassphrase:
                .invalidParameters
            default: .unavailable
            }
        self.init(code, error.reason)
        data?.state = error.trust.map(\.rawValue)
        data?.limit = error.limit
        data?.retryAfter = error.retryAfter.map(\.fractionalSeconds)
        if !error.candidates.isEmpty { data?.candidates = error.candidates.map(\.description) }
        // An error without its own number keeps its name, so that a program can distinguish a full disk from a stopped
        // node.
        if code == .unavailable || code == .invalidParameters { data?.code = error.code.name }
    }
}
