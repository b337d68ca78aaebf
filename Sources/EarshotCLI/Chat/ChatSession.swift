import Earshot
import EarshotRPC
import Foundation

/// A chat session: it connects a screen, a node and the chat's state, and processes one input after the other.
///
/// It owns the tasks that wait for events, for typed lines and for answers. All of them end with ``run(with:until:)``.
actor ChatSession {
    /// The largest number of inputs in the queue.
    private static let inputCount = 8_192
    /// The largest numbers of requests: those carried out in order, and long ones beside them; further ones are
    /// refused.
    private static let (requestCount, waitingCount) = (256, 8)

    /// The time between two requests for the presence of contacts.
    private static let refreshPause = Duration.seconds(30)

    private enum Step: Sendable {
        case input(ChatInput)
        case typed(TypedInput)
        case stop
        case nodeGone
    }

    private enum Job: Sendable {
        case request(ChatRequest)
        case tick(after: Int)
    }

    private let caller: any RPCCaller
    private let executor: ChatExecutor
    private let screen: any ChatScreen
    private let console: Console
    private var state: ChatState
    private let steps: AsyncStream<Step>
    private let queue: AsyncStream<Step>.Continuation
    private let requests: AsyncStream<ChatRequest>
    private let orders: AsyncStream<ChatRequest>.Continuation
    /// The requests and timers that run beside the queue; each ends with an input.
    private let jobs: AsyncStream<Job>
    private let jobQueue: AsyncStream<Job>.Continuation
    private var tasks: [Task<Void, Never>] = []
    /// The user's requests without an answer yet.
    private var openCount = 0
    private var waitingCount = 0
    /// Whether a typed line is still being processed.
    private var isLineOpen = false
    /// Own messages that were sent but not shown yet, and those that were shown before the answer that they were sent.
    private var untold: Set<String> = []
    private var reported: [String] = []
    private var shownPrompt: ChatPrompt?
    private var shownWords: CompletionWords?
    /// The first failure.
    private var failure: CommandFailure?

    init(_ caller: any RPCCaller, on screen: any ChatScreen, _ console: Console) {
        self.caller = caller
        executor = ChatExecutor(caller: caller, pictures: screen.pictures)
        self.screen = screen
        self.console = console
        state = ChatState(hasStatusRow: screen.hasStatusRow, showsPictures: screen.pictures != nil, zone: .current)
        (steps, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.inputCount))
        (requests, orders) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.requestCount))
        (jobs, jobQueue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.requestCount))
    }

    /// Runs until the user quits, the input or the node ends, or the stop signal fires.
    ///
    /// - Parameters:
    ///   - who: The conversation to begin with.
    ///   - stopSignal: The signal that ends the session.
    /// - Returns: The first failure of a session without a user at a terminal; nil for none.
    /// - Throws: The reason why the conversation cannot be opened, or that the node has ended.
    func run(with who: String?, until stopSignal: StopSignal) async throws -> CommandFailure? {
        let events = try await caller.events(nil)
        try await begin(with: who)
        start(events, stopSignal)
        var isNodeGone = false
        steps: for await step in steps {
            switch step {
            case .input(let input):
                if process(input) { break steps }
            case .typed(let input):
                if take(input) { break steps }
            case .stop: break steps
            case .nodeGone:
                isNodeGone = true
                break steps
            }
        }
        for task in tasks { task.cancel() }
        if isNodeGone { throw CommandFailure(.unavailable, "The node of this data directory has ended.") }
        return screen.hasStatusRow ? nil : failure
    }

    private func begin(with who: String?) async throws {
        let request = who.map { ChatRequest.open($0) } ?? .refresh
        let answer = await executor.answer(request)
        if case .failed(let failure) = answer { throw failure }
        for effect in state.handle(.answer(request, answer), at: Date()) { _ = carryOut(effect) }
        showSurroundings()
        if who == nil { _ = process(.typed("/who")) }
    }

    private func start(_ events: AsyncStream<RPCEvent>, _ stopSignal: StopSignal) {
        let (queue, executor, requests, jobs, inputs) = (queue, executor, requests, jobs, screen.inputs)
        tasks = [
            Task {
                await Self.pump(events, into: queue)
                await Self.put(.nodeGone, into: queue)
            },
            Task { for await input in inputs { await Self.put(.typed(input), into: queue) } },
            Task {
                for await request in requests {
                    await Self.put(.input(.answer(request, await executor.answer(request))), into: queue)
                }
            },
            Task {
                await withDiscardingTaskGroup { group in
                    for await job in jobs {
                        group.addTask { await Self.put(.input(await Self.run(job, executor)), into: queue) }
                    }
                }
            },
            Task {
                await stopSignal.wait()
                await Self.put(.stop, into: queue)
            },
        ]
        if screen.hasStatusRow { tasks.append(Task { await Self.refresh(executor, into: queue) }) }
    }

    /// Keeps the presence of contacts in the status row up to date.
    private static func refresh(_ executor: ChatExecutor, into queue: AsyncStream<Step>.Continuation) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: refreshPause)
            await put(.input(.answer(.refresh, await executor.answer(.refresh))), into: queue)
        }
    }

    private static func run(_ job: Job, _ executor: ChatExecutor) async -> ChatInput {
        switch job {
        case .request(let request): return .answer(request, await executor.answer(request))
        case .tick(let seconds):
            try? await Task.sleep(for: .seconds(seconds))
            return .tick
        }
    }

    /// Enqueues a step that must not be lost, and waits while the queue is full.
    private static func put(_ step: Step, into queue: AsyncStream<Step>.Continuation) async {
        while case .dropped = queue.yield(step), !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Forwards events; those that find the queue full are counted and reported.
    private static func pump(_ events: AsyncStream<RPCEvent>, into queue: AsyncStream<Step>.Continuation) async {
        var missedCount = 0
        for await event in events {
            if missedCount > 0, case .enqueued = queue.yield(.input(.event(.lagged(dropped: missedCount)))) {
                missedCount = 0
            }
            if case .dropped = queue.yield(.input(.event(event))) { missedCount += 1 }
        }
    }

    // MARK: Steps

    /// Processes an input of the user; returns whether the session ends.
    private func take(_ input: TypedInput) -> Bool {
        switch input {
        case .line(let line):
            isLineOpen = true
            if !state.isLocked { _ = carryOut(.perform(.present)) }
            if process(.typed(line)) { return true }
            finishLine()
            return false
        case .typing: return process(.typing)
        case .ended: return process(.interrupted)
        case .hungUp: return true
        }
    }

    /// Processes an input; returns whether the session ends.
    private func process(_ input: ChatInput) -> Bool {
        var isEnd = false
        for effect in state.handle(input, at: Date()) where !carryOut(effect) { isEnd = true }
        if console.isJSON { printJSON(input) }
        settle(input)
        showSurroundings()
        return isEnd
    }

    private func showSurroundings() {
        let (prompt, words) = (state.prompt, state.words)
        if prompt != shownPrompt { screen.show(.prompt(prompt)) }
        if words != shownWords { screen.show(.words(words)) }
        (shownPrompt, shownWords) = (prompt, words)
    }

    /// Counts the finished requests; one that sends a message is finished once the message is shown, too.
    private func settle(_ input: ChatInput) {
        switch input {
        case .event(.message(let message)) where message.outgoing:
            if untold.remove(message.id) != nil { return close() }
            reported = reported.suffix(Self.requestCount) + [message.id]
        case .event(.lagged):
            while untold.popFirst() != nil { close() }
        default: settleAnswer(input)
        }
    }

    private func settleAnswer(_ input: ChatInput) {
        guard case .answer(let request, let answer) = input else { return }
        if request.waits { waitingCount -= 1 }
        guard !request.isCourtesy else { return }
        if case .sent(let message) = answer, !reported.contains(message) {
            untold.insert(message)
        } else {
            close()
        }
    }

    private func close() {
        openCount -= 1
        finishLine()
    }

    private func finishLine() {
        guard isLineOpen, openCount == 0 else { return }
        isLineOpen = false
        screen.finishLine()
    }

    /// Carries out an effect of the state; false for the end.
    private func carryOut(_ effect: ChatEffect) -> Bool {
        switch effect {
        case .show(let lines): screen.show(.lines(lines))
        case .refuse(let failure):
            self.failure = self.failure ?? failure
            // The message may quote typed text, and each of its lines becomes a line of the screen.
            let text = DisplayText.safe("✗ \(failure.message)", keepsLines: true)
            let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
            screen.show(.lines(rows.map { StyledLine(String($0), .bad) }))
        case .showMessage(let id, let lines): screen.show(.message(id, lines))
        case .redraw(let id, let lines): screen.show(.redraw(id, lines))
        case .picture(let picture): screen.show(.picture(picture))
        case .clear: screen.show(.clear)
        case .forgetTyped: screen.show(.forgetTyped)
        case .perform(let request): perform(request)
        // The next input makes up for a tick that finds the queue full.
        case .tick(let seconds): jobQueue.yield(.tick(after: seconds))
        case .quit: return false
        }
        return true
    }

    private func perform(_ request: ChatRequest) {
        if !request.isCourtesy { openCount += 1 }
        guard request.waits else {
            if case .dropped = orders.yield(request) { refuse(request) }
            return
        }
        waitingCount += 1
        guard waitingCount <= Self.waitingCount else { return refuse(request) }
        if case .dropped = jobQueue.yield(.request(request)) { refuse(request) }
    }

    private func refuse(_ request: ChatRequest) {
        let failure = CommandFailure(.notInTime, "Too many commands are running. Wait a moment.")
        queue.yield(.input(.answer(request, .failed(failure))))
    }

    /// Prints the messages of the open conversation as JSON.
    private func printJSON(_ input: ChatInput) {
        guard case .event(let event) = input else { return }
        switch event {
        case .message(let message), .changed(let message):
            if message.conversation == state.place?.id { try? console.result(message, []) }
        default: break
        }
    }
}
