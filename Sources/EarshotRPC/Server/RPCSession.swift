package import Earshot
import Synchronization

/// The session of one client, from its first line to its last.
///
/// Requests are answered one after the other, except those that wait for a distant peer: their answers are sent as they
/// arrive. Events go out in the order in which the node reported them, each only when the client has room for it. A
/// client that does not read blocks no other client: the node's own event buffer fills, and the client gets `lagged`.
package struct RPCSession: Sendable {
    private let dispatcher: RPCDispatcher
    private let sink: any LineSink
    private let waitingCount: Int
    private let onShutdown: @Sendable () -> Void

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - access: the methods that the client may call.
    ///   - openPage: serves the node's page; nil without a page.
    ///   - endPage: ends the sessions of the page, or all except the client's own; nil without a page.
    ///   - waitingCount: the number of requests that may wait for peers at once beside all others.
    ///   - onShutdown: runs when the client has asked the node to end and has its answer.
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

    /// Serves until the client's bytes end, the client disconnects, or the task is cancelled.
    package func serve(_ chunks: some AsyncSequence<[UInt8], any Error>) async {
        let wanted = EventFilter()
        let waiting = Slots(limit: waitingCount)
        // An error here is an error of the connection, so there is no client to report it to.
        try? await withThrowingDiscardingTaskGroup { events in
            var isPumping = false
            // The group ends when every answer has been sent, including slow ones.
            try await withThrowingDiscardingTaskGroup { answers in
                var framer = LineFramer()
                for try await chunk in chunks {
                    for line in try await lines(in: chunk, framer: &framer) {
                        guard let answer = await apart({ await answer(line, unless: waiting) }) else {
                            answers.addTask {
                                defer { waiting.release() }
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

    /// Answers a line; nil, with a place taken, for a request that waits for a distant peer.
    private func answer(_ line: [UInt8], unless waiting: Slots) async -> RPCDispatcher.Answer? {
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

    private func pump(_ events: ChatEvents, _ wanted: EventFilter) async throws {
        while let line = await apart({ await line(of: events, wanted) }) { try await sink.write(line) }
        // The node reports no more events. A client that waits for events needs to see a closed connection.
        throw CancellationError()
    }
}

extension RPCSession {
    /// Makes the next line of the requested events; nil after the last event.
    private func line(of events: ChatEvents, _ wanted: EventFilter) async -> [UInt8]? {
        for await event in events.map(RPCEvent.init) where wanted.includes(event) {
            if let line = RPCDispatcher.line(event) { return line }
        }
        return nil
    }

    /// Runs a step in its own task; the memory of the step is freed with this task and not kept as long as the client.
    private func apart<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// The types of events that a client has requested; the client may change them while events arrive.
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
