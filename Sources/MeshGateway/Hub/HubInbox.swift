import Synchronization

/// The messages of a hub that wait for their reader: the threads of the NATS library add to it, one task takes.
///
/// It outlives each connection, for the library's threads may call after its end. What late calls bring is dropped.
final class HubInbox: Sendable {
    private struct State {
        /// The place in memory of the connection whose messages count.
        var connection: UInt = 0
        var events: [HubEvent] = []
        var byteCount = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let ring: AsyncStream<Void>.Continuation

    /// Rings when messages wait.
    let bell: AsyncStream<Void>

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes the messages of this connection only, from now on.
    ///
    /// - Parameter connection: its place in memory; 0 for none.
    func follow(_ connection: UInt) {
        state.withLock { $0 = State(connection: connection) }
    }

    /// Adds a message of a connection; drops mail if too much waits.
    func add(_ event: HubEvent, of connection: UInt) {
        let isAdded = state.withLock { state in
            guard state.connection == connection, connection != 0 else { return false }
            if case .closed = event { state.isClosed = true }
            let byteCount = event.byteCount
            if byteCount > 0 {
                guard byteCount <= HubLimits.messageByteCount, state.events.count < HubLimits.waitingCount,
                    state.byteCount + byteCount <= HubLimits.waitingByteCount
                else { return false }
            }
            state.events.append(event)
            state.byteCount += byteCount
            return true
        }
        if isAdded { ring.yield() }
    }

    /// Adds the end of the time of a job.
    func expire(_ first: UInt64) {
        state.withLock { $0.events.append(.timeUp(first)) }
        ring.yield()
    }

    /// Takes all that waits, in the order in which it came; the end of the connection each time.
    func take() -> [HubEvent] {
        state.withLock { state in
            defer { (state.events, state.byteCount) = ([], 0) }
            return state.isClosed && state.events.isEmpty ? [.closed] : state.events
        }
    }
}

extension HubEvent {
    /// Units: bytes that the message keeps in memory; 0 for what the library itself says.
    fileprivate var byteCount: Int {
        switch self {
        case .mail(let subject, let body): subject.utf8.count + body.count
        case .answer(_, let answer): 64 + answer.body.count
        case .timeUp, .closed: 0
        }
    }
}
