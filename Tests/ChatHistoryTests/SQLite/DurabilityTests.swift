import ChatHistory
import Foundation
import Synchronization
import Testing

/// Tests that a killed process loses no acknowledged batch and stores no batch in part.
///
/// Loss of power is not covered: the system keeps the data that a killed process has handed to it.
@Suite("Durability")
struct DurabilityTests {
    private static let rowsPerBatch: UInt64 = 8

    @Test("A process killed while it writes has kept every batch it acknowledged", arguments: [1, 5, 23, 60, 90])
    func killed(atBatch limit: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try folder.write([], to: path + "/acknowledged")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, limit = limit as Int] in
            try Self.writeUntilKilled(path: path, limit: UInt64(limit))
        }
        let acknowledged = UInt64(try folder.read(folder.path + "/acknowledged").count)
        #expect(acknowledged >= UInt64(limit))
        let store = try SQLiteStore(directory: folder.history)
        let count = UInt64(try store.count(.messages, conversation: nil))
        let whole = count / Self.rowsPerBatch
        #expect([acknowledged, acknowledged + 1].contains(whole), "one more may be kept, but not yet acknowledged")
        var numbers: [UInt64] = []
        for number in 0..<whole * Self.rowsPerBatch where try store.row(.messages, .test(number)) == .test(number) {
            numbers.append(number)
        }
        #expect(numbers == Array(0..<count))
    }

    /// Writes batches and acknowledges each with one byte of a file; a second thread kills the process in the middle
    /// of the work that follows the acknowledgement of batch `limit`.
    private static func writeUntilKilled(path: String, limit: UInt64) throws {
        let store = try SQLiteStore(directory: path + "/history")
        let acknowledged = try #require(FileHandle(forWritingAtPath: path + "/acknowledged"))
        let progress = Progress()
        Thread.detachNewThread {
            while progress.batches.load(ordering: .relaxed) < limit {
                sched_yield()
            }
            // The number of turns differs for each limit, so that the kill happens at different moments.
            for _ in 0..<limit * 7 {
                sched_yield()
            }
            kill(getpid(), SIGKILL)
        }
        for batch in UInt64(0)..<100_000 {
            try store.apply((0..<rowsPerBatch).map { .put(.test(batch * rowsPerBatch + $0)) })
            try acknowledged.write(contentsOf: [1])
            progress.batches.add(1, ordering: .relaxed)
        }
    }

    private final class Progress: Sendable {
        let batches = Atomic<UInt64>(0)
    }
}
