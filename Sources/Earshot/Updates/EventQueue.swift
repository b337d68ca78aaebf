import ChatCore
import MeshCore
import Synchronization

/// The events that one reader has not read yet.
///
/// Beyond ``ChatLimits/eventBacklog`` events it drops new ones, and reports their number as soon as there is room.
/// Nothing resumes a reader under the lock: see ``EventFeed``.
final class EventQueue: Sendable {
    private struct State {
        var events = Fifo<ChatEvent>()
        /// The number of dropped events that no report names yet.
        var droppedCount = 0
        var isFinished = false
        /// The reader, while it waits; several if an iteration was begun twice.
        var waiting: [CheckedContinuation<Void, Never>] = []

        private var hasRoom: Bool { events.count < ChatLimits.eventBacklog }

        /// Whether a reader need not wait.
        var isReady: Bool { isFinished || droppedCount > 0 || !events.isEmpty }

        mutating func add(_ event: ChatEvent) {
            if droppedCount > 0, hasRoom { events.append(takeReport()) }
            if hasRoom { events.append(event) } else { droppedCount += 1 }
        }

        /// Takes the oldest event; the report of dropped ones comes after those that came before them.
        mutating func take() -> ChatEvent? {
            guard let event = events.first else { return droppedCount > 0 ? takeReport() : nil }
            events.removeFirst()
            return event
        }

        private mutating func takeReport() -> ChatEvent {
            defer { droppedCount = 0 }
            return .lagged(dropped: droppedCount)
        }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    /// Makes an empty queue.
    ///
    /// - Parameter onEnd: Called when the reader reads no more.
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    /// Adds an event, or counts it as dropped.
    func add(_ event: ChatEvent) {
        let waiting = state.withLock { state in
            guard !state.isFinished else { return state.takeWaiting() }
            state.add(event)
            return state.takeWaiting()
        }
        for reader in waiting { reader.resume() }
    }

    /// Takes no more events; the reader gets those that are here, and then the end.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting()
        }
        for reader in waiting { reader.resume() }
    }

    /// Ends the queue for its reader.
    func end() {
        finish()
        onEnd()
    }

    /// Returns the next event, and waits for it if there is none yet; nil after the last.
    func next(isolation actor: isolated (any Actor)?) async -> ChatEvent? {
        if Task.isCancelled { end() }
        while true {
            let (event, isOver) = state.withLock { state in (state.take(), state.isFinished) }
            if event != nil || isOver { return event }
            await change(isolation: actor)
        }
    }

    /// Waits for an event or the end.
    private func change(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { reader in
                    let isReady = state.withLock { state in
                        if !state.isReady { state.waiting.append(reader) }
                        return state.isReady
                    }
                    if isReady { reader.resume() }
                }
            },
            onCancel: { end() },
            isolation: actor
        )
    }
}
