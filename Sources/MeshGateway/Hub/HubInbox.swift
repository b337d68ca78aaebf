import GatewayCore
import Synchronization

/// The messages of a hub that wait for their reader: a connection adds to it, one task takes.
///
/// It outlives each connection. Late messages of an earlier one are dropped. A connection reads its hub no further while
/// half of the inbox is full, so nothing of it is lost.
final class HubInbox: Sendable {
    private struct State {
        /// The number of the connection whose messages count.
        var connection: UInt = 0
        var events: [HubEvent] = []
        var byteCount = 0
        var loss: HubError?
        /// The call of the connection that reads no further.
        var goOn: (@Sendable () -> Void)?

        var isHalfFull: Bool {
            events.count > HubLimits.waitingCount / 2 || byteCount > HubLimits.waitingByteCount / 2
        }
    }

    private let state = Mutex(State())
    private let ring: AsyncStream<Void>.Continuation

    /// Rings when messages wait.
    let bell: AsyncStream<Void>

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The reason of the connection's end; nil before it.
    var loss: HubError? { state.withLock { $0.loss } }

    /// Takes the messages of this connection only, from now on.
    ///
    /// - Parameter connection: its number; 0 for none.
    func follow(_ connection: UInt) {
        state.withLock { $0 = State(connection: connection) }
    }

    /// Adds a message of a connection; drops mail if too much waits.
    func add(_ event: HubEvent, of connection: UInt) {
        let isFirst = state.withLock { state in
            let byteCount = event.byteCount
            guard state.connection == connection, connection != 0, byteCount <= HubLimits.messageByteCount,
                state.events.count < HubLimits.waitingCount,
                state.byteCount + byteCount <= HubLimits.waitingByteCount
            else { return false }
            state.events.append(event)
            state.byteCount += byteCount
            return state.events.count == 1
        }
        // The bell has rung for those that came before.
        if isFirst { ring.yield() }
    }

    /// Adds the end of a connection, with its reason.
    func close(_ connection: UInt, _ loss: HubError) {
        let isNew = state.withLock { state in
            guard state.connection == connection, connection != 0, state.loss == nil else { return false }
            state.loss = loss
            state.events.append(.closed)
            return true
        }
        if isNew { ring.yield() }
    }

    /// Adds the end of the time of a job.
    func expire(_ first: UInt64) {
        state.withLock { $0.events.append(.timeUp(first)) }
        ring.yield()
    }

    /// Takes all that waits, in the order in which it came; the end of the connection each time.
    func take() -> [HubEvent] {
        let (events, goOn) = state.withLock { state in
            defer { (state.events, state.byteCount, state.goOn) = ([], 0, nil) }
            return (state.loss != nil && state.events.isEmpty ? [.closed] : state.events, state.goOn)
        }
        goOn?()
        return events
    }

    /// Returns whether a connection must read no further; it is then called once it may go on.
    func holdsBack(_ connection: UInt, until goOn: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.connection == connection, state.isHalfFull else { return false }
            state.goOn = goOn
            return true
        }
    }
}

extension HubEvent {
    /// Units: bytes that the message keeps in memory; 0 for what this program itself says.
    fileprivate var byteCount: Int {
        switch self {
        case .mail(let subject, let body): subject.utf8.count + body.count
        case .answer(_, let answer): 64 + (answer.subject?.utf8.count ?? 0) + answer.body.count
        case .timeUp, .closed: 0
        }
    }
}
