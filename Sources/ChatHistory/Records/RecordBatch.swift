/// Changes to records that `RecordStore.apply` applies together.
public struct RecordBatch: Equatable, Sendable {
    enum Address: Equatable, Sendable {
        case name([UInt8])
        case id(RowID)
    }

    enum Change: Equatable, Sendable {
        case put(RecordTable, Address, conversation: RowID, sequence: UInt64, plaintext: [UInt8])
        case delete(RecordTable, Address)
    }

    private(set) var changes: [Change] = []

    /// Makes an empty batch.
    public init() {}

    /// Whether the batch changes nothing.
    public var isEmpty: Bool { changes.isEmpty }

    /// The number of changes.
    public var count: Int { changes.count }

    /// Writes a record under a name; it replaces the record of that name.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - name: the name.
    ///   - conversation: not `RowID.zero` for messages, because the conversation's key seals them.
    ///   - sequence: the position in the conversation.
    ///   - plaintext: the content of the record.
    public mutating func put(
        _ table: RecordTable,
        name: [UInt8],
        conversation: RowID = .zero,
        sequence: UInt64 = 0,
        plaintext: [UInt8]
    ) {
        put(table, at: .name(name), conversation, sequence, plaintext)
    }

    /// Writes a record under the id of a record read before; it replaces that record.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - id: the id.
    ///   - conversation: not `RowID.zero` for messages, because the conversation's key seals them.
    ///   - sequence: the position in the conversation.
    ///   - plaintext: the content of the record.
    public mutating func put(
        _ table: RecordTable,
        id: RowID,
        conversation: RowID = .zero,
        sequence: UInt64 = 0,
        plaintext: [UInt8]
    ) {
        put(table, at: .id(id), conversation, sequence, plaintext)
    }

    /// Deletes the record of a name; a missing record is no error.
    public mutating func delete(_ table: RecordTable, name: [UInt8]) {
        delete(table, at: .name(name))
    }

    /// Deletes the record of an id; a missing record is no error.
    public mutating func delete(_ table: RecordTable, id: RowID) {
        delete(table, at: .id(id))
    }

    private mutating func put(
        _ table: RecordTable,
        at address: Address,
        _ conversation: RowID,
        _ sequence: UInt64,
        _ plaintext: [UInt8]
    ) {
        precondition(
            table != .messages || conversation != .zero,
            "a message belongs to a conversation, whose key seals it"
        )
        precondition(table != .keys && table != .digests, "RecordBook alone writes conversation keys and sums")
        changes.append(.put(table, address, conversation: conversation, sequence: sequence, plaintext: plaintext))
    }

    private mutating func delete(_ table: RecordTable, at address: Address) {
        precondition(table != .digests, "RecordBook alone writes sums")
        precondition(table != .keys, "a conversation's key goes with RecordBook.deleteConversation")
        changes.append(.delete(table, address))
    }
}
