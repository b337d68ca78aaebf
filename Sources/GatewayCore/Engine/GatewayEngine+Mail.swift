import Foundation
import MeshCore

/// Mail and answers of hubs.
extension GatewayEngine {
    /// Takes mail that a subscription has brought.
    mutating func takeMail(_ body: [UInt8], subject: String, from hub: Int, at time: GatewayTime) {
        guard hubs[hub].isOpen, let tag = MailTag(subject: subject), tags.isWatched(tag),
            hubs[hub].downloads.admit(tag, byteCount: body.count, day: time.day, now: time.now)
        else {
            hubs[hub].counters.dropped += 1
            return
        }
        if fetch(body, of: tag, storedAt: nil, from: hub, at: time) { hubs[hub].downloads.count(tag) }
    }

    /// Takes an answer; returns false for one that does not fit the question, which then stays open.
    ///
    /// Guests of a hub can have answers to their own questions sent here.
    mutating func takeAnswer(
        _ answer: HubAnswer,
        to topic: HubState.Topic,
        from hub: Int,
        at time: GatewayTime
    ) -> Bool {
        switch topic {
        case .download(let question): takeAnswer(answer, to: question, from: hub, at: time)
        case .look(let id, let tag): takeLook(answer, for: id, of: tag, from: hub, at: time)
        case .publish(let id, let highest, let lost):
            takeAcknowledgement(Acknowledgement(answer), of: id, highest, lost, from: hub, at: time)
        }
    }

    // MARK: - Fetching

    private mutating func takeAnswer(
        _ answer: HubAnswer,
        to question: Downloads.Question,
        from hub: Int,
        at time: GatewayTime
    ) -> Bool {
        guard !answer.isUnanswered else {
            end(hub, .noStore(hubs[hub].url), at: time)
            return true
        }
        let tag = question.tag
        guard let mail = KeptMail(answer, of: tag, from: question.first) else {
            hubs[hub].counters.dropped += 1
            return false
        }
        switch question {
        case .last:
            let finding = hubs[hub].downloads.takeLast(
                of: tag,
                place(of: mail),
                isKnown: isKnown(mail.body),
                byteCount: mail.body.count,
                day: time.day,
                now: time.now
            )
            if finding == .lost { noteLoss(hub, at: time) }
        case .next:
            let isNew =
                mail.sequence != nil && tags.isWatched(tag)
                && fetch(mail.body, of: tag, storedAt: answer.storedAt, from: hub, at: time)
            hubs[hub].downloads.takeNext(
                of: tag,
                place(of: mail),
                isNew: isNew,
                byteCount: mail.body.count,
                day: time.day,
                now: time.now
            )
        }
        return true
    }

    /// Hands mail to the mesh, if it is legal and new; returns whether it counts.
    private mutating func fetch(
        _ body: [UInt8],
        of tag: MailTag,
        storedAt: String?,
        from hub: Int,
        at time: GatewayTime
    ) -> Bool {
        guard var envelope = Envelope(decoding: body[...]), let letter = FarLetter(envelope), letter.tag == tag else {
            hubs[hub].counters.dropped += 1
            return true
        }
        let id = hashes.envelopeID(envelope.kindByte, envelope.body[...])
        // This gateway's own envelopes come back to it where the network watches their tag.
        guard fetched[id] == nil, !hubs.contains(where: { $0.uploads.hasSent(id) }) else { return false }
        envelope.life = min(envelope.life, Envelope.maximumLife - KeptMail.age(storedAt, at: time.date))
        guard envelope.life > 0 else {
            hubs[hub].counters.dropped += 1
            return true
        }
        fetched.note(id, ())
        for hub in hubs.indices { hubs[hub].uploads.remove(id, now: time.now) }
        hubs[hub].counters.fetched += 1
        effects.append(.inject(envelope))
        return true
    }

    private func place(of mail: KeptMail) -> Downloads.Place? {
        mail.sequence.map { Downloads.Place(sequence: $0, mark: hashes.envelopeID(0, mail.body[...])) }
    }

    private func isKnown(_ body: [UInt8]) -> Bool {
        guard let envelope = Envelope(decoding: body[...]) else { return false }
        let id = hashes.envelopeID(envelope.kindByte, envelope.body[...])
        return fetched[id] != nil || hubs.contains { $0.uploads.hasSent(id) }
    }

    // MARK: - Publishing

    /// Takes the last mail of a tag, under which another gateway may have published an envelope.
    private mutating func takeLook(
        _ answer: HubAnswer,
        for id: EnvelopeID,
        of tag: MailTag,
        from hub: Int,
        at time: GatewayTime
    ) -> Bool {
        guard let mail = KeptMail(answer, of: tag, from: 1) else { return false }
        let last = Envelope(decoding: mail.body[...]).map { hashes.envelopeID($0.kindByte, $0.body[...]) }
        if last == id {
            hubs[hub].counters.duplicates += 1
            hubs[hub].uploads.accept(id, now: time.now)
        } else {
            // Mail of this mesh that came later shows that another gateway publishes.
            let isAlive = last.map { hubs[hub].uploads.isKnown($0) } ?? false
            if !isAlive, hubs[hub].isSteady(now: time.now) { others.doubt(tag, at: hubHashes[hub]) }
            hubs[hub].uploads.proceed(id, now: time.now)
        }
        return true
    }

    /// Takes the acknowledgement of a publication after its time: the line is slow, and the hub is not silent.
    mutating func takeLate(_ answer: HubAnswer, _ number: UInt64, from hub: Int, at time: GatewayTime) {
        guard let id = hubs[hub].late(number), case .stored(_, _, let isDuplicate) = Acknowledgement(answer) else {
            return
        }
        hubs[hub].noteAnswer()
        if isDuplicate { hubs[hub].counters.duplicates += 1 } else { hubs[hub].counters.published += 1 }
        noteStored(id, at: hub, now: time.now)
    }

    /// Notes that a hub has an envelope, and reports own mail.
    private mutating func noteStored(_ id: EnvelopeID, at hub: Int, now: MeshInstant) {
        if let name = hubs[hub].uploads.accept(id, now: now) { effects.append(.noteStored(name: name, hub)) }
    }

    private mutating func takeAcknowledgement(
        _ acknowledgement: Acknowledgement,
        of id: EnvelopeID,
        _ highest: [String: UInt64],
        _ lost: Int,
        from hub: Int,
        at time: GatewayTime
    ) -> Bool {
        switch acknowledgement {
        case .stored(let stream, let sequence, let isDuplicate):
            let isLost = hubs[hub].note(
                sequence,
                in: stream,
                isDuplicate: isDuplicate,
                highestBefore: highest,
                lostBefore: lost
            )
            if isDuplicate { hubs[hub].counters.duplicates += 1 } else { hubs[hub].counters.published += 1 }
            if isLost { noteLoss(hub, at: time) }
            noteStored(id, at: hub, now: time.now)
            hubs[hub].forgetFullness()
        case .mailboxFull:
            hubs[hub].counters.refused += 1
            hubs[hub].problem = .mailboxFull(hubs[hub].url)
            hubs[hub].uploads.refuseMailbox(id, now: time.now)
        case .hubFull:
            hubs[hub].counters.refused += 1
            hubs[hub].problem = HubStatus.Problem(.full(hubs[hub].url))
            hubs[hub].uploads.refuseAll(id, now: time.now)
        case .tooLarge:
            hubs[hub].counters.refused += 1
            hubs[hub].uploads.discard(id, now: time.now)
        case .noStore: end(hub, .noStore(hubs[hub].url), at: time)
        case .none: return false
        }
        return true
    }

    /// Sends everything again to a hub that has lost mail.
    ///
    /// A hub cannot have the store read again and again by what it says.
    mutating func noteLoss(_ hub: Int, at time: GatewayTime) {
        hubs[hub].hasLost = hubs[hub].nextLoss > time.now
        guard !hubs[hub].hasLost else { return }
        hubs[hub].nextLoss = time.now.advanced(by: GatewayLimits.lossSpacing)
        hubs[hub].counters.lost += 1
        hubs[hub].problem = .mailLost(hubs[hub].url)
        hubs[hub].uploads.forgetAcknowledged(now: time.now)
        hubs[hub].downloads.doubtCursors()
        hubs[hub].forgetLate()
        readsStore = true
    }
}

/// The mail in an answer of a hub.
struct KeptMail: Sendable {
    /// The number of the mail; nil if there is none.
    let sequence: UInt64?
    /// The envelope.
    let body: [UInt8]

    private static let notFound = 404
    /// Units: ticks of 10 s.
    private static let (leastLife, clockError): (UInt16, Double) = (360, 17_280)

    /// Reads an answer; nil for one to another question.
    ///
    /// - Parameter first: The least number that was asked for.
    init?(_ answer: HubAnswer, of tag: MailTag, from first: UInt64) {
        if answer.status == Self.notFound {
            (sequence, body) = (nil, [])
            return
        }
        guard answer.status == nil, answer.subject == tag.subject, let sequence = answer.sequence, sequence >= first,
            sequence < .max
        else { return nil }
        (self.sequence, body) = (sequence, answer.body)
    }

    /// Returns the age of mail by the hub's clock.
    ///
    /// The clocks may differ by two days. Of the longest life an hour stays, unless the mail is older than that too.
    ///
    /// Units: ticks of 10 s.
    static func age(_ storedAt: String?, at date: Date) -> UInt16 {
        guard let storedAt, let stored = try? Date.ISO8601FormatStyle().parse(storedAt.prefix(19) + "Z") else {
            return 0
        }
        let ticks = max(0, date.timeIntervalSince(stored) / 10)
        guard ticks < Double(Envelope.maximumLife) + clockError else { return Envelope.maximumLife }
        return UInt16(min(ticks, Double(Envelope.maximumLife - leastLife)))
    }
}
