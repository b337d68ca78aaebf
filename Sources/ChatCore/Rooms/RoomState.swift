package import ChatCrypto
package import MeshCore

/// An action that the state of a room requests from its engine.
enum RoomEffect {
    /// Spreads the body of a ROOM envelope with this life.
    ///
    /// Units: ticks of 10 s.
    case submit([UInt8], life: UInt16)
    /// Writes the secrets of the host's side of admission.
    case save
    /// Deletes these secrets.
    case forget(SessionChange)
    /// Notifies the user.
    case event(RoomEvent)
    /// Notifies the keeper of the room.
    case transition(RoomTransition)
    /// Notes the prekey bundle of a member.
    case learn(PrekeyBundle)
    /// Joins by a host's welcome.
    case join(GroupWelcome, host: PublicIdentity)
    /// Adds a joiner that has proven to have code or invite.
    case admit(RoomApplicant)
}

/// The state of the room that an engine is for: joining, the host's side of admission, and the end.
///
/// The engine's identity, sessions and store are used for this room only; the room itself is a group of that engine.
/// Source: PROTOCOL §17.
package struct RoomState: Sendable {
    /// The room; nil until this node is admitted to one.
    package private(set) var id: GroupID?
    /// The time at which it ends, by this node's clock.
    package private(set) var end: MeshInstant
    /// Whether the room is over for this node.
    package private(set) var isOver = false
    /// The host's side of admission; nil for all other members.
    private(set) var host: RoomHost?
    /// The highest sequence among the host's beacons that arrived.
    private(set) var beaconSequence: UInt32 = 0
    /// The rule of admission, as the host's beacons state it; nil before the first beacon, and for the host.
    private var announcedAdmission: RoomAdmission?
    /// The time of the host's next beacon.
    private var nextBeacon = MeshInstant.zero
    /// The joining, until this node is a member.
    private var attempt: RoomJoinAttempt?
    private var effects: [RoomEffect] = []

    /// Makes the state of a known room, or of one that this node is joining.
    package init(id: GroupID? = nil, end: MeshInstant = .distantFuture, admission: RoomAdmission? = nil) {
        self.id = id
        self.end = end
        announcedAdmission = admission
    }

    // MARK: - Reading

    /// The time at which `tick` has work to do.
    var nextDeadline: MeshInstant {
        guard !isOver else { return .distantFuture }
        return min(end, host == nil ? .distantFuture : nextBeacon, attempt?.deadline ?? .distantFuture)
    }

    /// The rule of admission, if it is known.
    var admission: RoomAdmission? { host?.admission ?? announcedAdmission }

    /// The host whose user has to decide about this node.
    var waitsFor: PublicIdentity? { attempt?.waitsFor }

    /// Computes the remaining time of the room; 0 for one without end.
    ///
    /// Units: seconds.
    func remainingSeconds(at now: MeshInstant) -> UInt32 {
        guard end != .distantFuture else { return 0 }
        let left = now < end ? now.duration(to: end).components.seconds : 0
        return UInt32(clamping: left + 1)
    }

    /// Limits the life of an envelope of the room in the mesh: no longer than the room.
    ///
    /// Units: ticks of 10 s.
    package func clamped(_ life: UInt16, at now: MeshInstant) -> UInt16 {
        let remaining = remainingSeconds(at: now)
        guard remaining > 0 else { return life }
        return min(life, UInt16(clamping: remaining / 10 + 1))
    }

    /// Whether a peer that is no member may speak to this engine: one that asks to join, or the host that this node
    /// asks.
    func isApplicant(_ peer: PeerID) -> Bool {
        attempt?.waitsFor?.id == peer || host?.pending.contains { $0.bundle.identity.id == peer } == true
    }

    // MARK: - Joining

    /// Begins to join a room, with the hosts that were discovered before.
    mutating func enter(
        _ credential: JoinCredential,
        _ beacons: [RoomBeacon],
        bundle: PrekeyBundle,
        at now: MeshInstant
    ) {
        var attempt = RoomJoinAttempt(with: credential, bundle: bundle, at: now)
        for beacon in beacons { attempt.discover(beacon, at: now) }
        let step = attempt.proceed(at: now)
        self.attempt = attempt
        follow(step)
    }

    /// Reads the body of a ROOM envelope; nil for one that cannot be for this room.
    func packet(in body: [UInt8]) -> RoomPacket? {
        // A beacon costs a signature to check; most belong to other rooms.
        let isBeacon = body.first == 0
        guard !isOver, !isBeacon || attempt != nil || id.map({ body.dropFirst(2).starts(with: $0.bytes) }) == true
        else { return nil }
        return RoomPacket(decoding: body)
    }

    /// Handles a packet.
    ///
    /// - Parameters:
    ///   - log: The log of the room's group, if this node is a member.
    ///   - bundle: This node's own prekey bundle.
    mutating func receive(_ packet: RoomPacket, log: MembershipLog?, bundle: PrekeyBundle, at time: ChatTime) {
        switch packet {
        case .hello(let hello):
            if let step = host?.receive(hello, at: time.seconds) { follow(step, at: time) }
            return
        case .request(let request):
            guard let log else { return }
            let hasCapacity = log.members.count < Int(log.policy.memberLimit)
            let step = host?.receive(request, hasCapacity: hasCapacity, bundle: bundle, at: time.seconds)
            if let step { follow(step, at: time) }
            return
        case .beacon(let beacon): if log?.owner == beacon.host.id { note(beacon, at: time.monotonic) }
        case .answer, .reply: break
        }
        if let step = attempt?.receive(packet, at: time.monotonic) { follow(step) }
    }

    private mutating func follow(_ step: RoomJoinAttempt.Step) {
        switch step {
        case .nothing: break
        case .send(let message): effects.append(.submit(message, life: RoomRules.joinMessageLife))
        case .failed(let error): fail(error)
        case .decided(let decision, let beacon, let discoveredAt):
            id = beacon.room
            announcedAdmission = beacon.admission
            if beacon.remainingSeconds > 0 { _ = endNoLater(than: beacon.remainingSeconds, after: discoveredAt) }
            switch decision {
            case .welcome(let welcome): effects.append(.join(welcome, host: beacon.host))
            case .pending(let bundle):
                effects += [.learn(bundle), .transition(.waiting), .event(.waiting(nil, name: ""))]
            case .full: fail(ChatError(.limited, "The room is full."))
            case .rejected: fail(Self.rejected)
            }
        }
    }

    private mutating func fail(_ error: ChatError) {
        guard !isOver else { return }
        isOver = true
        attempt = nil
        effects.append(.transition(.failed(error)))
    }

    /// Notes the facts of a welcome besides the group: the remaining time of the room, and the prekey bundles of the
    /// members.
    mutating func take(_ welcome: GroupWelcome, at now: MeshInstant) {
        if welcome.remainingSeconds > 0 { _ = endNoLater(than: welcome.remainingSeconds, after: now) }
        effects += welcome.bundles.map(RoomEffect.learn)
    }

    /// Notes that this node is a member.
    mutating func finishEntering() {
        guard attempt != nil else { return }
        attempt = nil
        effects.append(.transition(.entered))
    }

    // MARK: - Hosting

    /// Restores the host's side of admission from the store.
    mutating func restore(_ host: RoomHost) { self.host = host }

    /// Opens admission to the room that this node has created.
    mutating func open(
        _ room: GroupID,
        as identity: Identity,
        admission: RoomAdmission,
        life: UInt32,
        at time: ChatTime
    ) {
        id = room
        end = time.monotonic.advanced(by: .seconds(Int64(life)))
        host = RoomHost(room: room, as: identity, admission: admission, at: time.seconds)
        nextBeacon = time.monotonic
        save()
    }

    /// Opens admission with a new code, which replaces the one before.
    mutating func renewCode(at time: ChatTime) {
        host?.openAdmission(at: time.seconds)
        if host?.invite == nil { host?.renewInvite() }
        notify([.codeChanged])
        announce(at: time)
    }

    /// Closes admission: code and invite become invalid.
    mutating func close(at time: ChatTime) {
        host?.closeAdmission()
        notify([.admissionClosed])
        announce(at: time)
    }

    /// Takes a joiner that waits for the user's decision; nil if there is none with this id.
    mutating func takePending(_ peer: PeerID) -> PrekeyBundle? {
        let bundle = host?.takePending(peer)?.bundle
        if bundle != nil { save() }
        return bundle
    }

    /// Answers a joiner that was added, with the welcome, or otherwise refuses the joiner.
    mutating func answer(_ applicant: RoomApplicant, with welcome: GroupWelcome?) -> Bool {
        if let welcome, let reply = host?.admit(applicant, with: welcome) {
            effects.append(.submit(reply, life: RoomRules.joinMessageLife))
            return true
        }
        if let reply = host?.refuse(applicant) { effects.append(.submit(reply, life: RoomRules.joinMessageLife)) }
        return false
    }

    /// Transfers admission to the present owner; it is closed until the new owner's user opens it.
    ///
    /// - Parameter identity: This node's identity, if it is the owner.
    mutating func transferOwnership(of group: GroupID, to identity: Identity?, at time: ChatTime) {
        guard id == group else { return }
        if let identity {
            var host = RoomHost(room: group, as: identity, admission: .code, at: time.seconds)
            host.closeAdmission()
            self.host = host
            save()
        } else if let host {
            effects.append(.forget(host.deletion()))
            self.host = nil
        }
    }

    private mutating func follow(_ step: RoomHostStep, at time: ChatTime) {
        guard step.reply != nil || step.applicant != nil || !step.events.isEmpty else { return }
        if let applicant = step.applicant { effects.append(.admit(applicant)) }
        save()
        notify(step.events)
        if let reply = step.reply { effects.append(.submit(reply, life: RoomRules.joinMessageLife)) }
        if !step.events.isEmpty { announce(at: time) }
    }

    /// Sends the next beacon at once, because admission has changed.
    private mutating func announce(at time: ChatTime) {
        save()
        nextBeacon = time.monotonic
        sendBeacon(at: time)
    }

    private mutating func sendBeacon(at time: ChatTime) {
        guard host != nil, nextBeacon <= time.monotonic else { return }
        let events = host?.expire(at: time.seconds) ?? []
        if !events.isEmpty {
            save()
            notify(events)
        }
        let remaining = remainingSeconds(at: time.monotonic)
        if let beacon = host?.beacon(remainingSeconds: remaining, at: time.seconds) {
            effects.append(.submit(beacon.bytes, life: RoomRules.beaconLife))
        }
        nextBeacon = time.monotonic.advanced(by: RoomRules.beaconPause)
    }

    private mutating func save() {
        if host != nil { effects.append(.save) }
    }

    private mutating func notify(_ events: [RoomHostEvent]) {
        effects += events.compactMap { event in
            switch event {
            case .codeExhausted: .event(.exhausted)
            case .codeChanged: host?.code.map { .event(.code($0.text)) }
            case .admissionClosed: .event(.admissionClosed)
            case .pending(let applicant):
                .event(.waiting(applicant.bundle.identity.id, name: Room.Applicant(applicant.bundle).name))
            }
        }
    }

    // MARK: - The end

    /// Does all work that is due at admission, at joining, and at the end.
    mutating func tick(at time: ChatTime) {
        let now = time.monotonic
        guard nextDeadline <= now else { return }
        guard now < end else {
            if attempt != nil { return fail(ChatError(.expired, "The room has ended.")) }
            return finish(.expired)
        }
        sendBeacon(at: time)
        if let step = attempt?.tick(at: now) { follow(step) }
    }

    /// Ends the room on this node.
    mutating func finish(_ event: RoomEvent) {
        guard !isOver else { return }
        if attempt != nil { return fail(Self.rejected) }
        isOver = true
        effects.append(.transition(.over(event)))
    }

    /// Ends the room silently, because the user leaves it.
    mutating func leave() { isOver = true }

    /// Handles a leave message at admission: a joiner withdraws, or the host rejects this node.
    mutating func receiveLeave(of peer: PeerID) {
        if attempt?.waitsFor?.id == peer { return fail(Self.rejected) }
        if host?.takePending(peer) != nil { save() }
    }

    /// Applies a policy: a shorter life brings the end forward by the difference, whatever the clocks show.
    mutating func take(_ policy: GroupPolicy, after old: GroupPolicy, at now: MeshInstant) {
        guard policy.life > 0, old.life == 0 || policy.life < old.life else { return }
        let left = remainingSeconds(at: now)
        // A host can change a policy without end, whatever end its beacons stated.
        let isNew = left == 0 || old.life == 0
        let remaining = isNew ? policy.life : left - min(left, old.life - policy.life)
        guard remaining > 1 else { return finish(.closed) }
        if endNoLater(than: remaining, after: now) { notifyEnd(at: now) }
    }

    /// Applies a host's beacon: its rule of admission, and its end if that is sooner than the known one.
    private mutating func note(_ beacon: RoomBeacon, at now: MeshInstant) {
        // A beacon that was recorded earlier and is sent again reverts nothing.
        guard beacon.room == id, beacon.sequence >= beaconSequence else { return }
        beaconSequence = beacon.sequence
        announcedAdmission = beacon.admission
        guard beacon.remainingSeconds > 0, endNoLater(than: beacon.remainingSeconds, after: now) else { return }
        notifyEnd(at: now)
    }

    /// Brings the end forward to this number of seconds from now, never back; true if that moved it by more than a
    /// moment.
    private mutating func endNoLater(than seconds: UInt32, after now: MeshInstant) -> Bool {
        let earlier = now.advanced(by: .seconds(Int64(seconds)))
        guard earlier < end else { return false }
        let isNotable = end == .distantFuture || earlier.duration(to: end) > .seconds(2)
        end = earlier
        return isNotable
    }

    private mutating func notifyEnd(at now: MeshInstant) {
        effects.append(.transition(.ends(in: now.duration(to: end))))
    }

    private static let rejected = ChatError(.rejected, "The host of the room has rejected you.")

    // MARK: - Effects

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [RoomEffect] {
        defer { effects = [] }
        return effects
    }
}
