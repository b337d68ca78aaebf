package import ChatCrypto
import MeshCore

/// The engine of a room: the way in, its people's bundles, and its end.
extension ChatEngine {
    /// Looks for the way into a room, with the hosts that were heard before.
    package mutating func enterRoom(
        _ ticket: RoomTicket,
        beacons: [RoomBeacon]
    ) throws {
        let now = step.time.monotonic
        var entrance = RoomEntrance(with: ticket, bundle: sessions.bundle, at: now)
        for beacon in beacons { entrance.hear(beacon, at: now) }
        let step = entrance.proceed(at: now)
        var part = room ?? RoomPart()
        part.entrance = entrance
        room = part
        try follow(step)
    }

    /// Takes the body of a ROOM envelope, if this engine is that of a room it can be for.
    mutating func receiveRoomPacket(_ body: [UInt8]) throws {
        guard let part = room, !part.isOver else { return }
        // A beacon costs a signature to check; most are of other rooms.
        let isBeacon = body.first == 0
        guard !isBeacon || part.entrance != nil || part.id.map({ body.dropFirst(2).starts(with: $0.bytes) }) == true,
            let packet = RoomPacket(decoding: body)
        else { return }
        switch packet {
        case .hello(let hello): return try receive(hello)
        case .request(let request): return try receive(request)
        case .beacon(let beacon): note(beacon)
        case .answer, .reply: break
        }
        if let step = room?.entrance?.receive(packet, at: step.time.monotonic) {
            try follow(step)
        }
    }

    private mutating func follow(_ step: RoomEntrance.Step) throws {
        switch step {
        case .nothing: break
        case .send(let flight): submitFlight(flight)
        case .failed(let error): fail(error)
        case .decided(let decision, let beacon, let heardAt):
            room?.id = beacon.room
            room?.admission = beacon.admission
            if beacon.remainingSeconds > 0 {
                _ = room?.endNoLater(than: beacon.remainingSeconds, after: heardAt)
            }
            try follow(decision, of: beacon)
        }
    }

    private mutating func follow(
        _ decision: JoinDecision,
        of beacon: RoomBeacon
    ) throws {
        switch decision {
        case .welcome(let welcome):
            try meet(beacon.host)
            try receive(welcome, nil, from: beacon.host.id)
        case .pending(let bundle):
            try learn(bundle)
            step.perform(.room(.waiting))
            step.perform(.tell(.room(beacon.room, .waiting(nil, name: ""))))
        case .full: fail(ChatError(.limited, "The room is full."))
        case .rejected: fail(Self.turnedDown)
        }
    }

    private mutating func fail(_ error: ChatError) {
        guard room?.isOver == false else { return }
        room?.isOver = true
        room?.entrance = nil
        step.perform(.room(.failed(error)))
    }

    /// What a welcome to the room tells besides the group: how long it lasts, and how to reach everybody.
    mutating func noteRoom(_ welcome: GroupWelcome) throws {
        guard room != nil else { return }
        if welcome.remainingSeconds > 0 {
            _ = room?.endNoLater(than: welcome.remainingSeconds, after: step.time.monotonic)
        }
        for bundle in welcome.bundles { try learn(bundle) }
    }

    /// This node is in: what led there is done.
    mutating func settleIn() {
        guard room?.entrance != nil else { return }
        room?.entrance = nil
        step.perform(.room(.entered))
    }

    // MARK: - Bundles

    /// Notes how to begin a session with somebody of the room, and sends what waited for that.
    mutating func learn(_ bundle: IdentityBundle) throws {
        let peer = bundle.identity.id
        guard peer != ownID, bundle.isUsable(at: step.time.seconds) else { return }
        try meet(bundle.identity)
        if let known = peers[peer]?.bundle, !bundle.supersedes(known) { return }
        heard(bundle.identity, bundle)
        try sealWaiting(for: peer)
    }

    /// Takes bundles that a member hands on: those of others from the owner alone.
    mutating func receive(
        _ bundles: [IdentityBundle],
        from sender: PeerID,
        owner: PeerID?
    ) throws {
        guard room != nil else { return }
        for bundle in bundles where sender == owner || bundle.identity.id == sender {
            try learn(bundle)
        }
    }

    /// Hands this node's new bundle to everybody in the room; it is for nobody else to see.
    mutating func shareBundle() throws {
        guard let id = room?.id, let session = groups.membership(id) else { return }
        for member in session.recipients {
            try send(.bundles(id, [sessions.bundle]), to: member.identity)
        }
    }

    // MARK: - The end

    /// Does what is due at the door, on the way in, and at the end.
    mutating func tickRoom() throws {
        let now = step.time.monotonic
        guard let part = room, part.nextDeadline <= now else { return }
        guard now < part.end else {
            if part.entrance != nil { return fail(ChatError(.expired, "The room is over.")) }
            return endRoom(.expired)
        }
        tickDoor()
        if let step = room?.entrance?.tick(at: now) { try follow(step) }
    }

    /// Nothing goes on in the room any more.
    mutating func endRoom(_ event: RoomEvent) {
        guard let part = room, !part.isOver else { return }
        if part.entrance != nil { return fail(Self.turnedDown) }
        room?.isOver = true
        step.perform(.room(.over(event)))
    }

    /// Takes a policy: a shorter life brings the end forward by as much, whatever the clocks say.
    mutating func follow(
        _ policy: GroupPolicy,
        after old: GroupPolicy
    ) {
        guard let part = room, policy.life > 0, old.life == 0 || policy.life < old.life else { return }
        let now = step.time.monotonic
        let left = part.remainingSeconds(at: now)
        let remaining = left == 0 ? policy.life : left - min(left, old.life - policy.life)
        guard remaining > 1 else { return endRoom(.closed) }
        if room?.endNoLater(than: remaining, after: now) == true { tellEnd() }
    }

    /// Takes a host's own word on who gets in, and on how long the room lasts where it is less than was known.
    private mutating func note(_ beacon: RoomBeacon) {
        guard let id = room?.id, beacon.room == id, groups.membership(id)?.log.owner == beacon.host.id else { return }
        // One that was recorded earlier and is sent again takes nothing back.
        guard beacon.sequence >= room?.beaconSequence ?? 0 else { return }
        room?.beaconSequence = beacon.sequence
        room?.admission = beacon.admission
        guard beacon.remainingSeconds > 0,
            room?.endNoLater(than: beacon.remainingSeconds, after: step.time.monotonic) == true
        else { return }
        tellEnd()
    }

    private mutating func tellEnd() {
        guard let end = room?.end else { return }
        step.perform(.room(.ends(in: step.time.monotonic.duration(to: end))))
    }

    /// Leaves the room: who hosts it closes it, others say that they go; then all of it is to be destroyed.
    package mutating func leaveRoom() throws {
        guard let part = room, !part.isOver else { return }
        room?.isOver = true
        guard let id = part.id else { return }
        if part.host != nil {
            try closeRoom()
        } else if let session = groups.membership(id) {
            for member in session.recipients { try send(.leave(id), to: member.identity) }
        } else if let host = part.entrance?.waitsFor {
            try send(.leave(id), to: host)
        }
    }

    /// Takes the word of somebody at the door: who waits goes, or the host turns this node down.
    mutating func receiveWordAtDoor(of peer: PeerID) {
        if room?.entrance?.waitsFor?.id == peer { return fail(Self.turnedDown) }
        guard room?.host?.takePending(peer) != nil, let host = room?.host else { return }
        records.write(host.saved(), in: &step)
    }

    private static let turnedDown = ChatError(.turnedDown, "The room's host does not let you in.")

    // MARK: - Looking

    /// The conversation of a group: that of the room if this engine is for one.
    package func conversationID(of group: GroupID) -> ConversationID { room == nil ? .group(group) : .room(group) }

    /// The conversation of an object.
    func conversationID(of object: BlobTable.Entry) -> ConversationID {
        object.group.map { conversationID(of: $0) } ?? .direct(object.peer)
    }

    /// The room as it is shown; nil while this node is on its way in, and once it is over.
    package func roomView(at time: ChatTime) -> Room? {
        guard let part = room, !part.isOver, let id = part.id, time.monotonic < part.end else { return nil }
        let view = self.view(of: id)
        let isMember = groups.membership(id) != nil
        guard isMember || part.entrance?.waitsFor != nil else { return nil }
        let policy = groups.membership(id)?.log.policy
        let left = time.monotonic.duration(to: part.end).components.seconds
        let end = Timestamp(clamping: time.wall / 1_000 * 1_000 + UInt64(clamping: left) * 1_000)
        return Room(
            id: id,
            title: isMember ? view?.title ?? "" : String(id.description.prefix(8)),
            standing: !isMember ? .waiting : part.host == nil ? .member : .host,
            members: isMember ? view?.members ?? [] : [],
            host: isMember ? view?.owner : part.entrance?.waitsFor?.id,
            admission: part.host?.admission ?? part.admission,
            ownID: ownID,
            nickname: nickname,
            endTime: part.end == .distantFuture ? nil : end,
            isEphemeral: policy?.isEphemeral ?? false,
            maximumMembers: Int(policy?.memberLimit ?? UInt8(GroupLimits.maximumMembers)),
            door: part.host.map(Room.Door.init)
        )
    }
}

extension Room.Door {
    fileprivate init(_ host: RoomHost) {
        admission = host.admission
        code = host.code?.text
        invite = host.invite?.text
        isShut = host.isShut
        waiting = host.pending.map { applicant in
            let peer = applicant.bundle.identity.id
            return Room.Applicant(id: peer, name: applicant.bundle.nickname?.text ?? String(peer.description.prefix(8)))
        }
    }
}
