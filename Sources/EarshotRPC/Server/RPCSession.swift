package import Earshot
import Synchronization

/// One client from its first line to its last.
///
/// Requests are answered one after the other, but for those that wait for somebody far away: their answers come when
/// they come. Events go out in the order the node told them, each only when the client
/// has room for it: a client that does not read holds up nobody but itself, the node's own bound on its events fills, and
/// the client is told `lagged`.
package struct RPCSession: Sendable {
    private let dispatcher: RPCDispatcher
    private let sink: any LineSink
    private let waitingCount: Int
    private let onShutdown: @Sendable () -> Void

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - access: The methods that the client may call.
    ///   - openPage: Serves the node's page; nil where nothing does.
    ///   - endPage: Ends the sessions of the page, or all but the client's own; nil where there is no page.
    ///   - waitingCount: The requests that may wait for peers at once beside all others.
    ///   - onShutdown: Is called when the client has asked the node to end and has its answer.
    package init(
        node: ChatNode,
        sink: any LineSink,
        access: RPCAccess = .owner,
        openPage: PageOpening? = nil,
        endPage: PageEnding? = nil,
        waitingCount: Int = RPCLimits.waitingCount,
        onShutdown: @escaping @Sendable () -> Void
    ) {
        self.dispatcher = RPCDispatcher(node: node, access: access, openPage: openPage, endPage: endPage)
        self.sink = sink
        self.waitingCount = waitingCount
        self.onShutdown = onShutdown
    }

    /// Serves until the client's bytes end, the client goes, or the task is cancelled.
    package func serve(_ chunks: some AsyncSequence<[UInt8], any Error>) async {
        let wanted = EventFilter()
        let waiting = Places(limit: waitingCount)
        // What fails here is the connection, and then there is nobody to tell.
        try? await withThrowingDiscardingTaskGroup { events in
            var isPumping = false
            // Ends when every answer has been sent, also those that take their time.
            try await withThrowingDiscardingTaskGroup { answers in
                var framer = LineFramer()
                for try await chunk in chunks {
                    for line in try await lines(in: chunk, framer: &framer) {
                        guard let answer = await apart({ await answer(line, unless: waiting) }) else {
                            answers.addTask {
                                defer { waiting.giveBack() }
                                if let line = await dispatcher.answer(line).line { try await sink.write(line) }
                            }
                            continue
                        }
                        if let subscription = answer.subscription { wanted.set(subscription.types) }
                        if let line = answer.line { try await sink.write(line) }
                        if let subscription = answer.subscription, !isPumping {
                            isPumping = true
                            events.addTask { try await pump(subscription.events, wanted) }
                        }
                        if answer.endsNode { onShutdown() }
                    }
                }
            }
            events.cancelAll()
        }
    }

    /// The answer to a line; nil, and a place taken, for one that waits for somebody far away.
    private func answer(_ line: [UInt8], unless waiting: Places) async -> RPCDispatcher.Answer? {
        let request = RPCLine.read(line)
        if (try? request.get())?.waitsForPeer == true, waiting.take() { return nil }
        return await dispatcher.answer(request)
    }

    private func lines(in chunk: [UInt8], framer: inout LineFramer) async throws -> [[UInt8]] {
        do {
            return try framer.lines(adding: chunk)
        } catch {
            var refusal = RPCError(.tooLarge, "A line holds at most \(RPCLimits.lineByteCount) bytes.")
            refusal.data?.limit = RPCLimits.lineByteCount
            try await sink.write(RPCDispatcher.line(refusal))
            throw error
        }
    }

    private func pump(_ events: AsyncStream<ChatEvent>, _ wanted: EventFilter) async throws {
        while let line = await apart({ await line(of: events, wanted) }) { try await sink.write(line) }
        // The node tells nothing more; a client that waits for events is better off with a closed connection.
        throw CancellationError()
    }
}

extension RPCSession {
    /// The next line of the events that are wanted; nil after the last event.
    private func line(of events: AsyncStream<ChatEvent>, _ wanted: EventFilter) async -> [UInt8]? {
        for await event in events.map(RPCEvent.init) where wanted.includes(event) {
            if let line = RPCDispatcher.line(event) { return line }
        }
        return nil
    }

    /// Does something in a task of its own: what it had in hand is freed with that, and not kept as long as the client.
    private func apart<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// The types of events a client wants, which it may change while they come.
private final class EventFilter: Sendable {
    private let types = Mutex<Set<String>?>(nil)

    func set(_ wanted: Set<String>?) {
        types.withLock { $0 = wanted }
    }

    func includes(_ event: RPCEvent) -> Bool {
        if case .lagged = event { return true }
        return types.withLock { $0?.contains(event.type) ?? true }
    }
}
