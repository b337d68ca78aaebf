import Logging
import Synchronization

/// What a node logs, an event a line, and a way to wait for lines.
final class EventLog: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([String]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var lines: [String] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    /// The events so far, as the node wrote them.
    var events: [String] { state.withLock { $0.lines } }

    /// Waits until the events so far satisfy a condition.
    func wait(until isMet: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if isMet(state.lines) {
                    continuation.resume()
                } else {
                    state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                }
            }
        }
    }

    /// Waits until there are `count` events that begin with `prefix`.
    func wait(for prefix: String, count: Int = 1) async {
        await wait { $0.filter { $0.hasPrefix(prefix) }.count >= count }
    }

    private func append(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            state.waiters.removeAll { waiter in
                guard waiter.isMet(state.lines) else { return false }
                waiter.continuation.resume()
                return true
            }
        }
    }

    var handler: any LogHandler { Handler(log: self) }

    private struct Handler: LogHandler {
        let log: EventLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let text = event.metadata?["event"]?.description ?? event.message.description
            log.append(text.replacing("MeshCore.", with: ""))
        }
    }
}
