import ChatCore
import ChatCrypto

extension Account {
    /// Changes a group and returns it as it is afterwards.
    ///
    /// An owner first confirms that it has lost no operation, because the data directory may be an earlier copy. After
    /// each start, and after 13 days without a change, the confirmation takes the answer of a member, or 45 seconds.
    func change(
        _ group: GroupID,
        asOwner: Bool = true,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> ChatGroup {
        if asOwner, try !read({ engine in engine.isSure(of: group) }) { try await confirm(group) }
        return try await transact { engine in
            var view = engine.view(of: group)
            try body(&engine)
            // A rejected invitation leaves no group: then the earlier view is returned.
            view?.membershipStatus = .out
            guard let view = engine.view(of: group) ?? view else {
                throw ChatError(.notFound, "No group has this id.")
            }
            return view
        }
    }

    /// Takes over a group as its successor, after asking members for newer operations.
    func takeOver(_ group: GroupID) async throws(ChatError) -> ChatGroup {
        try await confirm(group)
        return try await change(group, asOwner: false) { engine in try engine.takeOver(group) }
    }

    private func confirm(_ group: GroupID) async throws(ChatError) {
        // The answer may arrive before `transact` returns.
        let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
        confirming[group, default: []].append(continuation)
        do {
            try await transact { engine in try engine.confirm(group) }
        } catch {
            endConfirming(group)
            throw error
        }
        for await _ in answers {}
    }

    /// Resumes the callers that wait for the confirmation of a group.
    func endConfirming(_ group: GroupID) {
        for continuation in confirming.removeValue(forKey: group) ?? [] { continuation.finish() }
    }
}
