#if !FUZZING
    @testable import ChatHistory
#endif

/// Checks a record book over a store whose rows come from the fuzzer, with a cipher that accepts everything.
func fuzzBook(_ input: [UInt8]) {
    var choices = Choices(input)
    let store = MemoryStore()
    let recordStore = RecordStore(store: store, keys: OpenKeys())
    while !choices.isAtEnd {
        let action = choices.byte()
        let table = RecordTable.allCases[Int(choices.byte()) % RecordTable.allCases.count]
        let (id, conversation) = (name(choices.byte()), name(choices.byte()))
        var batch = RecordBatch()
        switch action % 6 {
        case 0, 1:
            let number = UInt64(choices.byte())
            let sequence = choices.flag() ? .max - number : number
            let version = choices.flag() ? UInt32.max - UInt32(number % 2) : UInt32(number)
            let sealed = choices.flag() ? RecordSeal.pad(choices.bytes(40)) : choices.bytes(64)
            let row = Row(
                table: table,
                id: id,
                conversation: conversation,
                sequence: sequence,
                version: version,
                sealed: sealed
            )
            try? store.apply([.put(row)])
        case 2 where table != .keys && table != .digests && (table != .messages || conversation != .zero):
            batch.put(table, id: id, conversation: conversation, sequence: 1, plaintext: choices.bytes(70))
        case 3 where table != .keys && table != .digests: batch.delete(table, id: id)
        case 4 where conversation != .zero: try? recordStore.deleteConversation(conversation)
        default: break
        }
        try? recordStore.apply(batch)
        _ = try? recordStore.page(table, conversation: action < 128 ? conversation : nil, limit: 1 + Int(action))
        _ = try? recordStore.get(table, id: id)
    }
}

private func name(_ byte: UInt8) -> RowID {
    RowID(bytes: [UInt8](repeating: byte % 4, count: RowID.byteCount)) ?? .zero
}
