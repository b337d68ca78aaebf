public import ChatCore

/// The values of something over time: the present one first, then each later one.
///
/// Every iteration is a reader of its own and begins with the present value. A reader that is slow misses values in
/// between, never the newest. While the node is locked or suspended, the sequence waits. It ends when the node stops,
/// and throws if the value cannot be read any more; then iterate again, or show the error.
public struct Updates<Element: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The error of a value that cannot be read any more.
    public typealias Failure = ChatError

    /// The least time between two reads.
    private let interval: Duration
    private let subscribe: @Sendable () throws(ChatError) -> AsyncStream<Void>
    private let read: @Sendable () async throws(ChatError) -> Element
    private let isLast: @Sendable (Element) -> Bool

    /// Makes a sequence over a value that may change with some events of a feed.
    ///
    /// - Parameters:
    ///   - feed: The node's events.
    ///   - interest: Whether the value may have changed with an event.
    ///   - isLast: Whether a value cannot change any more, so that the sequence ends after it.
    ///   - read: Returns the present value.
    init(
        _ feed: EventFeed,
        after interest: @escaping @Sendable (ChatEvent) -> Bool,
        until isLast: @escaping @Sendable (Element) -> Bool = { _ in false },
        read: @escaping @Sendable () async throws(ChatError) -> Element
    ) {
        interval = feed.readInterval
        subscribe = { () throws(ChatError) in try feed.changes(after: interest) }
        self.read = read
        self.isLast = isLast
    }

    /// One reader of the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let values: Updates
        private var changes: AsyncStream<Void>.Iterator?
        private var last: Element?
        private var lastRead: ContinuousClock.Instant?
        private var hasEnded = false

        fileprivate init(_ values: Updates) { self.values = values }

        /// Returns the next value, and waits for it if there is none yet; nil once the node has stopped.
        ///
        /// - Throws: `limited` if too many sequences are being read, or the error that the reading of the value threw.
        public mutating func next() async throws(ChatError) -> Element? {
            try await next(isolation: #isolation)
        }

        /// Returns the next value on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ChatError) -> Element? {
            guard !hasEnded else { return nil }
            do throws(ChatError) {
                while try await change(isolation: actor) {
                    guard let value = try await present(isolation: actor), value != last else { continue }
                    last = value
                    hasEnded = values.isLast(value)
                    if hasEnded { changes = nil }
                    return value
                }
            } catch {
                end()
                if error.code == .stopped { return nil }
                throw error
            }
            end()
            return nil
        }

        private mutating func end() {
            hasEnded = true
            changes = nil
        }

        /// Waits until the value may have changed; returns false after the last change.
        ///
        /// A value is read at most once in an interval, so that many changes at once cost one read.
        private mutating func change(isolation actor: isolated (any Actor)?) async throws(ChatError) -> Bool {
            guard changes != nil else {
                changes = try values.subscribe().makeAsyncIterator()
                return true
            }
            guard await changes?.next(isolation: actor) != nil else { return false }
            guard let lastRead else { return true }
            let due = lastRead.advanced(by: values.interval)
            if due > .now { try? await ContinuousClock().sleep(until: due) }
            return !Task.isCancelled
        }

        /// Reads the present value; nil while the node is locked or suspended.
        private mutating func present(isolation actor: isolated (any Actor)?) async throws(ChatError) -> Element? {
            do throws(ChatError) {
                let value = try await values.read()
                lastRead = .now
                return value
            } catch {
                guard error.code == .locked || error.code == .suspended else { throw error }
                return nil
            }
        }
    }

    /// Begins an iteration, which is a reader of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
