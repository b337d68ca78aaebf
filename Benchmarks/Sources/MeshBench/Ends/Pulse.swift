/// A signal that wakes one waiter when something has happened, and at intervals in case nothing does.
///
/// Owns the task that beats every 20 milliseconds.
final class Pulse: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ticker: Task<Void, Never>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        self.continuation = continuation
        ticker = Task {
            while (try? await Task.sleep(for: .milliseconds(20))) != nil { continuation.yield() }
        }
    }

    func beat() {
        continuation.yield()
    }

    func next() async {
        var iterator = stream.makeAsyncIterator()
        _ = await iterator.next()
    }

    func stop() {
        ticker.cancel()
    }
}
