public import ChatCore
import ChatHistory

/// The part of a damaged home that still opens.
public struct RescueReport: Hashable, Codable, Sendable {
    /// The counts of some records.
    public struct Count: Hashable, Codable, Sendable {
        /// Records that open.
        public var savedCount: Int
        /// Records that are there and do not open.
        public var damagedCount: Int
        /// Records that should be there and are not; nil if their original number is not known any more.
        public var missingCount: Int?

        /// Makes counts.
        public init(savedCount: Int = 0, damagedCount: Int = 0, missingCount: Int? = nil) {
            self.savedCount = savedCount
            self.damagedCount = damagedCount
            self.missingCount = missingCount
        }
    }

    /// The records of one kind.
    public struct Table: Hashable, Identifiable, Codable, Sendable {
        /// The kind of records, as PROTOCOL §11 calls it.
        public let name: String
        /// The counts of these records.
        public let count: Count
        /// The kind of records.
        public var id: String { name }

        /// Makes the counts of a kind.
        public init(name: String, count: Count) {
            self.name = name
            self.count = count
        }
    }

    /// The messages of one conversation.
    public struct Conversation: Hashable, Codable, Sendable {
        /// The conversation's id; nil if no record that tells it opens.
        public let id: ConversationID?
        /// The conversation's title; empty if it is not known.
        public let title: String
        /// The counts of these messages.
        public let count: Count

        /// Makes the counts of a conversation.
        public init(id: ConversationID? = nil, title: String = "", count: Count) {
            self.id = id
            self.title = title
            self.count = count
        }
    }

    /// The kinds of records of which there are, or were, any.
    public let tables: [Table]
    /// The conversations of which there are, or were, any messages.
    public let conversations: [Conversation]
    /// Parts of the database of which something could not be read.
    public let damagedPageCount: Int
    /// Rooms, which are left out as in every export: a room leaves nothing behind.
    public let roomCount: Int

    /// Makes a report from its parts.
    public init(
        tables: [Table] = [],
        conversations: [Conversation] = [],
        damagedPageCount: Int = 0,
        roomCount: Int = 0
    ) {
        self.tables = tables
        self.conversations = conversations
        self.damagedPageCount = damagedPageCount
        self.roomCount = roomCount
    }

    /// The counts of all records together; the number of missing ones is known only if it is known of every kind.
    public var total: Count {
        var total = Count(savedCount: 0, damagedCount: 0, missingCount: 0)
        for count in tables.map(\.count) {
            total.savedCount += count.savedCount
            total.damagedCount += count.damagedCount
            total.missingCount = total.missingCount.flatMap { sum in count.missingCount.map { sum + $0 } }
        }
        return total
    }
}

extension RescueReport.Count {
    init(_ count: SalvagedHistory.Count) {
        savedCount = count.savedCount
        damagedCount = count.refusedCount
        missingCount = count.expectedCount.map { max(0, $0 - count.savedCount - count.refusedCount) }
    }
}
