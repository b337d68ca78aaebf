import Dispatch
import Foundation

/// The signal that the process is to end: by SIGINT or SIGTERM, or from inside of the process.
///
/// It owns the sources of the two signals.
actor StopSignal {
    private nonisolated let stream: AsyncStream<Void>
    private nonisolated let continuation: AsyncStream<Void>.Continuation
    /// Kept, because a source without an owner ends.
    private let sources: [any DispatchSourceSignal]

    /// Takes over the two signals; the second one to arrive ends the process at once.
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

    /// Requests the end of the process.
    nonisolated func fire() {
        continuation.yield()
    }

    /// Waits until the process is to end, or until the task is cancelled.
    nonisolated func wait() async {
        for await _ in stream { return }
    }
}
