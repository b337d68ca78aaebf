package import ChatCrypto
import MeshCore

/// The engine of a room: its group, its members' prekey bundles, and the effects of its state.
extension ChatEngine {
    // MARK: - The user's decisions

    /// Begins to join a room, with the hosts that were discovered before.
    package mutating func enterRoom(
        _ credential: JoinCredential,
        beacons: [RoomBeacon]
    ) throws {
        var state = room ?? RoomState()
        state.enter(credential, beacons, bundle: sessions.bundle, at: step.time.monotonic)
        room = state
        try settleRoom()
    }

    /// Creates the room that this engine is for, and opens admission.
    package mutating func foundRoom(_ plan: RoomPlan) throws {
        let policy = try plan.policy()
        let founder = GroupMember(identity: sessions.identity.publicIdentity, nickname: try Nickname(nickname))
        let title: GroupTitle
        do {
            title = try GroupTitle(plan.title)
        } catch {
            throw ChatError(refusal: error)
        }
        let id = try create(founder, title, policy, ownerKey: GroupOwnerKey(of: sessions.identity))
        var state = RoomState()
        state.open(id, as: sessions.identity, admission: plan.admission, life: policy.life, at: step.time)
        room = state
        try settleRoom()
    }

    /// Opens admission with a new code, which replaces the one before.
    package mutating func openAdmission() throws {
        try checkHosting()
        room?.renewCode(at: step.time)
        try settleRoom()
    }

    /// Closes admission: code and invite become invalid.
    package mutating func closeAdmission() throws {
        try checkHosting()
        room?.close(at: step.time)
        try settleRoom()
    }

    /// Admits a peer that waits, or rejects it.
    package mutating func answerApplicant(
        _ peer: PeerID,
        admits: Bool
    ) throws {
        let (id, session) = try checkHosting()
        guard room?.host?.pending.contains(where: { $0.bundle.identity.id == peer }) == true else {
            throw ChatError(.notFound, "No join request has this id.")
        }
        guard !admits || session.log.members.count < Int(session.log.policy.memberLimit) else {
            throw ChatError(.limited, "The room is full.")
        }
        guard let bundle = room?.takePending(peer) else { return }
        try settleRoom()
        try learn(bundle)
        if admits {
            let newMember = GroupMember(identity: bundle.identity, nickname: bundle.nickname)
            try withGroups { try $0.perform([.add(newMember)], in: id, among: $1) }
            try introduce(bundle, in: id)
        } else {
            try send(.leave(id), to: bundle.identity)
        }
        step.perform(.notify(.room(id, admits ? .approved(peer) : .rejected(peer))))
    }

    /// Leaves the room: its host closes it, other members announce that they leave; afterwards all of it has to be
    /// destroyed.
    package mutating func leaveRoom() throws {
        guard let state = room, !state.isOver else { return }
        room?.leave()
        guard let id = state.id else { return }
        if state.host != nil {
            try closeRoom()
        } else if let session = groups.membership(id) {
            for member in session.recipients { try send(.leave(id), to: member.identity) }
        } else if let host = state.waitsFor {
            try send(.leave(id), to: host)
        }
    }

    /// Ends the room for all members: its life is over.
    private mutating func closeRoom() throws {
        let (id, session) = try checkHosting()
        let old = session.log.policy
        let policy = GroupPolicy(
            history: old.history,
            memberLimit: Int(old.memberLimit),
            life: RoomRules.closingLife,
            isEphemeral: old.isEphemeral
        )
        guard let policy, !session.recipients.isEmpty else { return }
        try withGroups { $0.performIfPossible([.policy(policy)], in: id, among: $1) }
    }

    /// Refuses an action that only the host may take.
    @discardableResult
    private func checkHosting() throws(ChatError) -> (id: GroupID, session: GroupSession) {
        guard let state = room, let id = state.id, state.host != nil, let session = groups.membership(id) else {
            throw ChatError(.notOwner, "Only the host of the room can do that.")
        }
        return (id, session)
    }

    // MARK: - Effects

    /// Handles the body of a ROOM envelope, if this engine is that of a room it can be for.
    mutating func receiveRoomPacket(_ body: [UInt8]) throws {
        guard let packet = room?.packet(in: body) else { return }
        let log = room?.id.flatMap { groups.membership($0)?.log }
        let bundle = sessions.bundle
        room?.receive(packet, log: log, bundle: bundle, at: step.time)
        try settleRoom()
    }

    /// Does all work that is due at admission, at joining, and at the end.
    mutating func tickRoom() throws {
        room?.tick(at: step.time)
        try settleRoom()
    }

    /// Carries out the effects of the room's state.
    mutating func settleRoom() throws {
        for effect in room?.takeEffects() ?? [] {
            switch effect {
            case .submit(let body, let life): step.perform(.submit(kind: .room, body: body, life: life))
            case .save: if let host = room?.host { records.write(host.saved(), in: &step) }
            case .forget(let change): records.write(change, in: &step)
            case .event(let event): if let id = room?.id { step.perform(.notify(.room(id, event))) }
            case .transition(let event): step.perform(.room(event))
            case .learn(let bundle): try learn(bundle)
            case .join(let welcome, let host):
                try meet(host)
                try withGroups { $0.receive(welcome, nil, from: host.id, among: $1) }
            case .admit(let applicant): try admit(applicant)
            }
        }
    }

    /// Adds a peer that has proven to have code or invite, and answers in the join itself.
    private mutating func admit(_ applicant: RoomApplicant) throws {
        guard let id = room?.id else { return }
        let bundle = applicant.bundle
        let isKnown = groups.membership(id)?.log.member(bundle.identity.id) != nil
        try learn(bundle)
        if !isKnown {
            let newMember = GroupMember(identity: bundle.identity, nickname: bundle.nickname)
            try withGroups { $0.performIfPossible([.add(newMember)], in: id, welcoming: false, among: $1) }
        }
        let session = groups.membership(id).flatMap { $0.log.member(bundle.identity.id) == nil ? nil : $0 }
        let welcome = session.flatMap { session in
            session.welcome(
                for: bundle.identity.id,
                remainingSeconds: room?.remainingSeconds(at: step.time.monotonic) ?? 0,
                bundles: roster(of: session, for: bundle.identity.id),
                maximumByteCount: RoomHost.maximumWelcomeByteCount
            )
        }
        let isIn = room?.answer(applicant, with: welcome) ?? false
        try settleRoom()
        guard isIn else { return }
        if let session, welcome?.digest != nil { try sendState(of: session, to: bundle.identity) }
        try introduce(bundle, in: id)
    }

    // MARK: - Prekey bundles

    /// Notes the prekey bundle of a member of the room, and sends what waited for it.
    mutating func learn(_ bundle: PrekeyBundle) throws {
        let peer = bundle.identity.id
        guard peer != ownID, bundle.isUsable(at: step.time.seconds) else { return }
        try meet(bundle.identity)
        if let known = peers[peer]?.bundle, !bundle.supersedes(known) { return }
        discovered(bundle.identity, bundle)
        outbox.markDue(.direct(peer))
    }

    /// Handles prekey bundles that a member forwards: those of others only from the owner.
    mutating func receive(
        _ bundles: [PrekeyBundle],
        from sender: PeerID,
        owner: PeerID?
    ) throws {
        guard room != nil else { return }
        for bundle in bundles where sender == owner || bundle.identity.id == sender {
            try learn(bundle)
        }
    }

    /// Sends this node's new prekey bundle to all members of the room, and to nobody else.
    mutating func shareBundle() throws {
        guard let id = room?.id, let session = groups.membership(id) else { return }
        for member in session.recipients {
            try send(.bundles(id, [sessions.bundle]), to: member.identity)
        }
    }

    /// Returns the prekey bundles that a new member needs to talk to all members: this node's own first.
    func roster(of session: GroupSession, for newMember: PeerID) -> [PrekeyBundle] {
        guard room != nil else { return [sessions.bundle] }
        let others = session.recipients.filter { $0.identity.id != newMember }
        return [sessions.bundle] + others.compactMap { peers[$0.identity.id]?.bundle }
    }

    /// Sends a new member's prekey bundle to the others, and theirs to the new member.
    private mutating func introduce(
        _ bundle: PrekeyBundle,
        in group: GroupID
    ) throws {
        guard let session = groups.membership(group) else { return }
        let newMember = bundle.identity
        var roster = roster(of: session, for: newMember.id)[...]
        for member in session.recipients where member.identity != newMember {
            try send(.bundles(group, [bundle]), to: member.identity)
        }
        while !roster.isEmpty {
            let portion = portion(of: roster)
            try send(.bundles(group, Array(portion)), to: newMember)
            roster = roster.dropFirst(portion.count)
        }
    }

    /// The first of the prekey bundles, as many as one control message holds; at least one.
    private func portion(of bundles: ArraySlice<PrekeyBundle>) -> ArraySlice<PrekeyBundle> {
        var byteCount = 0
        return bundles.prefix(RoomRules.bundleCount).prefix { bundle in
            byteCount += bundle.bytes.count
            return byteCount <= RoomRules.bundlesByteCount
        }
    }

    // MARK: - Reading

    /// Returns the conversation of a group: that of the room if this engine is for one.
    package func conversationID(of group: GroupID) -> ConversationID { room == nil ? .group(group) : .room(group) }

    /// Returns the conversation of an attachment.
    package func conversationID(of blob: BlobTable.Entry) -> ConversationID {
        blob.group.map { conversationID(of: $0) } ?? .direct(blob.peer)
    }

    /// Returns the room as it is shown; nil while this node is joining, and once the room is over.
    package func roomView(at time: ChatTime) -> Room? {
        guard let state = room, !state.isOver, let id = state.id, time.monotonic < state.end else { return nil }
        let view = self.view(of: id)
        let isMember = groups.membership(id) != nil
        guard isMember || state.waitsFor != nil else { return nil }
        let policy = groups.membership(id)?.log.policy
        let left = time.monotonic.duration(to: state.end).components.seconds
        let end = Timestamp(clamping: time.wall / 1_000 * 1_000 + UInt64(clamping: left) * 1_000)
        return Room(
            id: id,
            title: isMember ? view?.title ?? "" : String(id.description.prefix(8)),
            role: !isMember ? .waiting : state.host == nil ? .member : .host,
            members: isMember ? view?.members ?? [] : [],
            host: isMember ? view?.owner : state.waitsFor?.id,
            admission: state.admission,
            ownID: ownID,
            nickname: nickname,
            endTime: state.end == .distantFuture ? nil : end,
            isEphemeral: policy?.isEphemeral ?? false,
            maximumMembers: policy.map { Int($0.memberLimit) } ?? GroupLimits.maximumMembers,
            admissionState: state.host.map(Room.AdmissionState.init)
        )
    }
}

extension Room.AdmissionState {
    fileprivate init(_ host: RoomHost) {
        admission = host.admission
        code = host.code?.text
        invite = host.invite?.text
        isAdmissionClosed = host.isAdmissionClosed
        waiting = host.pending.map { Room.Applicant($0.bundle) }
    }
}

extension Room.Applicant {
    /// Makes the joiner of a prekey bundle; the first digits of its id replace a name that it has not stated.
    init(_ bundle: PrekeyBundle) {
        let peer = bundle.identity.id
        self.init(id: peer, name: bundle.nickname?.text ?? String(peer.description.prefix(8)))
    }
}
