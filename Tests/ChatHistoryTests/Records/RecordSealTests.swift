import Testing

@testable import ChatHistory

@Suite("Record seal")
struct RecordSealTests {
    @Test("The associated data is the label and the place, byte by byte")
    func associatedData() throws {
        let id = try #require(RowID(bytes: [UInt8](repeating: 0x22, count: 16)))
        let conversation = try #require(RowID(bytes: [UInt8](repeating: 0x33, count: 16)))
        let bytes = RecordSeal.associatedData(
            databaseID: [UInt8](repeating: 0x11, count: 16),
            key: RowKey(table: .messages, id: id),
            conversation: conversation,
            sequence: 0x0102_0304_0506_0708,
            version: 0x090A_0B0C
        )
        var expected: [UInt8] = [14] + Array("earshot/v1/rec".utf8)
        expected += [UInt8](repeating: 0x11, count: 16) + [8]
        expected += [UInt8](repeating: 0x22, count: 16) + [UInt8](repeating: 0x33, count: 16)
        expected += [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        #expect(bytes == expected)
        #expect(bytes.count == 76)
    }

    @Test("Padding makes the next multiple of 64 and is taken away again", arguments: 0...130)
    func padding(byteCount: Int) {
        // The plaintext ends in bytes of the padding, so that the test would detect the removal of too many bytes.
        let plaintext = [UInt8](repeating: byteCount.isMultiple(of: 2) ? 0x80 : 0, count: byteCount)
        let padded = RecordSeal.pad(plaintext)
        #expect(padded.count == (byteCount / 64 + 1) * 64)
        #expect(RecordSeal.unpad(padded) == plaintext)
    }

    static let malformed: [[UInt8]] = [
        [], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 64), [0x80],
        [0x80] + [UInt8](repeating: 0, count: 62), [0x80] + [UInt8](repeating: 0, count: 127),
        [UInt8](repeating: 0x80, count: 63) + [0x81],
    ]

    @Test("Bytes that padding does not give are refused", arguments: malformed)
    func malformedPadding(bytes: [UInt8]) {
        #expect(RecordSeal.unpad(bytes) == nil)
    }

    @Test("The numbers of the tables never change")
    func tableNumbers() {
        let numbers: [UInt8] = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 21, 30, 31, 40, 41, 50, 60]
        #expect(RecordTable.allCases.map(\.rawValue) == numbers)
        #expect(RecordTable.messages.rawValue == 8)
        #expect(RecordTable.keys.rawValue == 10)
    }
}
