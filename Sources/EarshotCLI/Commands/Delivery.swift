import Earshot
import EarshotRPC

/// The delivery of one message, followed until it has reached a state.
struct Delivery: Sendable {
    /// The states of a message, in order.
    private static let order = ["queued", "sent", "carried", "delivered", "read"]

    /// The result of a delivery, as a command prints it.
    struct Output: Encodable, Equatable, Sendable {
        let message: String
        var status: String
        var reason: String?
        /// True if only a sample of a large group confirms the message.
        var sampled: Bool?
    }

    /// The outcome of a delivery.
    struct Outcome: Equatable, Sendable {
        let output: Output
        let isReached: Bool
    }

    let text: String
    /// The attachments of the message.
    let files: Attachments
    let to: String
    /// The state to reach.
    let goal: String
    let caller: any RPCCaller
    /// The options of the message besides text and files.
    var options = SendCall.Options()
    /// The function that shows the progress of a file.
    var show: @Sendable (FileProgress) -> Void = { _ in }
    /// Whether a recipient that is not known yet may still be discovered, which is possible right after a node started.
    var meetsFirst = false

    init(text: String, files: Attachments = Attachments(), to who: String, goal: String, caller: any RPCCaller) {
        self.text = text
        self.files = files
        self.to = who
        self.goal = goal
        self.caller = caller
    }

    /// Sends the message and follows it until it reaches the goal or fails, or no file has moved for the time limit.
    func run(within limit: Duration, meetingWithin meetingLimit: Duration = .zero) async throws -> Outcome {
        let events = try await caller.events(["status", "progress", "contact", "lagged"])
        let message = try await send(events, meetingWithin: meetingLimit)
        let progress = Progress(Output(message: message.message, status: "queued", sampled: message.sampled))
        if !isReached(await progress.output) {
            try await whileMoving(limit, progress) { try await follow(events, progress) }
        }
        let output = await progress.output
        return Outcome(output: output, isReached: isReached(output))
    }

    /// Ends `body` once no file has moved for the time limit; without files, it ends after that time.
    private func whileMoving(
        _ limit: Duration,
        _ progress: Progress,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                var moveCount: Int
                repeat {
                    moveCount = await progress.moveCount
                    try? await Task.sleep(for: limit)
                } while await progress.moveCount != moveCount
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func send(_ events: AsyncStream<RPCEvent>, meetingWithin limit: Duration) async throws
        -> SendCall.Reply
    {
        if let message = try await sendIfKnown() { return message }
        let message = try await within(limit) { () async throws -> SendCall.Reply? in
            for await event in events {
                guard case .contact = event else { continue }
                if let message = try await sendIfKnown() { return message }
            }
            return nil
        }
        guard let message = message ?? nil else {
            throw CommandFailure(
                .unavailable,
                "Nobody called `\(DisplayText.safe(to))` was found. Check that their node is running."
            )
        }
        return message
    }

    /// Sends the message; nil if the recipient is not known but may still be discovered.
    private func sendIfKnown() async throws(RPCError) -> SendCall.Reply? {
        do {
            let call = SendCall(
                to: to,
                text: text,
                files: files.files,
                images: files.images,
                longestEdge: files.longestEdge,
                voices: files.voices,
                options
            )
            return try await caller.call(call)
        } catch {
            guard meetsFirst, error.kind == .notFound else { throw error }
            return nil
        }
    }

    private func follow(_ events: AsyncStream<RPCEvent>, _ progress: Progress) async throws {
        for await event in events {
            switch event {
            case .status(let message, let status, let reason):
                await progress.reach(status, of: message, reason)
            case .progress(let message, let index, let byteCount, let total):
                guard await progress.move(message) else { continue }
                show(FileProgress(message: message, index: index, byteCount: byteCount, total: total))
            case .lagged:
                // A missed event may be the awaited one; the history has the present state.
                let page = try await caller.call(HistoryCall(conversation: to))
                for message in page { await progress.reach(message.status, of: message.id, message.reason) }
            default: break
            }
            let output = await progress.output
            if isReached(output) || output.reason != nil { return }
        }
    }

    private func isReached(_ output: Output) -> Bool {
        guard let state = Self.order.firstIndex(of: output.status), let goal = Self.order.firstIndex(of: goal) else {
            return false
        }
        return state >= goal
    }
}

/// The progress of a message, readable after the work that follows it was cancelled.
private actor Progress {
    private(set) var output: Delivery.Output
    /// The number of times that a file has moved.
    private(set) var moveCount = 0

    init(_ output: Delivery.Output) {
        self.output = output
    }

    /// Records that a file has moved; false if it belongs to another message.
    func move(_ message: String) -> Bool {
        guard message == output.message else { return false }
        moveCount += 1
        return true
    }

    func reach(_ status: String, of message: String, _ reason: String?) {
        guard message == output.message else { return }
        output.status = status
        output.reason = reason
    }
}
