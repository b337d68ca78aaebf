public import ChatCore
import ChatCrypto

extension ChatNode {
    /// The emoji and color of this node's user, as the contacts of the user see them.
    public var profile: Profile { get async { await account.profile } }

    /// Changes the user's emoji and color, labels that everyone the user talks to can see.
    ///
    /// - Parameter profile: Both labels; nil removes a label.
    /// - Throws: `badName` for text that is not one emoji, or the store's error.
    public func setProfile(_ profile: Profile) async throws(ChatError) {
        try await account.transact { engine in try engine.setProfile(profile) }
    }

    /// Changes the user's nickname.
    ///
    /// - Parameter name: The new nickname.
    /// - Throws: `badName`, or the store's error.
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
