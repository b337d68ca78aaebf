package import ChatCore
package import ChatCrypto
import MeshCore
import Synchronization

/// The subscribers of a node's events; each has a bounded queue and is told how many events it missed.
///
/// A node and its accounts share one feed, and call it from wherever they run.
package final class EventFeed: Sendable {
    private struct Subscriber: Sendable {
        let continuation: AsyncStream<ChatEvent>.Continuation
        var dropped = 0

        /// Takes an event, or counts it as missed; returns false if the subscriber is gone.
        mutating func take(_ event: ChatEvent) -> Bool {
            if dropped > 0, !takeLag() { return false }
            switch continuation.yield(event) {
            case .enqueued: break
            case .dropped: dropped += 1
            case .terminated: return false
            @unknown default: break
            }
            return true
        }

        /// Takes the report of missed events, if there is room; returns false if the subscriber is gone.
        mutating func takeLag() -> Bool {
            switch continuation.yield(.lagged(dropped: dropped)) {
            case .enqueued: dropped = 0
            case .dropped: break
            case .terminated: return false
            @unknown default: break
            }
            return true
        }
    }

    private struct Watcher: Sendable {
        let message: MessageID
        let continuation: AsyncStream<DeliveryStatus>.Continuation
    }

    private struct State {
        var subscribers: [Subscriber] = []
        var watchers: [Watcher] = []
        var linkCount = 0

        mutating func tell(_ event: ChatEvent) {
            for index in subscribers.indices.reversed() where !subscribers[index].take(event) {
                subscribers.remove(at: index)
            }
            guard case .status(_, let message, let status) = event else { return }
            watchers.removeAll { watcher in
                guard watcher.message == message else { return false }
                let result = watcher.continuation.yield(status)
                if status.isFinal { watcher.continuation.finish() }
                if case .terminated = result { return true }
                return status.isFinal
            }
        }

        mutating func finishWatching() {
            for watcher in watchers { watcher.continuation.finish() }
            watchers = []
        }
    }

    private let state = Mutex(State())

    /// Makes a feed without subscribers.
    package init() {}

    /// Adds a subscriber; if there are too many, the oldest one's sequence ends.
    package func subscribe() -> AsyncStream<ChatEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ChatEvent.self,
            bufferingPolicy: .bufferingOldest(ChatLimits.eventBacklog)
        )
        state.withLock { state in
            if state.subscribers.count >= ChatLimits.subscriberCount {
                state.subscribers.removeFirst().continuation.finish()
            }
            state.subscribers.append(Subscriber(continuation: continuation))
        }
        return stream
    }

    /// Returns a message's statuses from `present` on; the sequence ends after a final one.
    package func watch(_ message: MessageID, present: DeliveryStatus) -> AsyncStream<DeliveryStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeliveryStatus.self, bufferingPolicy: .unbounded)
        continuation.yield(present)
        guard !present.isFinal else {
            continuation.finish()
            return stream
        }
        state.withLock { state in
            if state.watchers.count >= ChatLimits.subscriberCount {
                state.watchers.removeFirst().continuation.finish()
            }
            state.watchers.append(Watcher(message: message, continuation: continuation))
        }
        return stream
    }

    /// Passes an event to all subscribers.
    package func tell(_ event: ChatEvent) {
        state.withLock { $0.tell(event) }
    }

    /// Reports a link that came up or ended.
    func countLinks(_ effect: MeshEffect) {
        state.withLock { state in
            switch effect {
            case .linkUp:
                state.linkCount += 1
                state.tell(.linkUp(count: state.linkCount))
            case .linkDown:
                state.linkCount = max(0, state.linkCount - 1)
                state.tell(.linkDown(count: state.linkCount))
            default: break
            }
        }
    }

    /// Whether a subscriber has missed events and does not know it yet.
    package var isBehind: Bool { state.withLock { $0.subscribers.contains { $0.dropped > 0 } } }

    /// Tells the subscribers that have room again how many events they missed, because the next event may be far off.
    package func tellLag() {
        state.withLock { state in
            for index in state.subscribers.indices.reversed() where state.subscribers[index].dropped > 0 {
                if !state.subscribers[index].takeLag() { state.subscribers.remove(at: index) }
            }
        }
    }

    /// Ends the sequences of statuses, because no message is known any more.
    package func finishWatching() {
        state.withLock { $0.finishWatching() }
    }

    /// Ends all sequences.
    package func finish() {
        state.withLock { state in
            for subscriber in state.subscribers { subscriber.continuation.finish() }
            state.subscribers = []
            state.finishWatching()
        }
    }
}
