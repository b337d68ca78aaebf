import ChatCore
import ChatCrypto

extension Account {
    /// Changes a group, and gives it as it is then.
    ///
    /// An owner is first sure that it has lost no operation, for the home may be an earlier copy. It takes a member's
    /// answer, once after each start, or 45 seconds.
    func change(
        _ group: GroupID,
        asOwner: Bool = true,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> Group {
        if asOwner, !engine.isSure(of: group) { try await confirm(group) }
        return try await transact { engine in
            var view = engine.view(of: group)
            try body(&engine)
            // Of an invitation that was turned down nothing is left.
            view?.standing = .out
            guard let view = engine.view(of: group) ?? view else {
                throw ChatError(.notFound, "No group has this id.")
            }
            return view
        }
    }

    private func confirm(_ group: GroupID) async throws(ChatError) {
        // The answer may come before this is heard of again.
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

    /// Wakes whoever waits for the owner of a group to be sure.
    func endConfirming(_ group: GroupID) {
        for continuation in confirming.removeValue(forKey: group) ?? [] { continuation.finish() }
    }
}
