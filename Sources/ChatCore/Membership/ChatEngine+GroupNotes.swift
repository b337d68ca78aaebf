import ChatCrypto
import MeshCore

/// What members of groups hand each other over their sessions.
extension ChatEngine {
    /// Puts a note for a member into the outbox, where it stays until its release comes back; answers its id there.
    @discardableResult
    mutating func send(
        _ note: GroupNote,
        to member: PublicIdentity
    ) throws -> MessageID? {
        guard trust.maySend(to: member.id), outbox.noteCount < ChatLimits.noteCount else { return nil }
        try meet(member)
        let content = MessageContent.note(note, at: step.time)
        let id = MessageContent.id(of: content, from: ownID, to: member.id)
        guard outbox[id] == nil else { return id }
        queue(id, content, to: member.id, isNote: true)
        try sealWaiting(for: member.id)
        return id
    }

    /// Notes an identity that a log names, so that something can be sent to it.
    mutating func meet(_ identity: PublicIdentity) throws {
        guard identity.id != ownID, trust[identity.id] == nil else { return }
        contacts.meet(identity, at: step.time.seconds)
        try settleContacts()
    }

    /// The note in a content, if it is one.
    func groupNote(in content: MessageContent.Decoded) -> GroupNote? {
        guard case .groupNote(let bytes) = content.body else { return nil }
        return GroupNote(decoding: bytes)
    }

    /// Whether a note is worth a session with somebody unknown: it comes from a fellow member, or invites this node.
    func isWorthSession(_ note: GroupNote?, from sender: PeerID) -> Bool {
        switch note {
        case nil: false
        case .welcome(let welcome): isInvitation(welcome, from: sender)
        default: groups.isFellow(sender) || room?.isAtDoor(sender) == true
        }
    }

    /// Whether a sender is told, by the release of its envelope, that something has come.
    ///
    /// A stranger's messages wait until the user accepts; what groups need is for their members.
    func isTold(_ sender: PeerID, of body: MessageContent.Body?) -> Bool {
        switch body {
        case .receipt, .groupNote:
            isAccepted(sender) || groups.isFellow(sender) || room?.isAtDoor(sender) == true
        // Who has been told of a rotation twice has told of itself before.
        case .statement: isAccepted(sender) || trust.state(of: sender) == .changed
        default: isAccepted(sender)
        }
    }

    /// Whether a note needs something that has not come yet; it is left unopened and found again later.
    mutating func isEarly(_ note: GroupNote, from sender: PeerID) -> Bool {
        guard trust.mayReceive(from: sender), isAheadOfUs(note, from: sender) else { return false }
        groups.hasUnopened = true
        return true
    }

    private mutating func isAheadOfUs(
        _ note: GroupNote,
        from sender: PeerID
    ) -> Bool {
        if case .welcome = note { return false }
        if case .leave = note, room?.isAtDoor(sender) == true { return false }
        let group = note.group
        guard let session = groups.membership(group) else {
            guard let state = groups.states[group] else { return true }
            guard let welcome = state.welcome else {
                // Who was put out may be in again, and its welcome still on the way.
                return note.lastEpoch ?? 0 > groups.table[group]?.log.epoch ?? state.record.refused
            }
            guard !state.record.request, let first = note.firstEpoch else { return true }
            return first > welcome.log.epoch + 1
        }
        guard session.log.member(sender) != nil else {
            // Who is new may write before it is known here that it has come.
            guard case .senderKey(let key, _) = note else { return false }
            return key.epoch > session.log.epoch && session.log.fork == nil
        }
        let needed: UInt32
        switch note {
        case .senderKey(let key, _): needed = key.epoch
        case .operations: needed = (note.firstEpoch ?? 1) - 1
        case .welcome, .leave, .request, .wantsOwnerKey, .ownerKey, .bundles, .history: return false
        }
        guard needed > session.log.epoch, session.log.fork == nil else { return false }
        let later = step.time.monotonic.advanced(by: ChatLimits.groupAskPause)
        groups.states[group]?.want(needed, from: sender, at: later)
        doubt(group)
        return true
    }

    /// Takes a note from a session with its sender.
    mutating func take(
        _ note: GroupNote,
        _ preimage: ReleasePreimage?,
        from sender: PeerID
    ) throws {
        if case .welcome(let welcome) = note {
            return try receive(welcome, preimage, from: sender)
        }
        if case .operations(let group, let updates, let bare) = note {
            let all = bare.map(GroupUpdate.init(keyless:)) + updates
            let inOrder = all.sorted { $0.operation.epoch < $1.operation.epoch }
            return try receive(inOrder, of: group, from: sender)
        }
        if case .request(let group, let epoch) = note {
            return try answerRequest(of: group, from: epoch, by: sender)
        }
        if case .leave = note, room?.isAtDoor(sender) == true {
            room?.receiveLeave(of: sender)
            return try settleRoom()
        }
        guard let session = groups.membership(note.group), let member = session.log.member(sender) else { return }
        switch note {
        case .senderKey(let key, let history):
            try receive(key, history, from: member)
        case .leave: try receiveLeave(of: member, in: note.group)
        case .wantsOwnerKey:
            guard session.log.owner == sender, !session.isOwner else { return }
            let key = room == nil ? GroupOwnerKey() : GroupOwnerKey(of: sessions.identity)
            let offer = groups.table.update(note.group) { $0.offerOwnership(with: key) }
            guard let offer else { return }
            records.write(offer.change, in: &step)
            try send(.ownerKey(note.group, offer.publicKey), to: member.identity)
        case .ownerKey(_, let key):
            guard session.isOwner, groups.states[note.group]?.record.handover.elementsEqual(sender.bytes) == true
            else { return }
            // Once the owner is sure, it asks for the key once more.
            guard isSure(of: note.group) else { return try confirm(note.group) }
            groups.states[note.group]?.record.handover = .bytes([])
            try performIfPossible([.handover(sender, signingKey: key)], in: note.group)
        case .history(let group, .request(let cursor)): takeRequest(cursor, of: group, from: sender)
        case .history(let group, .page(let page)): try take(page, of: group, from: sender)
        case .bundles(_, let bundles):
            try receive(bundles, from: sender, owner: session.log.owner)
        case .welcome, .operations, .request: break
        }
    }

    private mutating func receive(
        _ key: SenderKeyMessage,
        _ history: [UInt8],
        from member: GroupMember
    ) throws {
        guard let session = groups.membership(key.groupID), key.epoch <= session.log.epoch else { return }
        let own = session.log.operations[Int(key.epoch) - 1]
        guard own.hash.starts(with: history) else {
            // The two have been told different histories: what this one was told proves it to the other.
            try send(.operations(key.groupID, updates: [], bare: [own]), to: member.identity)
            return
        }
        let accepted = groups.table.update(key.groupID) {
            $0.accept(key, from: member.identity.id, at: step.time.seconds)
        }
        guard let accepted else { return }
        records.write(accepted.change, in: &step)
        if accepted.outcome == .accepted { recallSoon() }
    }

    private mutating func receiveLeave(
        of member: GroupMember,
        in group: GroupID
    ) throws {
        let peer = member.identity.id
        let change = groups.table.update(group) { $0.noteLeaving(peer) }
        guard let change, !change.isEmpty else { return }
        records.write(change, in: &step)
        try forgetRecipient(peer, of: group)
        try dropNotes(to: peer, of: group)
        forgetNewcomer(peer, of: group)
        step.perform(.tell(.group(group, .left(peer))))
        if groups.table[group]?.isOwner == true {
            try performIfPossible([.letGo(peer)], in: group)
        }
    }

    /// Takes back what has not reached somebody who is out of a group now.
    mutating func dropNotes(
        to peer: PeerID,
        of group: GroupID
    ) throws {
        for entry in outbox.entries(in: .direct(peer)) where entry.isNote {
            guard let record = try outbox.record(of: entry.id, in: step),
                let content = MessageContent.decode([UInt8](record.content)), let note = groupNote(in: content),
                note.group == group
            else { continue }
            switch note {
            case .operations(_, let updates, _) where updates.isEmpty: continue
            case .senderKey, .operations, .welcome, .history:
                takeOut(entry.id)
            case .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: continue
            }
        }
    }

    /// Hands one's sender key to a member.
    mutating func send(
        _ key: SenderKeyMessage,
        of session: GroupSession,
        to member: PublicIdentity
    ) throws {
        let history = session.log.operations[Int(key.epoch) - 1].hash.prefix(GroupNote.historyByteCount)
        try send(.senderKey(key, history: Array(history)), to: member)
    }

    /// Plans to try once more what the mesh holds, now that keys have come.
    mutating func recallSoon() {
        groups.recall(at: step.time.monotonic.advanced(by: ChatLimits.recallDelay))
    }
}

extension GroupNote {
    /// The epoch that its key belongs to, or the highest of the operations it brings; nil if it brings neither.
    fileprivate var lastEpoch: UInt32? {
        switch self {
        case .senderKey(let key, _): key.epoch
        case .operations(_, let updates, let bare): (updates.map(\.operation.epoch) + bare.map(\.epoch)).max()
        case .welcome, .leave, .request, .wantsOwnerKey, .ownerKey, .bundles, .history: nil
        }
    }

    /// The lowest epoch among the operations it brings; nil if it brings none.
    fileprivate var firstEpoch: UInt32? {
        guard case .operations(_, let updates, let bare) = self else { return nil }
        return (updates.map(\.operation.epoch) + bare.map(\.epoch)).min()
    }
}
