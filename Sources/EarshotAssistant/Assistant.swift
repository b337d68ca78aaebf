public import Earshot

/// A node that answers messages with the output of a language model.
///
/// It owns the requests to the model and the queue of outgoing messages; the node belongs to the caller. It does not
/// suspend while it decides: `AnswerScheduler` makes each decision, and the effects are carried out in order.
public actor Assistant {
    private let node: ChatNode
    private let client: ModelClient
    private let report: @Sendable (String) -> Void
    private let events: ChatEvents
    private let clock = ContinuousClock()
    private var scheduler: AnswerScheduler
    private var health = EndpointHealth()
    private var exchanges: [UInt64: ModelExchange] = [:]
    private var timer: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var nextTask: UInt64 = 0
    private var isTryingServer = false
    private let effects: AsyncStream<AnswerEffect>
    private let effectQueue: AsyncStream<AnswerEffect>.Continuation
    /// The direct conversations in which the assistant sent a message.
    private var touched: Set<ConversationID> = []
    /// The conversations with messages that are not yet marked as read.
    private var unread: Set<ConversationID> = []
    private var isMarkingRead = false

    /// Makes an assistant for a node; ``run()`` answers the messages that arrive from now on.
    ///
    /// - Parameters:
    ///   - node: The node, which may be started later.
    ///   - endpoint: The model server.
    ///   - settings: The access policy and the limits.
    ///   - report: Takes lines for the operator: decisions with their reasons, and problems; no names, no texts.
    /// - Throws: `limited` if too many sequences of the node are being read.
    public init(
        _ node: ChatNode,
        endpoint: ModelEndpoint,
        settings: AssistantSettings,
        report: @escaping @Sendable (String) -> Void
    ) throws(ChatError) {
        self.node = node
        client = ModelClient(endpoint: endpoint)
        scheduler = AnswerScheduler(settings)
        self.report = report
        events = try node.events()
        // The limits of `AnswerScheduler` bound the content of the stream.
        (effects, effectQueue) = AsyncStream.makeStream(of: AnswerEffect.self, bufferingPolicy: .unbounded)
    }

    /// Answers until the task is cancelled or the node stops.
    public func run() async {
        let sending = Task { await self.send() }
        let pinging = Task { await self.ping() }
        tryServer()
        for await event in events { await take(event) }
        pinging.cancel()
        perform(scheduler.end(at: clock.now))
        timer?.task.cancel()
        for task in tasks.values { task.cancel() }
        effectQueue.finish()
        await sending.value
        await pinging.value
        guard scheduler.settings.forgetsOnDisconnect else { return }
        for conversation in touched { try? await node.conversation(conversation).deleteHistory() }
    }

    // MARK: - Events

    private func take(_ event: ChatEvent) async {
        switch event {
        case .message(let message): await take(message)
        case .changed(let message): if message.isDeleted { scheduler.forget(message.id) }
        case .removed(_, let message): scheduler.forget(message)
        case .progress(_, let message, _, let byteCount, let total): if byteCount == total { loadPictures(at: message) }
        case .fileFailed(_, let message, _, _): perform(scheduler.miss(message))
        case .erased(let conversation): perform(scheduler.forget(conversation, at: clock.now))
        case .group(let group, let change): take(change, in: .group(group))
        case .room(let room, .changed(let change)): take(change, in: .room(room))
        case .room(let room, .closed), .room(let room, .expired): perform(scheduler.forget(.room(room), at: clock.now))
        case .locked: perform(scheduler.forgetAll())
        case .lagged(let dropped): report("\(dropped) events were missed. Questions among them are not answered.")
        default: break
        }
    }

    private func take(_ message: Message) async {
        guard !message.isOutgoing, !message.isImported, message.attestedBy.isEmpty, message.kind != .system else {
            return
        }
        var (text, place) = (message.text, QuestionOrigin?.none)
        let own: PeerID?
        switch message.conversation {
        case .direct: own = nil
        case .group: own = node.identity.id
        case .room(let id):
            guard let room = try? await node.rooms[id] else { return }
            own = room.ownID
            place = QuestionOrigin(room)
        }
        if let own {
            guard let mention = message.mentions.first(where: { $0.peer == own }) else { return }
            text = Self.text(text, without: mention)
        }
        let areAllPictures = message.files.allSatisfy(\.isPicture)
        let question = Question(
            id: message.id,
            asker: Asker(peer: message.sender, conversation: message.conversation),
            trust: (try? await node.contacts.named(message.sender.description).trust) ?? .unknown,
            text: text,
            hasFiles: !areAllPictures || message.poll != nil,
            offered: areAllPictures ? message.files.map { OfferedPicture(type: $0.type, byteCount: $0.byteCount) } : [],
            room: place
        )
        unread.insert(message.conversation)
        markRead()
        perform(scheduler.take(question, at: clock.now))
    }

    /// Forgets members that are no longer in the conversation.
    private func take(_ change: GroupEvent, in conversation: ConversationID) {
        switch change {
        case .ended: perform(scheduler.forget(conversation, at: clock.now))
        case .removed(let peer), .left(let peer):
            perform(scheduler.forget(Asker(peer: peer, conversation: conversation), at: clock.now))
        default: break
        }
    }

    /// Marks the messages as read, so that disappearing messages disappear here too.
    ///
    /// Messages that arrive in the meantime share one call, and no question waits for it.
    private func markRead() {
        guard !isMarkingRead else { return }
        isMarkingRead = true
        spawn { assistant in await assistant.markAllRead() }
    }

    private func markAllRead() async {
        while let conversation = unread.popFirst() { try? await node.conversation(conversation).markRead() }
        isMarkingRead = false
    }

    private static func text(_ text: String, without mention: Mention) -> String {
        var bytes = Array(text.utf8)
        guard mention.place.upperBound <= bytes.count else { return text }
        bytes.removeSubrange(mention.place)
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Effects

    private func perform(_ effects: [AnswerEffect]) {
        for effect in effects {
            switch effect {
            case .begin(let number, let messages): begin(number, messages)
            case .cancel(let number): exchanges.removeValue(forKey: number)?.cancel()
            case .loadPictures(let message): loadPictures(at: message)
            case .note(let line): report(line)
            case .reply, .refuse, .show, .welcome, .erase: effectQueue.yield(effect)
            }
        }
        arm()
    }

    private func begin(_ number: UInt64, _ messages: [PromptMessage]) {
        let (exchange, events) = client.answer(messages)
        exchanges[number] = exchange
        spawn { assistant in
            for await event in events { await assistant.take(event, of: number) }
        }
    }

    private func take(_ event: ModelEvent, of number: UInt64) {
        switch event {
        case .text: break
        case .ended: note(nil)
        case .failed(let fault): note(fault)
        }
        if event.isLast { exchanges.removeValue(forKey: number)?.cancel() }
        perform(scheduler.take(event, of: number, at: clock.now))
    }

    /// Carries out the effects that send something, in order.
    private func send() async {
        for await effect in effects {
            do {
                switch effect {
                case .reply(let asker, let text, let question):
                    try await send(text, MessageOptions(replyTo: question), to: asker)
                case .refuse(let asker, let text, let question):
                    var options = MessageOptions(replyTo: question)
                    options.acceptsStranger = false
                    try await send(text, options, to: asker)
                case .show(let asker, let text, let question):
                    try await node.conversation(asker.conversation).streamReply(text, to: question)
                case .welcome(let peer): try await node.contacts.decide(.accept, about: peer)
                case .erase(let conversation):
                    touched.remove(conversation)
                    try await node.conversation(conversation).deleteHistory()
                case .begin, .cancel, .loadPictures, .note: break
                }
            } catch {
                // The reason may name a person.
                report("not sent: \((error as? ChatError)?.code.name ?? "failed")")
            }
        }
    }

    private func send(_ text: String, _ options: MessageOptions, to asker: Asker) async throws {
        if case .direct = asker.conversation { touched.insert(asker.conversation) }
        try await node.conversation(asker.conversation).send(text, options)
    }

    // MARK: - Pictures

    /// Reads the pictures of a message that waits for them; if some are not here yet, a later event calls this again.
    private func loadPictures(at message: MessageID) {
        guard let question = scheduler.unseen(message) else { return }
        spawn { assistant in
            do throws(ChatError) {
                let pictures = try await assistant.pictures(of: question)
                await assistant.see(pictures, of: message)
            } catch {
                if error.code != .notHere { await assistant.miss(message) }
            }
        }
    }

    private func pictures(of question: Question) async throws(ChatError) -> [Picture] {
        var pictures: [Picture] = []
        for (index, offered) in question.offered.enumerated() {
            let bytes = try await node.conversation(question.asker.conversation)
                .fileBytes(question.id, index: index, in: 0..<offered.byteCount)
            pictures.append(Picture(type: offered.type, bytes: bytes))
        }
        return pictures
    }

    private func see(_ pictures: [Picture], of message: MessageID) {
        perform(scheduler.see(pictures, of: message, at: clock.now))
    }

    private func miss(_ message: MessageID) { perform(scheduler.miss(message)) }

    // MARK: - Time

    /// Sets the timer for the next deadline.
    private func arm() {
        let retry = isTryingServer ? nil : health.retryAt
        let deadline = [scheduler.nextDeadline, retry].compactMap(\.self).min()
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = deadline.map { deadline in
            let task = Task { [clock] in
                // The result does not matter, only that the sleep ends.
                try? await clock.sleep(until: deadline, tolerance: nil)
                if !Task.isCancelled { self.tick() }
            }
            return (deadline, task)
        }
    }

    private func tick() {
        timer = nil
        if let retryAt = health.retryAt, retryAt <= clock.now, !isTryingServer { tryServer() }
        perform(scheduler.tick(at: clock.now))
    }

    /// Pings the watched peers to learn whether they are still in reach.
    private func ping() async {
        while (try? await clock.sleep(for: AssistantLimits.pingInterval)) != nil {
            for peer in scheduler.watchedPeers {
                spawn { assistant in
                    do throws(ChatError) {
                        _ = try await assistant.node.contacts.ping(peer)
                    } catch {
                        // A peer that cannot be pinged counts as present: nothing shows that it has gone.
                        guard error.code != .noAnswer, error.code != .limited else { return }
                    }
                    await assistant.noteSeen(peer)
                }
            }
        }
    }

    private func noteSeen(_ peer: PeerID) {
        scheduler.noteSeen(peer, at: clock.now)
        arm()
    }

    // MARK: - The model server

    private func tryServer() {
        isTryingServer = true
        spawn { assistant in
            do throws(ModelFault) {
                _ = try await assistant.client.models()
                await assistant.endTrial(nil)
            } catch {
                await assistant.endTrial(error.isOfList ? nil : error)
            }
        }
    }

    private func endTrial(_ outcome: ModelFault?) {
        isTryingServer = false
        note(outcome)
        arm()
    }

    private func note(_ outcome: ModelFault?) {
        if let line = health.note(outcome, at: clock.now) { report(line) }
    }

    // MARK: - Tasks

    /// Runs work as a task of its own, which the end of the assistant cancels.
    private func spawn(_ work: @escaping @Sendable (Assistant) async -> Void) {
        let number = nextTask
        nextTask += 1
        tasks[number] = Task {
            await work(self)
            self.tasks[number] = nil
        }
    }
}

extension ModelEvent {
    /// Whether it is the last event.
    fileprivate var isLast: Bool {
        switch self {
        case .text: false
        case .ended, .failed: true
        }
    }
}

extension ModelFault {
    /// Whether the server is there, and only lacks a list of its models.
    fileprivate var isOfList: Bool {
        switch kind {
        case .malformed, .refused(404), .refused(405), .refused(501): true
        default: false
        }
    }
}

extension QuestionOrigin {
    /// Makes the kind of a room from its admission.
    fileprivate init(_ room: Room) {
        switch room.admission {
        case .code, .approval: self = .codeRoom
        case .open, nil: self = .openRoom
        }
    }
}

extension MessageFile {
    /// Whether it was sent as a picture, of which the media sanitizer keeps only the visible content.
    fileprivate var isPicture: Bool {
        guard case .image = media else { return false }
        return MediaLimits.imageTypes.contains(type)
    }
}
