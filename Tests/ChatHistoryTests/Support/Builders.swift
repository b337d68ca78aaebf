import ChatHistory

extension RowID {
    /// Makes an id from a number.
    static func test(_ number: UInt64) -> RowID {
        RowID(bytes: bigEndian(number &* 0x9E37_79B9_7F4A_7C15) + bigEndian(number)) ?? .zero
    }
}

extension Row {
    /// Makes a row as a store may receive it.
    static func test(
        _ number: UInt64,
        in table: RecordTable = .messages,
        conversation: RowID = .test(7),
        sealed: [UInt8]? = nil
    ) -> Row {
        Row(
            table: table,
            id: .test(number),
            conversation: conversation,
            sequence: number,
            version: 1,
            sealed: sealed ?? [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 92)
        )
    }

    /// Returns a copy of the row with some of its fields changed.
    func with(
        table: RecordTable? = nil,
        id: RowID? = nil,
        conversation: RowID? = nil,
        sequence: UInt64? = nil,
        version: UInt32? = nil,
        sealed: [UInt8]? = nil
    ) -> Row {
        Row(
            table: table ?? self.table,
            id: id ?? self.id,
            conversation: conversation ?? self.conversation,
            sequence: sequence ?? self.sequence,
            version: version ?? self.version,
            sealed: sealed ?? self.sealed
        )
    }
}

/// Makes the label of a conversation.
func conversation(_ name: String, keys: TestKeys = TestKeys()) -> RowID {
    keys.rowID(.conversations, name: Array(name.utf8))
}

extension RecordBatch {
    /// Makes a batch of one message, named by its conversation and sequence.
    static func message(_ text: String, in conversation: RowID, _ sequence: UInt64) -> RecordBatch {
        var batch = RecordBatch()
        batch.put(
            .messages,
            name: conversation.bytes + bigEndian(sequence),
            conversation: conversation,
            sequence: sequence,
            plaintext: Array(text.utf8)
        )
        return batch
    }
}

extension Record {
    var text: String { String(decoding: plaintext, as: UTF8.self) }
}
