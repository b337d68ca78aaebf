import ChatCrypto
package import Earshot
package import Foundation

/// What the methods need of a node about how its user is shown, and what the user is told of.
package protocol RPCProfileNode: Sendable {
    /// How the user is shown.
    var profile: Profile { get async }
    /// Changes how the user is shown.
    func setProfile(_ profile: Profile) async throws(ChatError)
    /// Changes what the user is called.
    func rename(to name: String) async throws(ChatError)
    /// Wants no notices of a conversation for a while.
    func mute(_ conversation: ConversationID, until: Date) async throws(ChatError) -> Conversation
}
