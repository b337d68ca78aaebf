import EarshotRPC
import Synchronization

/// A sink of a session's lines, which makes the session wait after a number of lines.
final class LineCollector: LineSink {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let gate: AsyncStream<Void>
    private let gateContinuation: AsyncStream<Void>.Continuation
    private let room: Mutex<Int>

    /// Makes a collector that takes `room` lines and then none until `open()`.
    init(room: Int = .max) {
        (lines, continuation) = AsyncStream.makeStream()
        (gate, gateContinuation) = AsyncStream.makeStream()
        self.room = Mutex(room)
    }

    func write(_ line: [UInt8]) async throws {
        let isFull = room.withLock { room in
            if room > 0 { room -= 1 }
            return room == 0
        }
        if isFull { for await _ in gate {} }
        try Task.checkCancellation()
        continuation.yield(String(decoding: line, as: UTF8.self))
    }

    /// Accepts all lines from now on.
    func open() {
        room.withLock { $0 = .max }
        gateContinuation.finish()
    }

    /// Ends the stream of lines.
    func finish() { continuation.finish() }

    /// Waits for the next lines and returns them.
    func next(_ count: Int) async -> [String] {
        var taken: [String] = []
        for await line in lines {
            taken.append(line)
            if taken.count == count { break }
        }
        return taken
    }
}
