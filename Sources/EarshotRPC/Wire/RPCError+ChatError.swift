import ChatCrypto
package import Earshot

extension RPCError {
    /// Does something that a node may refuse.
    static func translating<Value>(_ body: () async throws(ChatError) -> Value) async throws(RPCError) -> Value {
        do {
            return try await body()
        } catch {
            throw RPCError(error)
        }
    }

    /// The answer to a request that the node refuses.
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
            case .wrongCode, .badTicket, .badDuration, .badCount, .empty, .badName, .fileUnusable, .mediaRefused,
                .notEmoji, .notAuthor, .noSuchOption, .closed, .badPassphrase:
                .invalidParameters
            default: .unavailable
            }
        self.init(code, error.reason)
        data?.state = error.trust.map(\.rawValue)
        data?.limit = error.limit
        data?.retryAfter = error.retryAfter.map(RPCCoding.seconds)
        if !error.candidates.isEmpty { data?.candidates = error.candidates.map(\.description) }
        // What has no number of its own keeps its own name, so that a program can tell a full disk from a stopped node.
        if code == .unavailable || code == .invalidParameters { data?.code = error.code.name }
    }
}
