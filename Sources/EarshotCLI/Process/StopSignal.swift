import Dispatch
import Foundation

/// Tells that the process is to end: by SIGINT or SIGTERM, or because something in it says so.
///
/// Owns the two signals' sources.
actor StopSignal {
    private nonisolated let stream: AsyncStream<Void>
    private nonisolated let continuation: AsyncStream<Void>.Continuation
    /// Held because a source without an owner ends.
    private let sources: [any DispatchSourceSignal]

    /// Takes the two signals over; the second one to come ends the process at once.
    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(1))
        self.stream = stream
        self.continuation = continuation
        let numbers = [SIGINT, SIGTERM]
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                continuation.yield()
                for number in numbers { signal(number, SIG_DFL) }
            }
            source.resume()
            return source
        }
    }

    /// Says that the process is to end.
    nonisolated func fire() {
        continuation.yield()
    }

    /// Waits until it is to end, or until the task is cancelled.
    nonisolated func wait() async {
        for await _ in stream { return }
    }
}
