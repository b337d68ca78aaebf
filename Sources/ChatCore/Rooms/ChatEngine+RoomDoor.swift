package import ChatCrypto
import MeshCore

/// What the host of a room does: it founds the room, tells of it, and lets people in.
extension ChatEngine {
    /// Founds the room that this engine is for, and opens its door.
    package mutating func foundRoom(_ plan: RoomPlan) throws {
        let policy = try plan.policy()
        let now = step.time
        let founded: (session: GroupSession, change: SessionChange)
        do {
            let founder = GroupMember(identity: sessions.identity.publicIdentity, nickname: try Nickname(nickname))
            founded = try GroupSession.found(
                as: founder,
                title: try GroupTitle(plan.title),
                policy: policy,
                ownerKey: GroupOwnerKey(of: sessions.identity),
                at: now.seconds
            )
            try groups.table.insert(founded.session)
        } catch {
            throw ChatError(refusal: error)
        }
        let id = founded.session.id
        records.write(founded.change, in: &step)
        touch(id)
        try placeLines(of: founded.session.log)
        var part = RoomPart(id: id, end: now.monotonic.advanced(by: .seconds(Int64(policy.life))))
        part.host = RoomHost(room: id, as: sessions.identity, admission: plan.admission, at: now.seconds)
        part.nextBeacon = now.monotonic
        room = part
        saveDoor()
    }

    // MARK: - The user's decisions

    /// Opens the door with a new code, in place of the one before.
    package mutating func openDoor() throws {
        try checkHosting()
        room?.host?.openDoor(at: step.time.seconds)
        if room?.host?.invite == nil { room?.host?.renewInvite() }
        tell([.codeChanged])
        announceDoor()
    }

    /// Shuts the door: code and invite are worth nothing any more.
    package mutating func shutDoor() throws {
        try checkHosting()
        room?.host?.shutDoor()
        tell([.doorShut])
        announceDoor()
    }

    /// Lets somebody in who waits, or turns them down.
    package mutating func answerApplicant(
        _ peer: PeerID,
        admits: Bool
    ) throws {
        let (id, session) = try checkHosting()
        guard room?.host?.pending.contains(where: { $0.bundle.identity.id == peer }) == true else {
            throw ChatError(.notFound, "Nobody with this id waits at the door.")
        }
        guard !admits || session.log.members.count < Int(session.log.policy.memberLimit) else {
            throw ChatError(.limited, "The room is full.")
        }
        guard let bundle = room?.host?.takePending(peer)?.bundle else { return }
        saveDoor()
        try learn(bundle)
        if admits {
            let newcomer = GroupMember(identity: bundle.identity, nickname: bundle.nickname)
            try perform([.add(newcomer)], in: id)
            try introduce(bundle, in: id)
        } else {
            try send(.leave(id), to: bundle.identity)
        }
        step.perform(.tell(.room(id, admits ? .approved(peer) : .rejected(peer))))
    }

    /// Ends the room for everybody: its life is over.
    mutating func closeRoom() throws {
        let (id, session) = try checkHosting()
        let old = session.log.policy
        let policy = GroupPolicy(
            history: old.history,
            memberLimit: Int(old.memberLimit),
            life: RoomRules.closingLife,
            isEphemeral: old.isEphemeral
        )
        guard let policy, !session.recipients.isEmpty else { return }
        try performIfPossible([.policy(policy)], in: id)
    }

    /// Refuses what only the host does.
    @discardableResult
    private func checkHosting() throws(ChatError) -> (id: GroupID, session: GroupSession) {
        guard let part = room, let id = part.id, part.host != nil, let session = groups.membership(id) else {
            throw ChatError(.notOwner, "Only the host of the room does that.")
        }
        return (id, session)
    }

    // MARK: - Joiners

    /// Answers somebody who knocks.
    mutating func receive(_ hello: JoinHello) throws {
        guard let step = room?.host?.receive(hello, at: step.time.seconds) else { return }
        try follow(step)
    }

    /// Takes a joiner's proof.
    mutating func receive(_ request: JoinRequest) throws {
        guard let log = room?.id.flatMap({ groups.membership($0)?.log }) else { return }
        let step = room?.host?.receive(
            request,
            hasRoom: log.members.count < Int(log.policy.memberLimit),
            bundle: sessions.bundle,
            at: step.time.seconds
        )
        if let step { try follow(step) }
    }

    private mutating func follow(_ step: RoomHostStep) throws {
        guard step.reply != nil || step.applicant != nil || !step.events.isEmpty else { return }
        if let applicant = step.applicant { try admit(applicant) }
        saveDoor()
        tell(step.events)
        if let reply = step.reply { submitFlight(reply) }
        if !step.events.isEmpty { announceDoor() }
    }

    /// Takes somebody in who has proven to have code or invite, and answers in the join itself.
    private mutating func admit(_ applicant: RoomApplicant) throws {
        guard let id = room?.id else { return }
        let bundle = applicant.bundle
        let isKnown = groups.membership(id)?.log.member(bundle.identity.id) != nil
        try learn(bundle)
        if !isKnown {
            let newcomer = GroupMember(identity: bundle.identity, nickname: bundle.nickname)
            try performIfPossible([.add(newcomer)], in: id, welcoming: false)
        }
        guard let session = groups.membership(id), session.log.member(bundle.identity.id) != nil,
            let welcome = session.welcome(
                remainingSeconds: room?.remainingSeconds(at: step.time.monotonic) ?? 0,
                bundles: roster(of: session, for: bundle.identity.id),
                maximumByteCount: RoomHost.maximumWelcomeByteCount
            ), let reply = room?.host?.admit(applicant, with: welcome)
        else {
            if let reply = room?.host?.refuse(applicant) { submitFlight(reply) }
            return
        }
        submitFlight(reply)
        try introduce(bundle, in: id)
    }

    /// The bundles that a newcomer needs to talk to everybody: this node's own first.
    func roster(of session: GroupSession, for newcomer: PeerID) -> [IdentityBundle] {
        guard room != nil else { return [sessions.bundle] }
        let others = session.recipients.filter { $0.identity.id != newcomer }
        return [sessions.bundle] + others.compactMap { peers[$0.identity.id]?.bundle }
    }

    /// Hands a newcomer's bundle to the others, and theirs to the newcomer: nobody else could.
    private mutating func introduce(
        _ bundle: IdentityBundle,
        in group: GroupID
    ) throws {
        guard let session = groups.membership(group) else { return }
        let newcomer = bundle.identity
        var roster = roster(of: session, for: newcomer.id)[...]
        for member in session.recipients where member.identity != newcomer {
            try send(.bundles(group, [bundle]), to: member.identity)
        }
        while !roster.isEmpty {
            try send(.bundles(group, Array(roster.prefix(RoomRules.bundleCount))), to: newcomer)
            roster = roster.dropFirst(RoomRules.bundleCount)
        }
    }

    // MARK: - What everybody hears

    /// Tells of the room, and ends what is over at its door.
    mutating func tickDoor() {
        let now = step.time
        guard let nextBeacon = room?.nextBeacon, room?.host != nil, nextBeacon <= now.monotonic else { return }
        let events = room?.host?.expire(at: now.seconds) ?? []
        if !events.isEmpty {
            saveDoor()
            tell(events)
        }
        let remaining = room?.remainingSeconds(at: now.monotonic) ?? 0
        if let beacon = room?.host?.beacon(remainingSeconds: remaining, at: now.seconds) {
            step.perform(.submit(kind: .room, body: beacon.bytes, life: RoomRules.beaconLife))
        }
        room?.nextBeacon = now.monotonic.advanced(by: RoomRules.beaconPause)
    }

    /// Lets the next beacon go at once, for the door is another one.
    private mutating func announceDoor() {
        saveDoor()
        room?.nextBeacon = step.time.monotonic
        tickDoor()
    }

    /// Writes what the host is to remember of guesses.
    private mutating func saveDoor() {
        if let host = room?.host { records.write(host.saved(), in: &step) }
    }

    mutating func submitFlight(_ body: [UInt8]) {
        step.perform(.submit(kind: .room, body: body, life: RoomRules.flightLife))
    }

    private mutating func tell(_ events: [RoomHostEvent]) {
        guard let id = room?.id else { return }
        for event in events {
            switch event {
            case .codeBurnt: step.perform(.tell(.room(id, .burnt)))
            case .codeChanged:
                if let code = room?.host?.code { step.perform(.tell(.room(id, .code(code.text)))) }
            case .doorShut: step.perform(.tell(.room(id, .doorShut)))
            case .pending(let applicant):
                let peer = applicant.bundle.identity.id
                let name = applicant.bundle.nickname?.text ?? String(peer.description.prefix(8))
                step.perform(.tell(.room(id, .waiting(peer, name: name))))
            }
        }
    }

    // MARK: - Handover

    /// Gives the door to who owns the room now; it is shut until its user opens it.
    mutating func handDoorOver(to peer: PeerID, of group: GroupID) {
        guard room?.id == group else { return }
        if peer == ownID {
            let now = step.time
            var host = RoomHost(room: group, as: sessions.identity, admission: .code, at: now.seconds)
            host.shutDoor()
            room?.host = host
            saveDoor()
        } else if let host = room?.host {
            records.write(host.deletion(), in: &step)
            room?.host = nil
        }
    }
}
