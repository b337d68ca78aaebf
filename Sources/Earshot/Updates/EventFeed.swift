package import ChatCore
import ChatCrypto
import MeshCore
import Synchronization

/// The subscribers of a node's events; each has a bounded queue and is told how many events it missed.
///
/// A node and its accounts share one feed, and call it from wherever they run. A subscriber that is no longer read is
/// removed at once. A live one is never ended for another: beyond ``ChatLimits/subscriberCount`` the new one is refused.
///
/// Nothing is passed to a reader under the lock. A reader that is cancelled holds a lock of its task and removes itself
/// here; one that gets an event is resumed, which takes that lock of its task. In the other order both would wait for
/// ever.
package final class EventFeed: Sendable {
    /// A reader that is told that something may have changed, and then reads it.
    private struct Observer: Sendable {
        let interest: @Sendable (ChatEvent) -> Bool
        let continuation: AsyncStream<Void>.Continuation
    }

    private struct State {
        var subscribers: [Int: EventQueue] = [:]
        var observers: [Int: Observer] = [:]
        var nextNumber = 0
        var linkCount = 0
        var isFinished = false

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// The present readers, for use outside of the lock.
        var readers: Readers { Readers(subscribers: subscribers, observers: observers) }
    }

    private struct Readers {
        let subscribers: [Int: EventQueue]
        let observers: [Int: Observer]

        func notify(_ event: ChatEvent) {
            for subscriber in subscribers.values { subscriber.add(event) }
            for observer in observers.values where event.concernsAll || observer.interest(event) {
                observer.continuation.yield()
            }
        }
    }

    /// The least time between two reads of a value by one reader.
    let readInterval: Duration
    private let state = Mutex(State())

    /// Makes a feed without subscribers.
    package init(_ environment: any NodeEnvironment = SystemEnvironment()) { readInterval = environment.readInterval }

    /// Adds a subscriber of all events from now on.
    ///
    /// - Throws: `limited` if there are too many.
    package func subscribe() throws(ChatError) -> ChatEvents {
        var added: EventQueue?
        _ = try add(where: \.subscribers.count) { state, number in
            let queue = EventQueue { [weak self] in
                self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
            }
            state.subscribers[number] = queue
            added = queue
        }
        if let added { return ChatEvents(added) }
        let ended = EventQueue {}
        ended.finish()
        return ChatEvents(ended)
    }

    /// Adds an observer: the stream has an element whenever an event may have changed what it observes.
    ///
    /// - Throws: `limited` if there are too many.
    package func changes(
        after interest: @escaping @Sendable (ChatEvent) -> Bool
    ) throws(ChatError) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = try add(where: \.observers.count) { state, number in
            state.observers[number] = Observer(interest: interest, continuation: continuation)
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Adds a reader and returns its number; nil once the feed has finished.
    private func add(
        where count: (State) -> Int,
        _ body: (inout State, Int) -> Void
    ) throws(ChatError) -> Int? {
        let number: Int?? = state.withLock { state in
            guard !state.isFinished else { return .some(nil) }
            guard count(state) < ChatLimits.subscriberCount else { return nil }
            let number = state.number()
            body(&state, number)
            return number
        }
        guard let number else {
            throw ChatError(
                .limited,
                "\(ChatLimits.subscriberCount) sequences of this node are being read already: end some first."
            )
        }
        return number
    }

    /// Passes an event to all subscribers.
    package func notify(_ event: ChatEvent) {
        readers.notify(event)
    }

    /// Reports a link that came up or ended.
    func countLinks(_ effect: MeshEffect) {
        let change: Int
        switch effect {
        case .linkUp: change = 1
        case .linkDown: change = -1
        default: return
        }
        let count = state.withLock { state in
            state.linkCount = max(0, state.linkCount + change)
            return state.linkCount
        }
        notify(change > 0 ? .linkUp(count: count) : .linkDown(count: count))
    }

    /// Tells all observers that what they observe may have changed.
    func wakeObservers() {
        for observer in readers.observers.values { observer.continuation.yield() }
    }

    private var readers: Readers { state.withLock(\.readers) }

    /// The present number of links.
    var linkCount: Int { state.withLock { $0.linkCount } }

    /// The number of readers of either kind.
    package var readerCount: Int { state.withLock { $0.subscribers.count + $0.observers.count } }

    /// Ends all sequences.
    package func finish() {
        let readers = state.withLock { state in
            defer { (state.subscribers, state.observers, state.isFinished) = ([:], [:], true) }
            return state.readers
        }
        for subscriber in readers.subscribers.values { subscriber.finish() }
        for observer in readers.observers.values { observer.continuation.finish() }
    }
}

extension ChatEvent {
    /// Whether any value may have changed with it.
    fileprivate var concernsAll: Bool {
        switch self {
        case .locked, .unlocked, .lagged: true
        default: false
        }
    }
}
