public import ChatCore
import ChatCrypto

extension ChatNode {
    /// How this node's user is shown to those it talks to.
    public var profile: Profile { get async { await account.profile } }

    /// Changes the user's emoji and colour: labels that everybody the user talks to sees.
    ///
    /// - Parameter profile: Both; what is nil is taken away.
    /// - Throws: `badName` for what is not one emoji, or what the store refuses.
    public func setProfile(_ profile: Profile) async throws(ChatError) {
        try await account.transact { engine in try engine.setProfile(profile) }
    }

    /// Changes what the user is called.
    ///
    /// - Parameter name: The new nickname.
    /// - Throws: `badName`, or what the store refuses.
    public func rename(to name: String) async throws(ChatError) {
        let nickname: Nickname
        do {
            nickname = try Nickname(name)
        } catch {
            throw ChatError(.badName, error.reason)
        }
        try await account.transact { engine in try engine.rename(to: nickname) }
    }
}
