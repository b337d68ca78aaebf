public import ChatCore

/// The events of a node from one time on.
///
/// It has one reader: two iterations share the events between them. Reading an event that is here already costs no
/// change of tasks. The sequence ends when the node stops, or when the task that reads it is cancelled.
public struct ChatEvents: AsyncSequence, Sendable {
    /// The sequence does not throw.
    public typealias Failure = Never

    /// The queue, which ends when nobody can read it any more.
    fileprivate final class Reader: Sendable {
        let queue: EventQueue

        init(_ queue: EventQueue) { self.queue = queue }

        deinit { queue.end() }
    }

    private let reader: Reader

    /// Reads a queue.
    init(_ queue: EventQueue) { reader = Reader(queue) }

    /// An iteration over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: Reader

        fileprivate init(_ reader: Reader) { self.reader = reader }

        /// Returns the next event, and waits for it if there is none yet; nil after the last.
        public mutating func next() async -> ChatEvent? { await next(isolation: #isolation) }

        /// Returns the next event on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChatEvent? {
            await reader.queue.next(isolation: actor)
        }
    }

    /// Begins or continues an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}
