public import ChatCore
import ChatHistory

/// How much of a damaged home still opens.
public struct RescueReport: Hashable, Sendable {
    /// How much of some records is there.
    public struct Count: Hashable, Sendable {
        /// Records that open.
        public var savedCount = 0
        /// Records that are there, and do not open.
        public var damagedCount = 0
        /// Records that should be there and are not; nil where nobody knows any more how many there were.
        public var missingCount: Int?
    }

    /// The records of one kind.
    public struct Table: Hashable, Sendable {
        /// The kind of records, as PROTOCOL §11 calls it.
        public let name: String
        /// How much of them is there.
        public let count: Count
    }

    /// The messages of one conversation.
    public struct Conversation: Hashable, Sendable {
        /// Which; nil where nothing of it opens that tells.
        public let id: ConversationID?
        /// What it is called, if that is known.
        public let title: String
        /// How much of them is there.
        public let count: Count
    }

    /// The records of each kind of which there are any, or were.
    public let tables: [Table]
    /// The messages of each conversation of which there are any, or were.
    public let conversations: [Conversation]
    /// Parts of the database of which something could not be read.
    public let damagedPageCount: Int
    /// Rooms, which are left out as in every export: nothing of them is to be left when they are over.
    public let roomCount: Int

    /// All records together; how many are missing in all is only known where it is of every kind.
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
