package import ChatCrypto
import MeshCore

/// The earlier messages of groups: those that this node requests from other members, and those that it gives to new
/// members.
///
/// Source: PROTOCOL §16.6.
package struct EarlierMessages: Sendable {
    /// The requests of this node, by group.
    package private(set) var pulls: [GroupID: HistoryPull] = [:]
    /// The new members that send requests to this node, and those that it has answered.
    package private(set) var answers = HistoryAnswers()
    /// The number of records refused since this node was made: malformed, forged in its name, or about no member.
    package private(set) var refusedCount: UInt64 = 0
    /// The time of the next request.
    private var nextRequest = MeshInstant.distantFuture
    private var effects: [EarlierMessageEffect] = []
    /// The groups and new members whose present records the store does not have yet.
    private var changedPulls: Set<GroupID> = []
    private var changedAnswers: Set<HistoryAnswers.NewMember> = []

    /// The time at which work is due.
    var nextDeadline: MeshInstant { min(answers.nextDeadline, nextRequest) }

    // MARK: - Requesting

    /// Begins to request the earlier messages of a group, if its policy gives new members some.
    ///
    /// - Parameter highest: The highest position that is taken in the group.
    mutating func begin(in group: GroupID, above highest: UInt64, among sources: some EarlierMessageSources) {
        if let request = removePull(of: group) { effects.append(.withdraw(request)) }
        guard let joining = sources.roster(of: group)?.joinEpoch(of: sources.ownID), joining.history > .none else {
            return
        }
        var pull = HistoryPull(joinEpoch: joining.epoch, since: sources.time.wall, above: highest)
        pull.schedule(at: sources.time.monotonic.advanced(by: EarlierMessageLimits.askDelay))
        set(pull, of: group)
        effects.append(.reserve(group))
    }

    /// Sends the requests of the groups whose turn it is.
    mutating func ask(among sources: some EarlierMessageSources) {
        let now = sources.time.monotonic
        guard nextRequest <= now else { return }
        for group in pulls.filter({ $0.value.askAt <= now }).keys.sorted() { ask(in: group, among: sources) }
    }

    private mutating func ask(in group: GroupID, among sources: some EarlierMessageSources) {
        guard var pull = pulls[group] else { return }
        let joining = sources.roster(of: group)?.joinEpoch(of: sources.ownID)
        let mayAsk = joining.map { $0.history > .none } ?? false
        let members = mayAsk ? sources.recipients(of: group).filter { sources.maySend(to: $0.id) } : []
        if let request = pull.request { effects.append(.withdraw(request)) }
        pull.request = nil
        if let (member, cursor) = pull.next(among: members.map(\.id), at: sources.time),
            let identity = members.first(where: { $0.id == member })
        {
            effects.append(.ask(cursor, of: group, identity))
        } else {
            reportProgress(of: pull, in: group)
        }
        set(pull, of: group)
    }

    /// Notes the request that waits for an answer now; nil for one that could not be sent.
    mutating func noteRequest(_ request: MessageID?, of group: GroupID) {
        guard var pull = pulls[group] else { return }
        pull.request = request
        set(pull, of: group)
    }

    private mutating func reportProgress(of pull: HistoryPull, in group: GroupID) {
        guard let attester = pull.attester else { return }
        let progress = HistoryProgress(attester: attester, messageCount: pull.messageCount, isComplete: pull.isOver)
        effects.append(.progress(progress, of: group))
    }

    private mutating func set(_ pull: HistoryPull?, of group: GroupID) {
        let before = pulls[group]?.askAt ?? .distantFuture
        let askAt = pull?.askAt ?? .distantFuture
        pulls[group] = pull
        changedPulls.insert(group)
        if askAt <= nextRequest {
            nextRequest = askAt
        } else if before == nextRequest {
            nextRequest = pulls.values.map(\.askAt).min() ?? .distantFuture
        }
    }

    private mutating func removePull(of group: GroupID) -> MessageID? {
        guard let pull = pulls[group] else { return nil }
        set(nil, of: group)
        return pull.request
    }

    // MARK: - Receiving

    /// Counts a page that a member sends; nil in a group in which this node requests nothing.
    ///
    /// Its records follow in ``take(_:of:among:in:)``, and then ``finish(_:)``.
    mutating func receive(
        _ page: HistoryPage,
        of group: GroupID,
        from attester: PeerID,
        among sources: some EarlierMessageSources
    ) -> AttestedPage? {
        guard var pull = pulls[group], let roster = sources.roster(of: group),
            let joining = roster.joinEpoch(of: sources.ownID), joining.history > .none
        else { return nil }
        let wasOver = pull.isOver
        let byteCount = page.records.reduce(0) { $0 + $1.byteCount }
        let isTaken = pull.take(page, byteCount: byteCount, from: attester, at: sources.time.monotonic)
        set(pull, of: group)
        return AttestedPage(
            page,
            of: group,
            with: roster,
            from: attester,
            isTaken: isTaken,
            reportsProgress: page.from != nil || pull.isOver != wasOver
        )
    }

    /// Processes a record of a page.
    ///
    /// Its effects are carried out before the next record is processed.
    mutating func take(
        _ record: HistoryRecord,
        of page: inout AttestedPage,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws {
        // A refused message uses up its position too.
        let position = page.needsPosition(for: record) ? pulls[page.group]?.takePlace() : nil
        changedPulls.insert(page.group)
        let outcome = try page.outcome(of: record, among: sources, in: snapshot)
        page.note(outcome)
        switch outcome {
        case .refused: refusedCount += 1
        case .known: break
        case .new(_, let message):
            pulls[page.group]?.messageCount += 1
            effects.append(.insert(message, in: page.group, at: position))
        case .changed(_, let message, let position):
            effects.append(.put(message, in: page.group, at: position))
        case .removed(let message): effects.append(.remove(message, in: page.group))
        }
    }

    /// Reports the messages of a page, the oldest first.
    mutating func finish(_ page: AttestedPage) {
        for (id, isNew) in page.notices.reversed() { effects.append(.notify(id, isNew: isNew)) }
        guard page.reportsProgress, let pull = pulls[page.group] else { return }
        reportProgress(of: pull, in: page.group)
    }

    // MARK: - Giving

    /// Keeps a request until its turn comes, if its sender may be given earlier messages.
    mutating func keepRequest(
        _ cursor: HistoryCursor,
        from newMember: HistoryAnswers.NewMember,
        among sources: some EarlierMessageSources
    ) {
        guard recipient(newMember, among: sources) != nil else { return }
        answers.wait(newMember, for: cursor)
    }

    /// Takes the request whose turn it is.
    mutating func takeDueRequest(at now: MeshInstant) -> (newMember: HistoryAnswers.NewMember, cursor: HistoryCursor)? {
        answers.takeDue(at: now)
    }

    /// Answers a request with a page.
    mutating func answer(
        _ newMember: HistoryAnswers.NewMember,
        from cursor: HistoryCursor,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws {
        guard let recipient = recipient(newMember, among: sources) else { return }
        let now = sources.time.wall
        let known = presentAnswer(to: newMember, since: recipient.joinEpoch)
        var answer = known ?? HistoryAnswers.Answer(joinEpoch: recipient.joinEpoch, answeredAt: now)
        answer.answeredAt = now
        answer.pageCount += 1
        let shareable = ShareableMessages(newMember: newMember, sources: sources, store: snapshot)
        let page = try shareable.page(from: cursor, limit: recipient.limit, counting: &answer)
        set(answer, for: newMember)
        effects.append(.give(page, of: newMember.group, recipient.identity))
    }

    /// Forwards to new members a message or a change that arrived after they were given the messages of its time.
    ///
    /// It was sealed before they joined, so they cannot open it themselves.
    mutating func forward(
        _ id: MessageID,
        sealedIn epoch: UInt32,
        in group: GroupID,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws {
        let newMembers = answers.newMembers(to: group, after: epoch)
        guard !newMembers.isEmpty, let (position, message) = try snapshot.storedMessage(id),
            message.conversationID == sources.conversationID(of: group)
        else { return }
        for newMember in newMembers {
            guard var answer = answers[newMember], position >= answer.floor,
                let recipient = recipient(newMember, among: sources)
            else { continue }
            let shareable = ShareableMessages(newMember: newMember, sources: sources, store: snapshot)
            for page in HistoryPage.unasked(shareable.lateRecords(of: message, before: answer.joinEpoch)) {
                effects.append(.give(page, of: group, recipient.identity))
                answer.pageCount += 1
            }
            set(answer, for: newMember)
        }
    }

    /// Whether a member may have an attachment of a message.
    ///
    /// The message is one that the member could open itself, or that it may be given as a new member, by this node's
    /// own account of the messages.
    func mayShare(
        objectsOf id: MessageID,
        to newMember: HistoryAnswers.NewMember,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws -> Bool {
        let member = newMember.member
        guard let roster = sources.roster(of: newMember.group), let joining = roster.joinEpoch(of: member),
            let (position, message) = try snapshot.storedMessage(id), message.gone == 0
        else { return false }
        let couldOpen = !message.isAttested && roster.wasIn(member, in: message.epoch)
        if couldOpen || PeerID(bytes: message.sender) == member { return true }
        guard joining.history > .none, sources.maySend(to: member) else { return false }
        let shareable = ShareableMessages(newMember: newMember, sources: sources, store: snapshot)
        guard let limit = joining.history.limit else { return shareable.mayBeShown(message) }
        guard shareable.isShareable(message, before: joining.epoch) else { return false }
        let answer = presentAnswer(to: newMember, since: joining.epoch)
        return try shareable.isAmongLast(limit, position, after: answer, before: joining.epoch)
    }

    /// Returns the facts of a member that may be given earlier messages and can be sent more now; nil for any other.
    private func recipient(
        _ newMember: HistoryAnswers.NewMember,
        among sources: some EarlierMessageSources
    ) -> (identity: PublicIdentity, joinEpoch: UInt32, limit: Int?)? {
        let member = newMember.member
        guard let identity = sources.recipients(of: newMember.group).first(where: { $0.id == member }),
            let joining = sources.roster(of: newMember.group)?.joinEpoch(of: member), joining.history > .none,
            answers[newMember]?.pageCount ?? 0 < EarlierMessageLimits.answerPageCount,
            sources.maySend(to: member), sources.inFlightCount(to: member) < ChatLimits.controlsInFlightCount
        else { return nil }
        return (identity, joining.epoch, joining.history.limit)
    }

    /// Returns the account of a new member's messages; nil if it is from an earlier membership.
    private func presentAnswer(
        to newMember: HistoryAnswers.NewMember,
        since joinEpoch: UInt32
    ) -> HistoryAnswers.Answer? {
        answers[newMember].flatMap { $0.joinEpoch == joinEpoch ? $0 : nil }
    }

    private mutating func set(_ answer: HistoryAnswers.Answer, for newMember: HistoryAnswers.NewMember) {
        changedAnswers.insert(newMember)
        if let evicted = answers.set(answer, for: newMember) { changedAnswers.insert(evicted) }
    }

    // MARK: - Forgetting

    /// Forgets a member who is out of a group, both as a new member and as an attester.
    mutating func forget(_ member: PeerID, of group: GroupID, at now: MeshInstant) {
        answers.cancel(group, member)
        forgetAnswers { newMember, _ in newMember.group == group && newMember.member == member }
        guard var pull = pulls[group] else { return }
        pull.forget(member, at: now)
        set(pull, of: group)
    }

    /// Forgets a group that this node is out of, and returns the request that needs no answer any more.
    mutating func end(_ group: GroupID) -> MessageID? {
        answers.cancel(group)
        forgetAnswers { newMember, _ in newMember.group == group }
        return removePull(of: group)
    }

    /// Forgets new members once the keys of the messages before their join are gone.
    mutating func expire(at wall: UInt64) {
        guard wall >= EarlierMessageLimits.age else { return }
        forgetAnswers { _, answer in answer.answeredAt <= wall - EarlierMessageLimits.age }
    }

    private mutating func forgetAnswers(where isGone: (HistoryAnswers.NewMember, HistoryAnswers.Answer) -> Bool) {
        changedAnswers.formUnion(answers.forget(where: isGone))
    }

    // MARK: - Storing

    /// Restores the requests in a group.
    mutating func restore(_ record: ProtoPullRecord, at now: MeshInstant) {
        guard let group = GroupID(bytes: record.group) else { return }
        var pull = HistoryPull(record)
        pull.schedule(at: now.advanced(by: EarlierMessageLimits.askDelay))
        set(pull, of: group)
        changedPulls.remove(group)
    }

    /// Restores the account of a new member's messages.
    mutating func restore(_ record: ProtoAnswerRecord) {
        guard let group = GroupID(bytes: record.group), let member = PeerID(bytes: record.member) else { return }
        _ = answers.set(HistoryAnswers.Answer(record), for: HistoryAnswers.NewMember(group: group, member: member))
    }

    /// Returns the changed records of requests and clears them: the one to write for each name, nil for one to delete.
    mutating func takePullChanges() -> [(name: [UInt8], record: ProtoPullRecord?)] {
        guard !changedPulls.isEmpty else { return [] }
        defer { changedPulls = [] }
        return changedPulls.sorted().map { ($0.bytes, pulls[$0]?.record(of: $0)) }
    }

    /// Returns the changed records of new members and clears them: the one to write for each name, nil for one to
    /// delete.
    mutating func takeAnswerChanges() -> [(name: [UInt8], record: ProtoAnswerRecord?)] {
        guard !changedAnswers.isEmpty else { return [] }
        defer { changedAnswers = [] }
        return changedAnswers.sorted().map { ($0.name, answers[$0]?.record(of: $0)) }
    }

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [EarlierMessageEffect] {
        defer { effects = [] }
        return effects
    }
}
