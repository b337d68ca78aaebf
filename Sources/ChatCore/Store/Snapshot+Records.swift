import ChatCrypto
package import SwiftProtobuf

/// Typed reads of the store.
extension Snapshot {
    /// Returns the record of a name, with its position in its conversation; nil if there is none.
    package func record(_ table: Table, _ name: [UInt8]) throws -> (sequence: UInt64, plaintext: [UInt8])? {
        try row(table, name).map { ($0.sequence, $0.plaintext) }
    }

    /// Returns the record of a name, decoded; nil if there is none.
    ///
    /// - Throws: `homeCorrupt` for one that cannot be read, or what the store refuses.
    package func message<Record: SwiftProtobuf.Message>(
        _ table: Table,
        _ name: [UInt8],
        as type: Record.Type
    ) throws -> Record? {
        try row(table, name).map { try ChatStep.decode($0.plaintext, as: type) }
    }

    /// Returns all records of a table, decoded.
    ///
    /// - Throws: `homeCorrupt` for one that cannot be read, or what the store refuses.
    package func records<Record: SwiftProtobuf.Message>(_ table: Table, as type: Record.Type) throws -> [Record] {
        try rows(table).map { try ChatStep.decode($0, as: type) }
    }

    /// Returns a page of a conversation's messages, the newest first.
    package func page(
        of conversation: ConversationID,
        before position: UInt64?,
        limit: Int
    ) throws -> [ProtoMessageRecord] {
        try positionedPage(of: conversation, before: position, limit: limit).map(\.record)
    }

    /// Returns a page of a conversation's messages with their positions, the newest first.
    package func positionedPage(
        of conversation: ConversationID,
        before position: UInt64?,
        limit: Int
    ) throws -> [(place: UInt64, record: ProtoMessageRecord)] {
        try decoded(messages(of: conversation, before: position, limit: limit))
    }

    /// Returns a page of a conversation's messages from a position on with their positions, the oldest first.
    package func positionedPage(
        of conversation: ConversationID,
        from position: UInt64,
        limit: Int
    ) throws -> [(place: UInt64, record: ProtoMessageRecord)] {
        try decoded(messages(of: conversation, from: position, limit: limit))
    }

    private func decoded(_ rows: [StoredRow]) throws -> [(place: UInt64, record: ProtoMessageRecord)] {
        try rows.map { ($0.sequence, try ChatStep.decode($0.plaintext, as: ProtoMessageRecord.self)) }
    }

    /// Returns the number of messages of a conversation.
    package func messageCount(of conversation: ConversationID) throws -> Int {
        try messageCount(of: conversation, before: nil)
    }

    /// Finds the lowest position taken in a conversation, given one that is taken.
    ///
    /// It uses pages in falling order only, so it finds the lowest position by a binary search.
    package func lowestPosition(of conversation: ConversationID, upTo taken: UInt64) throws -> UInt64 {
        var (low, high) = (UInt64.min, taken)
        while low < high {
            let middle = low + (high - low) / 2
            let found = try messages(of: conversation, before: middle + 1, limit: 1).first
            if let found { high = found.sequence } else { low = middle + 1 }
        }
        return high
    }
}
