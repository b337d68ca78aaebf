import Earshot
import Foundation

/// The notifier that shows the messages of a node on the desktop, as the policy of notices in the library decides, and
/// carries out the actions that the user chooses there.
///
/// It owns the processes that show notices and the tasks that wait for them. A notice that cannot be shown is counted
/// and reported once; the history has the messages in any case.
actor DesktopNotices {
    private let node: ChatNode
    private let program: NotifySend
    private let console: Console
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let settings: NoticeSettings
    private var policy: NoticePolicy
    private var shown: [NoticeTopic: (notice: Notice, process: NoticeProcess)] = [:]
    /// The page that a click on a notice opens; nil if none is served.
    private var page: PageHost?
    private var number = 0
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var timer: Task<Void, Never>?
    private var isStopped = false
    private var failureCount = 0

    /// Starts to follow the node's events, from the next event on.
    init(
        of node: ChatNode,
        by program: NotifySend,
        _ settings: NoticeSettings,
        _ console: Console
    ) async throws(ChatError) {
        self.node = node
        self.program = program
        self.console = console
        start = clock.now
        self.settings = settings
        policy = NoticePolicy(settings)
        let events = try node.events()
        run { notices in for await event in events { await notices.take(event) } }
    }

    /// Sets the page that a click on a notice opens from now on.
    func open(on page: PageHost) { self.page = page }

    /// Withdraws all notices and waits until they are gone; the node has stopped before.
    func stop() async {
        isStopped = true
        timer?.cancel()
        let processes = shown.values.map(\.process)
        shown = [:]
        for process in processes { run { _ in await process.end() } }
        while let (number, task) = tasks.first {
            await task.value
            tasks[number] = nil
        }
        if failureCount > 1 { console.note("\(failureCount) notifications could not be shown.") }
    }

    // MARK: - From the node

    private func take(_ event: ChatEvent) async {
        switch event {
        case .message(let message) where message.isOutgoing && message.kind != .system:
            // A user who answers has seen the messages before.
            carryOut(policy.withdraw(message.conversation))
        case .message(let message):
            let conversation = node.conversation(message.conversation)
            guard let facts = try? await conversation.noticeFacts(of: message) else { return }
            carryOut(policy.receive(facts, at: now))
        case .changed(let message) where message.isDeleted:
            carryOut(policy.withdraw(message.conversation))
        case .removed(let conversation, _):
            // The removed message may be the one that is shown.
            carryOut(policy.withdraw(conversation))
        case .erased(let conversation): carryOut(policy.withdraw(conversation))
        case .locked:
            for topic in shown.keys { withdraw(topic) }
            policy = NoticePolicy(settings)
        case .conversation(let conversation):
            guard conversation.unreadCount == 0 || conversation.mutedUntil != nil else { return }
            carryOut(policy.withdraw(conversation.id))
        case .contact(let contact):
            switch contact.trust {
            case .blocked, .revoked: carryOut(policy.withdraw(.direct(contact.id)))
            case .tofu, .verified, .changed: carryOut(policy.withdrawRequest(of: .direct(contact.id)))
            case .unknown: break
            }
        case .lagged:
            // The missed events may include that a conversation was read.
            for conversation in (try? await node.conversations.all()) ?? [] where conversation.unreadCount == 0 {
                carryOut(policy.withdraw(conversation.id))
            }
        default: break
        }
    }

    private var now: Duration { start.duration(to: clock.now) }

    // MARK: - To the screen

    private func carryOut(_ changes: [NoticeChange]) {
        guard !isStopped else { return }
        for change in changes {
            switch change {
            case .show(let notice): show(notice)
            case .withdraw(let topic): withdraw(topic)
            }
        }
        schedule()
    }

    private func schedule() {
        timer?.cancel()
        guard let deadline = policy.nextDeadline else { return }
        timer = Task { [weak self, clock, start] in
            guard (try? await clock.sleep(until: start.advanced(by: deadline))) != nil else { return }
            await self?.tick()
        }
    }

    private func tick() { carryOut(policy.tick(at: now)) }

    private func show(_ notice: Notice) {
        withdraw(notice.topic)
        let process: NoticeProcess
        do {
            process = try NoticeProcess(
                program.executable,
                program.arguments(for: notice, opensPage: page != nil),
                environment: program.environment
            )
        } catch {
            return failed(notice.topic, "\(error)")
        }
        shown[notice.topic] = (notice, process)
        run { notices in await notices.take(await process.outcome(), of: process, about: notice) }
    }

    private func withdraw(_ topic: NoticeTopic) {
        guard let process = shown.removeValue(forKey: topic)?.process else { return }
        run { _ in await process.end() }
    }

    // MARK: - From the user

    private func take(_ outcome: NoticeProcess.Outcome, of process: NoticeProcess, about notice: Notice) async {
        let topic = notice.topic
        // The outcome of a notice that was replaced or withdrawn does not matter.
        guard !isStopped, shown[topic]?.process === process else { return }
        shown[topic] = nil
        switch outcome {
        case .closed: policy.closed(topic)
        case .failed(let reason): failed(topic, reason)
        case .chosen(let action):
            policy.closed(topic)
            if action == NotifySend.openAction {
                await open(notice)
            } else {
                await carryOut(action, about: topic)
            }
        }
    }

    /// Opens the page at the newest message of a notice.
    private func open(_ notice: Notice) async {
        do {
            try await page?.show(notice.message, in: notice.conversation)
        } catch {
            console.complain("The page could not be opened: \(CommandFailure(error).message)")
        }
    }

    private func carryOut(_ action: String, about topic: NoticeTopic) async {
        guard case .conversation(let conversation) = topic else { return }
        do throws(ChatError) {
            if let reply = program.reply(for: action), case .direct = conversation {
                try await node.conversation(conversation).send(reply)
                try await node.conversation(conversation).markRead()
            } else if action == NotifySend.readAction {
                try await node.conversation(conversation).markRead()
            }
        } catch {
            console.complain("The answer from a notification failed: \(error.reason)")
        }
    }

    private func failed(_ topic: NoticeTopic, _ reason: String) {
        policy.closed(topic)
        failureCount += 1
        guard failureCount == 1 else { return }
        console.complain(
            """
            A notification could not be shown: \(DisplayText.safe(reason)). You need notify-send 0.8 or newer and a \
            notification daemon. Further failures are only counted.
            """
        )
    }

    /// Runs a task beside the actor; `stop()` waits for it.
    private func run(_ body: @escaping @Sendable (DesktopNotices) async -> Void) {
        number += 1
        let number = number
        tasks[number] = Task {
            await body(self)
            tasks[number] = nil
        }
    }
}
