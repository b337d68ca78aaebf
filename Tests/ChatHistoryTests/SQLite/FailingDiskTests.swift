import ChatHistory
import Testing

@Suite("Failing disk", .enabled(if: TemporaryDisk.isPossible, Comment(rawValue: TemporaryDisk.need)))
struct FailingDiskTests {
    private func batch(_ number: UInt64) -> [StoreChange] {
        (0..<8).map { .put(.test(number * 8 + $0, sealed: [UInt8](repeating: UInt8(number % 256), count: 8_000))) }
    }

    @Test("On a full disk a batch is refused whole, what was kept stays, and room makes it go on")
    func fullDisk() throws {
        let disk = try TemporaryDisk(kibibytes: 2_048)
        let store = try SQLiteStore(directory: disk.history)
        var kept: UInt64 = 0
        #expect(throws: StoreError(.diskFull)) {
            while kept < 1_000 {
                try store.apply(batch(kept))
                kept += 1
            }
        }
        #expect(kept > 5)
        #expect(try store.count(.messages, conversation: nil) == Int(kept) * 8)
        try disk.grow(kibibytes: 8_192)
        try store.apply(batch(kept))
        try store.close()
        let next = try SQLiteStore(directory: disk.history)
        #expect(try next.count(.messages, conversation: nil) == Int(kept + 1) * 8)
        try next.close()
    }

    @Test("On a disk without room for a first history it is refused as full")
    func fullFromTheStart() throws {
        let disk = try TemporaryDisk(kibibytes: 16)
        #expect(throws: StoreError(.diskFull)) { try SQLiteStore(directory: disk.history) }
        try disk.grow(kibibytes: 1_024)
        try SQLiteStore(directory: disk.history).close()
    }

    @Test("On a disk that cannot be written a history is refused as read-only")
    func readOnlyDisk() throws {
        let disk = try TemporaryDisk(kibibytes: 1_024)
        try SQLiteStore(directory: disk.history).close()
        try disk.makeReadOnly()
        #expect(throws: StoreError(.readOnly)) { try SQLiteStore(directory: disk.history) }
        #expect(throws: StoreError(.readOnly)) { try SQLiteStore(directory: disk.history + "-other") }
    }
}
