/// The kinds of records a node keeps; the number is bound into every sealed record and never changes its meaning.
///
/// Source: PROTOCOL §11.
public enum RecordTable: UInt8, Sendable, CaseIterable {
    /// The node's own keys.
    case identity = 1
    /// People met, and what is known of them.
    case contacts
    /// Signed bundles of others, with which a conversation can begin while they are away.
    case bundles
    /// The state of each session.
    case sessions
    /// What is still to be delivered.
    case outbox = 6
    /// Receipts still to be sent.
    case owed
    /// Messages, each under the key of its conversation.
    case messages
    /// Conversations and their settings.
    case conversations
    /// The key of each conversation; without its row here a conversation cannot be read.
    case keys
    /// Settings of the node.
    case settings
    /// Messages that came before an earlier one of their sender.
    case held
    /// Objects of messages, whose sealed bytes are in files of their own.
    case blobs
    /// What is kept of groups besides their sessions.
    case groups
    /// Changes of messages that came before their message.
    case early = 20
    /// When messages are to be gone.
    case timers
    /// What opens each room; without its row here nothing of a room can be read.
    case rooms = 30
    /// Rooms of imported lists.
    case roomList
    /// What newcomers to groups ask for of what was said before they came.
    case pulls = 40
    /// What newcomers to groups were given.
    case answers
    /// What the user wants of conversations on this node: drafts, pins, how long messages are kept.
    case wishes = 50
    /// Sums over the rows of the other tables; `RecordBook` alone writes them.
    case sums = 60
}
