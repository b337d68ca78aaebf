import Earshot

/// The scheduler of questions: it decides which are answered, when, and with which context.
///
/// A value without a clock: time is handed in, and effects come out. Invariants: each peer has at most one answer in
/// progress, and all peers together have at most as many as the settings allow; a prompt holds nothing of another
/// asker; every question that is not refused in silence ends in one message.
struct AnswerScheduler: Sendable {
    struct Answer: Sendable {
        let number: UInt64
        let question: Question
        let deadline: ContinuousClock.Instant
        var text = ""
        /// The time from which the text that is not shown yet may be shown; nil if there is none.
        var showAt: ContinuousClock.Instant?
        var shownAt: ContinuousClock.Instant?
    }

    let settings: AssistantSettings
    var access: AccessControl
    var rates = RecentPeers<(bucket: AnswerBucket, isNotified: Bool)>()
    var answers: [Answer] = []
    var waiting: [Question] = []
    /// Questions whose pictures are awaited, with the deadline of each.
    var loading: [(question: Question, deadline: ContinuousClock.Instant)] = []
    /// The dialogues, the least recently used first.
    var dialogues: [(asker: Asker, dialogue: Dialogue)] = []
    /// The time at which each watched peer was last in reach.
    var lastSeen: [PeerID: ContinuousClock.Instant] = [:]
    private var nextNumber: UInt64 = 1

    init(_ settings: AssistantSettings) {
        self.settings = settings
        access = AccessControl(settings.access)
    }

    /// The time of the next deadline.
    var nextDeadline: ContinuousClock.Instant? {
        let due = answers.flatMap { [$0.deadline, $0.showAt].compactMap(\.self) }
        let deadlines = lastSeen.values.map { $0.advanced(by: AssistantLimits.absence) }
        return (due + deadlines + loading.map(\.deadline)).min()
    }

    // MARK: - Questions

    /// Takes a message.
    mutating func take(_ question: Question, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        let asker = question.asker
        let text = question.text.trimmed
        switch access.decide(about: asker.peer, question.trust, text: text, in: question.place, at: now) {
        case .refused(let reason, let words):
            let reported = words.map { [AnswerEffect.refuse(asker, $0, answering: question.id)] } ?? []
            return [.note("refused: \(reason.rawValue)")] + reported
        case .welcomed:
            let words = "Welcome. Ask me something. /stop ends an answer, /forget deletes our conversation."
            return [.note("admitted: the code"), .welcome(asker.peer), reply(words, question)]
        case .admitted(let reason):
            noteSeen(asker.peer, at: now)
            if text == "/stop", let stopped = stop(asker, "stopped", at: now) { return stopped }
            let refusal = refuseByRate(question, at: now)
            return refusal ?? [.note("admitted: \(reason.rawValue)")] + obey(question, text, at: now)
        }
    }

    private mutating func refuseByRate(_ question: Question, at now: ContinuousClock.Instant) -> [AnswerEffect]? {
        let peer = question.asker.peer
        var (bucket, isNotified) = rates[peer] ?? (AnswerBucket(settings.rate, at: now), false)
        let wait = bucket.take(at: now)
        rates[peer] = (bucket, wait != nil)
        guard let wait else { return nil }
        guard !isNotified else { return [.note("refused: too often")] }
        let words = "You ask too often. Try again in \(wait.components.seconds + 1) s."
        return [.note("refused: too often"), reply(words, question)]
    }

    private mutating func obey(_ question: Question, _ text: String, at now: ContinuousClock.Instant) -> [AnswerEffect]
    {
        switch text {
        case "/stop": return [reply("There is no answer to stop.", question)]
        case "/forget":
            let stopped = stop(question.asker, "stopped", at: now) ?? []
            dialogues.removeAll { $0.asker == question.asker }
            return stopped + [reply("I have deleted our conversation.", question)]
        case "" where !question.hasFiles && question.offered.isEmpty:
            return [reply("Your message has no text.", question)]
        default: return ask(question, at: now)
        }
    }

    /// Takes a question of a peer that may ask.
    mutating func ask(_ question: Question, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        let asker = question.asker
        if let refusal = refusal(of: question) { return [reply(refusal, question)] }
        if question.isUnseen { return loadPictures(question, at: now) }
        guard question.text.utf8.count <= AssistantLimits.questionByteCount,
            prompt(for: question) != nil
        else {
            return [reply("Your message is too long: I read about \(settings.contextTokenCount) tokens.", question)]
        }
        var effects = stopLoading(for: asker, "not answered: you sent another message")
        if let place = waiting.firstIndex(where: { $0.asker == asker }) {
            effects.append(reply("(Not answered: you sent another message.)", waiting[place]))
            waiting[place] = question
            watch(question, at: now)
            return effects
        }
        if let index = answers.firstIndex(where: { $0.question.asker == asker }) {
            effects += close(index, "stopped: you sent another message", cancels: true)
        }
        if mayBegin(question) { return effects + [begin(question, at: now)] }
        guard waiting.count < AssistantLimits.queueCount else {
            return effects + [reply("\(waiting.count) questions are waiting already. Ask again later.", question)]
        }
        waiting.append(question)
        watch(question, at: now)
        return effects + [reply("Your question has number \(waiting.count) in the queue.", question)]
    }

    // MARK: - Answers

    /// Takes an event of an answer's request.
    mutating func take(_ event: ModelEvent, of number: UInt64, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        guard let index = answers.firstIndex(where: { $0.number == number }) else { return [] }
        switch event {
        case .text(let text):
            let room = AssistantLimits.answerByteCount - answers[index].text.utf8.count
            guard text.utf8.count <= room else {
                answers[index].text += text.prefix(byteCount: room)
                return close(index, "cut off: too long", cancels: true) + beginWaiting(at: now)
            }
            answers[index].text += text
            answers[index].showAt =
                answers[index].showAt ?? answers[index].shownAt?.advanced(by: AssistantLimits.showInterval) ?? now
            return show(at: now)
        case .ended(let isCutOff, _):
            return close(index, isCutOff ? "cut off: the model reached its limit" : nil) + beginWaiting(at: now)
        case .failed(let fault): return close(index, failing: fault.words) + beginWaiting(at: now)
        }
    }

    private func mayBegin(_ question: Question) -> Bool {
        answers.count < settings.concurrentCount
            && !answers.contains { $0.question.asker.peer == question.asker.peer }
    }

    private func prompt(for question: Question) -> [PromptMessage]? {
        let dialogue = dialogues.first { $0.asker == question.asker }?.dialogue ?? Dialogue()
        return dialogue.prompt(
            question.text,
            question.pictures,
            after: settings.instruction,
            within: settings.contextTokenCount
        )
    }

    private mutating func begin(_ question: Question, at now: ContinuousClock.Instant) -> AnswerEffect {
        let number = nextNumber
        nextNumber += 1
        let deadline = now.advanced(by: settings.answerTimeout)
        answers.append(Answer(number: number, question: question, deadline: deadline))
        watch(question, at: now)
        return .begin(number, prompt(for: question) ?? [])
    }

    /// Begins waiting questions, in order, up to the limit.
    mutating func beginWaiting(at now: ContinuousClock.Instant) -> [AnswerEffect] {
        var effects: [AnswerEffect] = []
        while let place = waiting.firstIndex(where: mayBegin) {
            effects.append(begin(waiting.remove(at: place), at: now))
        }
        return effects
    }

    /// Ends an answer with the text that it has.
    ///
    /// - Parameters:
    ///   - mark: The remark at its end; nil for a whole answer.
    ///   - cancels: Whether its request is still in progress.
    private mutating func close(_ index: Int, _ mark: String? = nil, cancels: Bool = false) -> [AnswerEffect] {
        let answer = answers.remove(at: index)
        let asker = answer.question.asker
        if !answer.text.isEmpty { remember(answer) }
        let end = mark.map { "(\($0.capitalizedFirst).)" } ?? (answer.text.trimmed.isEmpty ? "(No answer.)" : nil)
        let text = [answer.text.trimmed.isEmpty ? nil : answer.text, end].compactMap(\.self).joined(separator: "\n\n")
        forgetAbsence(of: asker.peer)
        return (cancels ? [.cancel(answer.number)] : []) + [reply(text, answer.question)]
    }

    private mutating func close(_ index: Int, failing words: String, cancels: Bool = false) -> [AnswerEffect] {
        let answer = answers.remove(at: index)
        let text = answer.text.trimmed.isEmpty ? words : "\(answer.text)\n\n(\(words))"
        forgetAbsence(of: answer.question.asker.peer)
        return (cancels ? [.cancel(answer.number)] : []) + [reply(text, answer.question)]
    }

    private mutating func remember(_ answer: Answer) {
        let asker = answer.question.asker
        let place = dialogues.firstIndex { $0.asker == asker }
        var dialogue = place.map { dialogues.remove(at: $0).dialogue } ?? Dialogue()
        let asked = answer.question.text.trimmed.isEmpty ? "(A picture.)" : answer.question.text
        dialogue.add(answer.question.id, asked, answer.text, within: settings.contextTokenCount)
        if dialogues.count >= AssistantLimits.dialogueCount { dialogues.removeFirst() }
        dialogues.append((asker, dialogue))
    }

    func reply(_ text: String, _ question: Question) -> AnswerEffect {
        .reply(question.asker, text, answering: question.id)
    }

    /// Ends the answer that is in progress for an asker and the question that waits; nil if there is neither.
    mutating func stop(_ asker: Asker, _ mark: String, at now: ContinuousClock.Instant) -> [AnswerEffect]? {
        var effects = stopLoading(for: asker, mark)
        if let place = waiting.firstIndex(where: { $0.asker == asker }) {
            effects.append(reply("(\(mark.capitalizedFirst).)", waiting.remove(at: place)))
        }
        if let index = answers.firstIndex(where: { $0.question.asker == asker }) {
            effects += close(index, mark, cancels: true)
        }
        forgetAbsence(of: asker.peer)
        return effects.isEmpty ? nil : effects + beginWaiting(at: now)
    }
}

// MARK: - Time

extension AnswerScheduler {
    /// The peers whose absence would end an answer or a question, or erase a conversation.
    var watchedPeers: [PeerID] { lastSeen.keys.sorted() }

    /// Records that a peer is in reach.
    mutating func noteSeen(_ peer: PeerID, at now: ContinuousClock.Instant) {
        if lastSeen[peer] != nil { lastSeen[peer] = now }
    }

    /// Carries out everything that is due.
    mutating func tick(at now: ContinuousClock.Instant) -> [AnswerEffect] {
        var effects = show(at: now) + endLoading(at: now)
        while let index = answers.firstIndex(where: { $0.deadline <= now }) {
            effects += close(index, failing: ModelFault(.timedOut).words, cancels: true)
        }
        let absent = watchedPeers.filter {
            lastSeen[$0].map { $0.advanced(by: AssistantLimits.absence) <= now } ?? false
        }
        for peer in absent { effects += leave(peer, at: now) }
        return effects + beginWaiting(at: now)
    }

    private mutating func leave(_ peer: PeerID, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        lastSeen[peer] = nil
        let here = Set((answers.map(\.question) + waiting + loading.map(\.question)).map(\.asker)).filter {
            $0.peer == peer
        }
        var effects: [AnswerEffect] = [.note("left: out of reach")]
        for asker in here.sorted() { effects += stop(asker, "stopped: you were out of reach", at: now) ?? [] }
        guard settings.forgetsOnDisconnect else { return effects }
        let conversations = Set(dialogues.map(\.asker).filter { $0.peer == peer } + here).sorted().map(\.conversation)
        dialogues.removeAll { $0.asker.peer == peer }
        return effects + conversations.filter { $0 == .direct(peer) }.map { .erase($0) }
    }

    /// Begins to watch a peer with a question, if it is a contact: only contacts answer pings.
    mutating func watch(_ question: Question, at now: ContinuousClock.Instant) {
        guard question.trust == .tofu || question.trust == .verified else { return }
        // A peer that waits keeps its last time: the start of its answer is no sign that it is back.
        lastSeen[question.asker.peer] = lastSeen[question.asker.peer] ?? now
    }

    /// Ends the watch of a peer that has no question and no answer in progress.
    mutating func forgetAbsence(of peer: PeerID) {
        let isBusy =
            answers.contains { $0.question.asker.peer == peer } || waiting.contains { $0.asker.peer == peer }
            || loading.contains { $0.question.asker.peer == peer }
        if !isBusy, !settings.forgetsOnDisconnect { lastSeen[peer] = nil }
    }

    private mutating func show(at now: ContinuousClock.Instant) -> [AnswerEffect] {
        var effects: [AnswerEffect] = []
        for index in answers.indices {
            guard let due = answers[index].showAt, due <= now else { continue }
            answers[index].showAt = nil
            answers[index].shownAt = now
            let question = answers[index].question
            effects.append(.show(question.asker, answers[index].text, answering: question.id))
        }
        return effects
    }

    // MARK: - Forgetting

    /// Forgets a removed message with its answer.
    mutating func forget(_ message: MessageID) {
        for index in dialogues.indices { dialogues[index].dialogue.remove(message) }
    }

    /// Forgets a conversation, and ends the questions and answers in it.
    mutating func forget(_ conversation: ConversationID, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        forget { $0.conversation == conversation } + beginWaiting(at: now)
    }

    /// Forgets an asker's dialogue, and ends its questions and answers without a reply.
    mutating func forget(_ asker: Asker, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        forget { $0 == asker } + beginWaiting(at: now)
    }

    /// Ends all questions and answers, and tells the askers.
    mutating func end(at now: ContinuousClock.Instant) -> [AnswerEffect] {
        let open = loading.map(\.question) + waiting
        var effects: [AnswerEffect] = open.map { reply("(Not answered: the assistant is ending.)", $0) }
        (loading, waiting) = ([], [])
        while !answers.isEmpty { effects += close(0, "stopped: the assistant is ending", cancels: true) }
        return effects
    }

    /// Forgets all dialogues, and ends all questions and answers without a reply.
    mutating func forgetAll() -> [AnswerEffect] { forget { _ in true } }

    private mutating func forget(_ fits: (Asker) -> Bool) -> [AnswerEffect] {
        let ended = answers.filter { fits($0.question.asker) }
        answers.removeAll { fits($0.question.asker) }
        waiting.removeAll { fits($0.asker) }
        loading.removeAll { fits($0.question.asker) }
        dialogues.removeAll { fits($0.asker) }
        for peer in watchedPeers { forgetAbsence(of: peer) }
        return ended.map { .cancel($0.number) }
    }
}

extension Asker: Comparable {
    /// Orders by peers, then by conversations, so that effects come in a fixed order.
    static func < (left: Asker, right: Asker) -> Bool {
        (left.peer, left.conversation.hex) < (right.peer, right.conversation.hex)
    }
}
