import ChatHistory

/// A generator of numbers that look random and are the same for the same seed (linear congruence, upper half).
private struct SeededNumbers {
    var state: UInt64

    mutating func next(below bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}

extension StoreTrial {
    private static let tables: [RecordTable] = [.messages, .outbox]

    /// Makes a change with few ids, sequences and conversations, so that rows collide in every possible way.
    private func randomChange(_ numbers: inout SeededNumbers, version: UInt32) -> StoreChange {
        let table = Self.tables[Int(numbers.next(below: 2))]
        let number = UInt16(numbers.next(below: 40))
        let conversation = RowID.sample(0xC0, UInt16(numbers.next(below: 3)))
        switch numbers.next(below: 20) {
        case 0: return .deleteConversation(table, conversation)
        case 1...5: return .delete(table, Row.sample(number, in: table).id)
        default:
            let sequence = numbers.next(below: 8)
            return .put(.sample(number, in: table, conversation: conversation, sequence: sequence, version: version))
        }
    }

    private func apply(_ change: StoreChange, to rows: inout [Row]) {
        switch change {
        case .put(let row), .insert(let row):
            rows.removeAll { $0.table == row.table && $0.id == row.id }
            rows.append(row)
        case .delete(let table, let id):
            rows.removeAll { $0.table == table && $0.id == id }
        case .deleteConversation(let table, let conversation):
            rows.removeAll { $0.table == table && $0.conversation == conversation }
        }
    }

    mutating func randomChanges() throws {
        var numbers = SeededNumbers(state: 2_026)
        var expected: [Row] = []
        for step in 1...60 {
            let changes = (0..<numbers.next(below: 30)).map { _ in randomChange(&numbers, version: UInt32(step)) }
            for change in changes {
                apply(change, to: &expected)
            }
            try store.apply(changes)
            if step.isMultiple(of: 10) { try nextStep() }
            for table in Self.tables {
                let ofTable = expected.filter { $0.table == table }
                try expect(ofTable, in: table, conversation: nil)
                for number in UInt16(0)..<3 {
                    let conversation = RowID.sample(0xC0, number)
                    let rows = ofTable.filter { $0.conversation == conversation }
                    try expect(rows, in: table, conversation: conversation)
                }
            }
        }
    }
}
