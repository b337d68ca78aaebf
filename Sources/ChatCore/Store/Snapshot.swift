import ChatCrypto

/// The kinds of records that the core keeps.
package enum Table: Hashable, Sendable, CaseIterable {
    /// The present and former identities.
    case identity
    /// Trust records of peers.
    case contacts
    /// Prekey bundles and profiles of peers.
    case bundles
    /// Secrets of sessions and groups.
    case sessions
    /// Messages, receipts and control messages in transit.
    case outbox
    /// Pending receipts.
    case pendingReceipts
    /// Messages, each in its conversation.
    case messages
    /// Conversations of every kind, without their messages.
    case conversations
    /// Settings of the node.
    case settings
    /// Messages that wait for an earlier one of their sender.
    case reorderBuffer
    /// Attachments.
    case blobs
    /// Groups.
    case groups
    /// Pending changes: changes that arrived before their message.
    case pendingChanges
    /// Timers of disappearing messages.
    case timers
    /// Requests of this node for earlier messages of groups.
    case pulls
    /// Earlier messages that this node gave to new members.
    case answers
    /// Settings of conversations.
    case conversationSettings
    /// Rooms that are kept in data directories of their own.
    case rooms
    /// Rooms of imported lists.
    case roomList
}

/// The name of a record.
package struct RowName: Hashable, Sendable {
    /// The record's kind.
    package let table: Table
    /// The name within the kind.
    package let bytes: [UInt8]

    /// Names a record.
    package init(_ table: Table, _ bytes: [UInt8]) {
        self.table = table
        self.bytes = bytes
    }

    /// Hashes all bytes in one call, which takes a tenth of the time of one call per byte.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// A stored record.
package struct StoredRow: Sendable {
    /// The position in the record's conversation; 0 outside of one.
    package let sequence: UInt64
    /// The encoded record.
    package let plaintext: [UInt8]

    /// Makes a record as a store returns it.
    package init(sequence: UInt64, plaintext: [UInt8]) {
        self.sequence = sequence
        self.plaintext = plaintext
    }
}

/// Reads of the store; it sees durable records only.
package protocol Snapshot {
    /// Returns the record of a name; nil if there is none.
    func row(_ table: Table, _ name: [UInt8]) throws -> StoredRow?
    /// Returns all records of a kind.
    func rows(_ table: Table) throws -> [[UInt8]]
    /// Returns messages before a position, the newest first.
    func messages(of conversation: ConversationID, before position: UInt64?, limit: Int) throws -> [StoredRow]
    /// Returns messages from a position on, the oldest first.
    func messages(of conversation: ConversationID, from position: UInt64, limit: Int) throws -> [StoredRow]
    /// Returns the highest position that a message has; 0 for an empty conversation.
    func highestPosition(of conversation: ConversationID) throws -> UInt64
    /// Returns the number of messages, or of those before a position.
    func messageCount(of conversation: ConversationID, before position: UInt64?) throws -> Int
    /// Returns the first bytes of a blob's file, fewer if the file is shorter.
    func prefix(ofBlob file: String, count: Int) -> [UInt8]
}
