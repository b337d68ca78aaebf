package import ChatCore
package import ChatCrypto
import MeshTransport
import Synchronization

/// The subscribers of a node's events, each with a bounded queue and told when it missed some.
package struct EventFeed: Sendable {
    private struct Subscriber: Sendable {
        let continuation: AsyncStream<ChatEvent>.Continuation
        var dropped = 0
    }

    private struct Watcher: Sendable {
        let message: MessageID
        let continuation: AsyncStream<DeliveryStatus>.Continuation
    }

    private var subscribers: [Subscriber] = []
    private var watchers: [Watcher] = []

    /// A feed without subscribers.
    package init() {}

    /// A new subscriber; with too many, the oldest one's sequence ends.
    package mutating func subscribe() -> AsyncStream<ChatEvent> {
        if subscribers.count >= ChatLimits.subscriberCount {
            subscribers.removeFirst().continuation.finish()
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: ChatEvent.self,
            bufferingPolicy: .bufferingOldest(ChatLimits.eventBacklog)
        )
        subscribers.append(Subscriber(continuation: continuation))
        return stream
    }

    /// A message's statuses from `present` on; ends after a final one.
    package mutating func watch(_ message: MessageID, present: DeliveryStatus) -> AsyncStream<DeliveryStatus> {
        if watchers.count >= ChatLimits.subscriberCount {
            watchers.removeFirst().continuation.finish()
        }
        let (stream, continuation) = AsyncStream.makeStream(of: DeliveryStatus.self, bufferingPolicy: .unbounded)
        continuation.yield(present)
        if present.isFinal {
            continuation.finish()
        } else {
            watchers.append(Watcher(message: message, continuation: continuation))
        }
        return stream
    }

    /// Gives an event to everybody who is still there.
    package mutating func tell(_ event: ChatEvent) {
        for index in subscribers.indices.reversed() {
            if !Self.yield(event, to: &subscribers[index]) { subscribers.remove(at: index) }
        }
        guard case .status(let message, let status) = event else { return }
        watchers.removeAll { watcher in
            guard watcher.message == message else { return false }
            let result = watcher.continuation.yield(status)
            if status.isFinal { watcher.continuation.finish() }
            if case .terminated = result { return true }
            return status.isFinal
        }
    }

    /// Whether somebody has missed something and does not know it yet.
    package var isBehind: Bool { subscribers.contains { $0.dropped > 0 } }

    /// Tells those who missed something, as far as they have room again: nothing else may happen for long.
    package mutating func tellLag() {
        for index in subscribers.indices.reversed() where subscribers[index].dropped > 0 {
            if !Self.tellLag(to: &subscribers[index]) { subscribers.remove(at: index) }
        }
    }

    /// Ends the sequences of statuses: nothing is known of messages any more.
    package mutating func finishWatching() {
        for watcher in watchers { watcher.continuation.finish() }
        watchers = []
    }

    /// Ends all sequences.
    package mutating func finish() {
        for subscriber in subscribers { subscriber.continuation.finish() }
        finishWatching()
        subscribers = []
    }

    /// False if the subscriber is gone.
    private static func tellLag(to subscriber: inout Subscriber) -> Bool {
        switch subscriber.continuation.yield(.lagged(dropped: subscriber.dropped)) {
        case .enqueued: subscriber.dropped = 0
        case .dropped: break
        case .terminated: return false
        @unknown default: break
        }
        return true
    }

    /// False if the subscriber is gone.
    private static func yield(_ event: ChatEvent, to subscriber: inout Subscriber) -> Bool {
        if subscriber.dropped > 0, !tellLag(to: &subscriber) { return false }
        switch subscriber.continuation.yield(event) {
        case .enqueued: break
        case .dropped: subscriber.dropped += 1
        case .terminated: return false
        @unknown default: break
        }
        return true
    }
}

/// The event feed of a node: its accounts tell it what happens, from wherever they run.
final class EventHub: Sendable {
    private struct State {
        var feed = EventFeed()
        var linkCount = 0
    }

    private let state = Mutex(State())

    /// Whether a subscriber has missed something and does not know it yet.
    var isBehind: Bool { state.withLock { $0.feed.isBehind } }

    /// Subscribes to what happens from now on.
    func subscribe() -> AsyncStream<ChatEvent> { state.withLock { $0.feed.subscribe() } }

    /// Follows a message's statuses from `present` on.
    func watch(_ message: MessageID, present: DeliveryStatus) -> AsyncStream<DeliveryStatus> {
        state.withLock { $0.feed.watch(message, present: present) }
    }

    /// Gives an event to all subscribers.
    func tell(_ event: ChatEvent) { state.withLock { $0.feed.tell(event) } }

    /// Tells subscribers that missed something, as far as they have room again.
    func tellLag() { state.withLock { $0.feed.tellLag() } }

    /// Ends the sequences of statuses.
    func finishWatching() { state.withLock { $0.feed.finishWatching() } }

    /// Ends all sequences.
    func finish() { state.withLock { $0.feed.finish() } }

    /// Tells of links that came up or ended.
    func countLinks(_ output: MeshOutput) {
        state.withLock { state in
            switch output {
            case .linkUp:
                state.linkCount += 1
                state.feed.tell(.linkUp(count: state.linkCount))
            case .linkDown:
                state.linkCount = max(0, state.linkCount - 1)
                state.feed.tell(.linkDown(count: state.linkCount))
            case .delivered, .transmitted, .carried, .pathMessage, .pathLost, .pathRefused, .pathReady: break
            }
        }
    }
}
