package import ChatCrypto
package import Earshot

/// What the methods need of a node to do something with messages.
package protocol RPCContentNode: Sendable {
    /// Asks a question with options.
    func ask(_ poll: Poll, _ options: MessageOptions, to conversation: ConversationID) async throws(ChatError)
        -> Message
    /// Votes in a poll.
    func vote(_ options: [Int], in poll: MessageID) async throws(ChatError)
    /// Ends an own poll.
    func closePoll(_ poll: MessageID) async throws(ChatError)
    /// Puts an emoji on a message or takes it away.
    func react(_ emoji: String, to message: MessageID, isOn: Bool?) async throws(ChatError)
    /// Puts another text in place of an own one.
    func edit(_ message: MessageID, to text: String) async throws(ChatError)
    /// Deletes a message, everywhere or on this node alone.
    func delete(_ message: MessageID, forEveryone: Bool) async throws(ChatError)
    /// Sets after how long new messages of a conversation go.
    func setTimer(_ duration: Duration, of conversation: ConversationID) async throws(ChatError) -> Message
    /// Tells who belongs to a conversation that somebody types here.
    func typing(_ isTyping: Bool, to conversation: ConversationID) async throws(ChatError)
}
