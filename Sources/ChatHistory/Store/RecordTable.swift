/// The kinds of records that a node keeps; the number is bound into every sealed record and never changes its meaning.
///
/// Source: PROTOCOL §11.
public enum RecordTable: UInt8, Sendable, CaseIterable {
    /// The node's own keys.
    case identity = 1
    /// Contacts and other known peers, with their data.
    case contacts
    /// Signed prekey bundles of peers, with which a conversation can begin while they are offline.
    case bundles
    /// The state of each session.
    case sessions
    /// The outbox: messages, receipts and control messages in transit.
    case outbox = 6
    /// Pending receipts.
    case pendingReceipts
    /// Messages, each under the key of its conversation.
    case messages
    /// Conversations and their settings.
    case conversations
    /// The key of each conversation; without its row here a conversation cannot be read.
    case keys
    /// Settings of the node.
    case settings
    /// The reorder buffer: messages that arrived before an earlier one of their sender.
    case reorderBuffer
    /// Attachments of messages; their sealed bytes are in files of their own.
    case blobs
    /// Data of groups, apart from their sessions.
    case groups
    /// Pending changes: changes that arrived before their message.
    case pendingChanges = 20
    /// The times at which messages disappear.
    case timers
    /// The key of each room; without its row here nothing of a room can be read.
    case rooms = 30
    /// Rooms of imported lists.
    case roomList
    /// Requests of new members for earlier messages of a group.
    case pulls = 40
    /// Earlier messages given to new members of groups.
    case answers
    /// The conversation settings on this node: drafts, pins, how long messages are kept.
    case conversationSettings = 50
    /// The integrity digests of the other tables' rows; `RecordStore` alone writes them.
    case digests = 60
}
