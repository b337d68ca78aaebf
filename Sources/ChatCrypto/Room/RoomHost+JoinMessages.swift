extension RoomHost {
    /// Answers a joiner's first message, if a guess is allowed.
    ///
    /// A message that was answered before gets the same answer again and counts once.
    public mutating func receive(_ hello: JoinHello, at now: UInt32) -> RoomHostStep {
        var step = RoomHostStep()
        step.events = expire(at: now)
        if let known = runs.first(where: { $0.id == hello.run }) {
            step.reply = known.sent
            return step
        }
        guard runs.count < RoomLimits.maximumRuns, let meeting = meeting(hello.lobby),
            let card = JoinIdentity(decoding: hello.card), card.identity != identity.publicIdentity,
            Ristretto255.isElement(hello.point), KEM768.isPublicKey(card.kemPart),
            !meeting.isGuessable || takeGuess(at: now), let run = answer(hello, card, in: meeting, at: now)
        else { return step }
        runs.append(run)
        step.reply = run.sent
        step.events += exhaustIfDue(at: now)
        return step
    }

    /// Takes a joiner's proof.
    ///
    /// - Parameters:
    ///   - request: the third join message.
    ///   - hasCapacity: whether the group accepts another member.
    ///   - bundle: the host's own prekey bundle in this room.
    ///   - now: seconds since 1970 by the local clock.
    public mutating func receive(
        _ request: JoinRequest,
        hasCapacity: Bool,
        bundle: PrekeyBundle,
        at now: UInt32
    ) -> RoomHostStep {
        var step = RoomHostStep()
        step.events = expire(at: now)
        guard let index = runs.firstIndex(where: { $0.id == request.run }),
            constantTimeEqual(request.tag, runs[index].joinerTag)
        else { return step }
        guard let key = runs[index].requestKey else {
            // The joiner lost the reply. If the host has not decided yet, there is nothing to send.
            if runs[index].replyKey == nil { step.reply = runs[index].sent }
            return step
        }
        guard let applied = request.open(key, from: runs[index].joiner) else { return step }
        runs[index].requestKey = nil
        if runs[index].lobby == lobby { failures = max(0, failures - 1) }
        let applicant = RoomApplicant(run: request.run, bundle: applied)
        guard hasCapacity else {
            step.reply = reply(.full, to: index)
            return step
        }
        guard admission == .approval else {
            step.applicant = applicant
            return step
        }
        let isWaiting = pending.contains { $0.bundle.identity == applied.identity }
        guard isWaiting || pending.count < RoomLimits.maximumPending else {
            step.reply = reply(.full, to: index)
            return step
        }
        if !isWaiting {
            pending.append(applicant)
            step.events.append(.pending(applicant))
        }
        step.reply = reply(.pending(bundle), to: index)
        return step
    }

    /// Makes the reply to an applicant that was added to the group; nil if its run is over.
    ///
    /// - Parameters:
    ///   - applicant: the new member.
    ///   - welcome: cut to ``maximumWelcomeByteCount``.
    public mutating func admit(_ applicant: RoomApplicant, with welcome: GroupWelcome) -> [UInt8]? {
        runs.firstIndex { $0.id == applicant.run }.flatMap { reply(.welcome(welcome), to: $0) }
    }

    /// Makes the reply to an applicant that could not be added; nil if its run is over.
    public mutating func refuse(_ applicant: RoomApplicant) -> [UInt8]? {
        runs.firstIndex { $0.id == applicant.run }.flatMap { reply(.rejected, to: $0) }
    }

    /// Units: bytes of a welcome that fits a reply.
    public static let maximumWelcomeByteCount = RoomLimits.maximumReplyByteCount - 1

    /// Finds the meeting that a hello names, and whether its key can be guessed; nil if there is none.
    private func meeting(_ lobby: [UInt8]) -> (place: RoomMeeting, isGuessable: Bool)? {
        if let invite, invite.lobby == lobby {
            return (RoomMeeting(room: room, lobby: lobby, password: invite.key), false)
        }
        guard lobby == self.lobby else { return nil }
        guard let code else {
            return (RoomMeeting(room: room, lobby: lobby, password: SecretBytes(copying: [])), false)
        }
        return (RoomMeeting(room: room, lobby: lobby, password: code.secret), true)
    }

    private func answer(
        _ hello: JoinHello,
        _ joiner: JoinIdentity,
        in meeting: (place: RoomMeeting, isGuessable: Bool),
        at now: UInt32
    ) -> JoinRun? {
        let pace = meeting.place.run(host: identity.publicIdentity.id)
        guard let encapsulation = try? KEM768.encapsulate(to: joiner.kemPart) else { return nil }
        let card = JoinIdentity(of: identity.publicIdentity, kemPart: encapsulation.ciphertext)
        let transcript = CPace.Transcript(
            initiatorPoint: hello.point,
            initiatorData: hello.card,
            responderPoint: pace.point,
            responderData: card.bytes
        )
        let session = meeting.place.session
        let keys = JoinKeys(
            pace,
            session: session,
            otherPoint: hello.point,
            transcript: transcript,
            kemSecret: encapsulation.secret
        )
        guard let keys else { return nil }
        let answer = JoinAnswer(run: hello.run, point: pace.point, card: card.bytes, tag: keys.hostTag)
        return JoinRun(
            id: hello.run,
            joiner: joiner.identity,
            lobby: hello.lobby,
            begunAt: now,
            sent: answer.bytes,
            requestKey: keys.toHost,
            replyKey: keys.toJoiner,
            joinerTag: keys.joinerTag
        )
    }

    /// Seals the only reply of a run.
    private mutating func reply(_ decision: JoinDecision, to index: Int) -> [UInt8]? {
        guard runs[index].requestKey == nil, let key = runs[index].replyKey,
            let reply = try? JoinReply(run: runs[index].id, key: key, decision: decision)
        else { return nil }
        runs[index].replyKey = nil
        runs[index].sent = reply.bytes
        return reply.bytes
    }
}
