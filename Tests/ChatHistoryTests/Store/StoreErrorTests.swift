import Testing

@testable import ChatHistory

@Suite("Store error")
struct StoreErrorTests {
    /// The primary and extended codes of SQLite's "Result and Error Codes".
    static let sqliteCodes: [(Int32, StoreError.Code)] = [
        (13, .diskFull), (8, .readOnly), (8 | 2 << 8, .readOnly), (3, .readOnly), (11, .corrupt),
        (11 | 1 << 8, .corrupt), (26, .notDatabase), (5, .inUse), (5 | 1 << 8, .inUse), (6, .inUse),
        (10, .ioFailed), (10 | 4 << 8, .ioFailed), (14, .cannotOpen), (1, .failed), (21, .failed),
    ]

    @Test("Each result of SQLite has its code", arguments: sqliteCodes)
    func sqliteResults(result: Int32, code: StoreError.Code) {
        #expect(StoreError.code(sqliteResult: result) == code)
    }

    @Test("Errors are equal when their codes are")
    func equality() {
        #expect(StoreError(.tampered, table: .outbox, rowID: .test(1)) == StoreError(.tampered, reason: "other words"))
        #expect(StoreError(.tampered) != StoreError(.corrupt))
    }

    @Test("An error about a row names its table and id")
    func description() {
        let error = StoreError(.keyMissing, reason: "Words.", table: .messages, rowID: .zero)
        #expect(error.description == "Words. (table messages, row 00000000000000000000000000000000)")
        #expect(StoreError(.closed).description == StoreError.Code.closed.reason)
    }
}
