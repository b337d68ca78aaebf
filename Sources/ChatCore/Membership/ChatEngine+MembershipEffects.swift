import ChatCrypto
import MeshCore

/// The effects of ``Membership``, and the control messages of groups.
extension ChatEngine {
    /// Changes the groups and carries out their effects.
    ///
    /// - Parameter body: Takes the groups, and the engine without them, which answers their questions.
    @discardableResult
    mutating func withGroups<Result>(_ body: (inout Membership, ChatEngine) throws -> Result) throws -> Result {
        do {
            let result = try lend(\.groups, leaving: Membership(), body)
            try settleGroups()
            return result
        } catch {
            // Changes before a refusal become part of the step, so that a refusal of the step reverts all of it.
            try settleGroups()
            throw error
        }
    }

    /// Carries out the effects of the groups.
    mutating func settleGroups() throws {
        records.write(groups.takeSecrets(), in: &step)
        for effect in groups.takeEffects() { try carryOut(effect) }
        far.noteGroups(groups.table.mailboxVersion, at: step.time.monotonic)
    }

    private mutating func carryOut(_ effect: MembershipEffect) throws {
        switch effect {
        case .touched(let group):
            guard let state = groups.states[group] else { return }
            step.put(.groups, group.bytes, state.stored(of: group, sealedBy: records))
            conversations.touch(conversationID(of: group), at: step.time.wall)
        case .forgotten(let group, let inviter): forget(group, inviter)
        case .send(let control, let member): try send(control, to: member)
        case .spread(let notice, let group):
            step.perform(.submit(kind: .sealed, body: notice.body, life: ChatLimits.sealedLife))
            writeFar(notice, to: group)
        case .ask(let group, let epoch, let member): try ask(member, of: group, from: epoch)
        case .welcome(let member, let session): try welcome(member, from: session)
        case .meet(let identity): try meet(identity)
        case .line(let line, let group): try place(line, in: group)
        case .event(let event, let group): step.perform(.notify(.group(group, event)))
        case .dropped(let peer, let group):
            try forgetRecipient(peer, of: group)
            try dropControlMessages(to: peer, of: group)
            forgetNewMember(peer, of: group)
        case .repeatTimer(let group): repeatTimer(of: group)
        case .confirmed(let group): step.perform(.confirmed(group))
        case .release(let deliveryProof):
            step.perform(.submit(kind: .release, body: deliveryProof, life: ChatLimits.releaseLife))
        case .recall(let withControlMessages):
            if withControlMessages { _ = prekeyMessages.readmit() }
            step.perform(.recallSealed(withControlMessages: withControlMessages))
        case .runHousekeeping: nextHousekeeping = step.time.monotonic
        case .policy, .ownershipTransferred, .invited, .joined, .ended:
            try changeRoom(by: effect)
            try settleRoom()
        }
    }

    /// Also carries out the effects that concern the room of this engine.
    private mutating func changeRoom(by effect: MembershipEffect) throws {
        let now = step.time
        switch effect {
        case .policy(let policy, let old): room?.take(policy, after: old, at: now.monotonic)
        case .ownershipTransferred(let group, let peer):
            let identity = peer == ownID ? sessions.identity : nil
            room?.transferOwnership(of: group, to: identity, at: now)
        case .invited(let welcome): room?.take(welcome, at: now.monotonic)
        case .joined(let group):
            try beginHistory(of: group)
            room?.finishEntering()
        case .ended(let group):
            endHistory(of: group)
            step.perform(.notify(.group(group, .ended)))
            room?.finish(.closed)
        default: break
        }
    }

    // MARK: - Control messages

    /// Handles a control message from a session with its sender.
    mutating func take(_ control: ControlMessage, _ deliveryProof: DeliveryProof?, from sender: PeerID) throws {
        if case .leave = control, isApplicant(sender) {
            room?.receiveLeave(of: sender)
            return try settleRoom()
        }
        let log = groups.membership(control.group)?.log
        let isMember = log?.member(sender) != nil
        switch control {
        case .history(let group, .request(let cursor)):
            if isMember { takeRequest(cursor, of: group, from: sender) }
        case .history(let group, .page(let page)): if isMember { try take(page, of: group, from: sender) }
        case .bundles(_, let bundles): if isMember { try receive(bundles, from: sender, owner: log?.owner) }
        default: try withGroups { $0.receive(control, deliveryProof, from: sender, among: $1) }
        }
    }

    /// Answers a member who has begun a session and brought only receipts and control messages: without an answer each
    /// message of the session stays as long as its first, and no path can be opened.
    mutating func answerSession(of peer: PeerID) throws {
        guard sessions.unansweredCount(to: peer) == 0, outbox.entries(in: .direct(peer)).isEmpty,
            let session = groups.commonGroup(with: peer),
            let identity = session.log.member(peer)?.identity
        else { return }
        try send(.request(session.id, OperationRequest(after: session.log)), to: identity)
    }

    /// Whether a control message needs something that has not arrived yet; it is left unopened and tried again later.
    mutating func isEarly(_ control: ControlMessage, from sender: PeerID) throws -> Bool {
        try withGroups { $0.isEarly(control, from: sender, among: $1) }
    }

    /// Puts a control message for a member into the outbox, where it stays until its release comes back; returns its id
    /// there.
    @discardableResult
    mutating func send(_ control: ControlMessage, to member: PublicIdentity) throws -> MessageID? {
        guard trust.maySend(to: member.id), outbox.controlCount < ChatLimits.controlCount else { return nil }
        try meet(member)
        let content = MessageContent.control(control, at: step.time)
        let id = MessageContent.id(of: content, from: ownID, to: member.id)
        guard outbox[id] == nil else { return id }
        queue(id, content, to: member.id, isControl: true)
        return id
    }

    /// Asks a member for operations from an epoch on.
    private mutating func ask(_ member: PublicIdentity, of group: GroupID, from epoch: UInt32) throws {
        // A session from before the start might not be understood.
        if peers[member.id]?.bundle?.isUsable(at: step.time.seconds) == true, identityHistory.isDoubted(member.id) {
            contacts.history.resetSession(with: member.id, of: [identityHistory.generation])
        }
        try send(.request(group, OperationRequest(from: epoch)), to: member)
    }

    private mutating func welcome(_ member: GroupMember, from session: GroupSession) throws {
        guard groups.membership(session.id)?.log.member(member.identity.id) != nil else { return }
        let welcome = session.welcome(
            for: member.identity.id,
            remainingSeconds: room?.remainingSeconds(at: step.time.monotonic) ?? 0,
            bundles: roster(of: session, for: member.identity.id),
            maximumByteCount: ChatLimits.welcomeByteCount
        )
        guard let welcome else { return }
        try send(.welcome(welcome), to: member.identity)
        if welcome.digest != nil { try sendState(of: session, to: member.identity) }
    }

    /// Sends a member the state that its welcome names.
    mutating func sendState(of session: GroupSession, to member: PublicIdentity) throws {
        try withGroups { groups, _ in groups.sendState(of: session, to: member) }
    }

    /// Notes an identity that a log names, so that messages can be sent to it.
    mutating func meet(_ identity: PublicIdentity) throws {
        guard identity.id != ownID, trust[identity.id] == nil else { return }
        contacts.meet(identity, at: step.time.seconds)
        try settleContacts()
    }

    /// Removes the unsent control messages of a group to a peer that has left it.
    private mutating func dropControlMessages(to peer: PeerID, of group: GroupID) throws {
        for entry in outbox.entries(in: .direct(peer)) where entry.isControl {
            guard let content = try outbox.content(of: entry.id, in: step),
                let control = ReceivedContent(content, mayControl: true).control, control.group == group,
                control.endsWithMembership
            else { continue }
            takeOut(entry.id)
        }
    }

    // MARK: - Conversations

    /// Forgets an invitation that had to make room.
    private mutating func forget(_ group: GroupID, _ inviter: PeerID?) {
        if groups.states[group] == nil {
            conversations.remove(conversationID(of: group))
            step.delete(.groups, group.bytes)
        }
        // Otherwise changing unknown peers would fill the table of sessions.
        guard let inviter, trust.state(of: inviter) == .unknown, conversations[.direct(inviter)] == nil else { return }
        tearDownSessions(with: inviter)
    }

    /// Sends the present timer of a group again.
    private mutating func repeatTimer(of group: GroupID) {
        let timer = conversations.timer(of: conversationID(of: group))
        guard timer.seconds > 0 else { return }
        // With a full outbox the members learn it from the messages, which contain it.
        _ = try? setTimer(.seconds(Int64(timer.seconds)), of: conversationID(of: group))
    }

    /// Appends a line, if it is not in the history.
    private mutating func place(_ line: GroupLine, in group: GroupID) throws {
        guard try step.record(.messages, line.id.bytes) == nil else { return }
        var record = ProtoMessageRecord()
        record.id = .bytes(line.id.bytes)
        record.sender = .bytes(line.author.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        record.receivedAt = step.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        record.content = .bytes(line.encoded)
        try place(record, saying: GroupLine.content(of: record), in: conversationID(of: group))
    }
}
