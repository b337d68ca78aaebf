import ChatCore

/// A store without records.
struct NoRecords: Snapshot {
    func row(_ table: Table, _ name: [UInt8]) throws -> StoredRow? { nil }

    func rows(_ table: Table) throws -> [[UInt8]] { [] }

    func messages(of conversation: ConversationID, before position: UInt64?, limit: Int) throws -> [StoredRow] { [] }

    func messages(of conversation: ConversationID, from position: UInt64, limit: Int) throws -> [StoredRow] { [] }

    func highestPosition(of conversation: ConversationID) throws -> UInt64 { 0 }

    func messageCount(of conversation: ConversationID, before position: UInt64?) throws -> Int { 0 }

    func prefix(ofBlob file: String, count: Int) -> [UInt8] { [] }
}
