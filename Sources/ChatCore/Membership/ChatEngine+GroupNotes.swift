import ChatCrypto
import MeshCore

/// What members of groups hand each other over their sessions.
extension ChatEngine {
    /// Puts a note for a member into the outbox, where it stays until its release comes back; answers its id there.
    @discardableResult
    mutating func send(
        _ note: GroupNote,
        to member: PublicIdentity,
        in transaction: inout ChatTransaction
    ) throws -> MessageID? {
        guard trust.maySend(to: member.id), outbox.noteCount < ChatLimits.noteCount else { return nil }
        try meet(member, in: &transaction)
        let content = MessageContent.note(note, at: transaction.time)
        let id = MessageContent.id(of: content, from: ownID, to: member.id)
        guard outbox[id] == nil else { return id }
        queue(id, content, to: member.id, isNote: true, in: &transaction)
        try sealWaiting(for: member.id, in: &transaction)
        return id
    }

    /// Notes an identity that a log names, so that something can be sent to it.
    mutating func meet(_ identity: PublicIdentity, in transaction: inout ChatTransaction) throws {
        guard identity.id != ownID, trust[identity.id] == nil else { return }
        try settle(trust.meet(identity, at: transaction.time.seconds), in: &transaction)
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
    mutating func isEarly(_ note: GroupNote, from sender: PeerID, in transaction: ChatTransaction) -> Bool {
        guard trust.mayReceive(from: sender), isAheadOfUs(note, from: sender, in: transaction) else { return false }
        groups.hasUnopened = true
        return true
    }

    private mutating func isAheadOfUs(
        _ note: GroupNote,
        from sender: PeerID,
        in transaction: ChatTransaction
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
        let later = transaction.time.monotonic.advanced(by: ChatLimits.groupAskPause)
        groups.states[group]?.want(needed, from: sender, at: later)
        doubt(group)
        return true
    }

    /// Takes a note from a session with its sender.
    mutating func take(
        _ note: GroupNote,
        _ preimage: ReleasePreimage?,
        from sender: PeerID,
        in transaction: inout ChatTransaction
    ) throws {
        if case .welcome(let welcome) = note {
            return try receive(welcome, preimage, from: sender, in: &transaction)
        }
        if case .operations(let group, let updates, let bare) = note {
            let all = bare.map(GroupUpdate.init(keyless:)) + updates
            let inOrder = all.sorted { $0.operation.epoch < $1.operation.epoch }
            return try receive(inOrder, of: group, from: sender, in: &transaction)
        }
        if case .request(let group, let epoch) = note {
            return try answerRequest(of: group, from: epoch, by: sender, in: &transaction)
        }
        if case .leave = note, room?.isAtDoor(sender) == true {
            return receiveWordAtDoor(of: sender, in: &transaction)
        }
        guard let session = groups.membership(note.group), let member = session.log.member(sender) else { return }
        switch note {
        case .senderKey(let key, let history):
            try receive(key, history, from: member, in: &transaction)
        case .leave: try receiveLeave(of: member, in: note.group, in: &transaction)
        case .wantsOwnerKey:
            guard session.log.owner == sender, !session.isOwner else { return }
            let key = room == nil ? GroupOwnerKey() : GroupOwnerKey(of: sessions.identity)
            let offer = groups.table.update(note.group) { $0.offerOwnership(with: key) }
            guard let offer else { return }
            records.write(offer.change, in: &transaction)
            try send(.ownerKey(note.group, offer.publicKey), to: member.identity, in: &transaction)
        case .ownerKey(_, let key):
            guard session.isOwner, groups.states[note.group]?.record.handover.elementsEqual(sender.bytes) == true
            else { return }
            // Once the owner is sure, it asks for the key once more.
            guard isSure(of: note.group) else { return try confirm(note.group, in: &transaction) }
            groups.states[note.group]?.record.handover = .bytes([])
            try performIfPossible([.handover(sender, signingKey: key)], in: note.group, in: &transaction)
        case .history(let group, .request(let cursor)): takeRequest(cursor, of: group, from: sender)
        case .history(let group, .page(let page)): try take(page, of: group, from: sender, in: &transaction)
        case .bundles(_, let bundles):
            try receive(bundles, from: sender, owner: session.log.owner, in: &transaction)
        case .welcome, .operations, .request: break
        }
    }

    private mutating func receive(
        _ key: SenderKeyMessage,
        _ history: [UInt8],
        from member: GroupMember,
        in transaction: inout ChatTransaction
    ) throws {
        guard let session = groups.membership(key.groupID), key.epoch <= session.log.epoch else { return }
        let own = session.log.operations[Int(key.epoch) - 1]
        guard own.hash.starts(with: history) else {
            // The two have been told different histories: what this one was told proves it to the other.
            try send(.operations(key.groupID, updates: [], bare: [own]), to: member.identity, in: &transaction)
            return
        }
        let accepted = groups.table.update(key.groupID) {
            $0.accept(key, from: member.identity.id, at: transaction.time.seconds)
        }
        guard let accepted else { return }
        records.write(accepted.change, in: &transaction)
        if accepted.outcome == .accepted { recallSoon(in: transaction) }
    }

    private mutating func receiveLeave(
        of member: GroupMember,
        in group: GroupID,
        in transaction: inout ChatTransaction
    ) throws {
        let peer = member.identity.id
        let change = groups.table.update(group) { $0.noteLeaving(peer) }
        guard let change, !change.isEmpty else { return }
        records.write(change, in: &transaction)
        try forgetRecipient(peer, of: group, in: &transaction)
        try dropNotes(to: peer, of: group, in: &transaction)
        forgetNewcomer(peer, of: group, in: &transaction)
        transaction.perform(.tell(.group(group, .left(peer))))
        if groups.table[group]?.isOwner == true {
            try performIfPossible([.letGo(peer)], in: group, in: &transaction)
        }
    }

    /// Takes back what has not reached somebody who is out of a group now.
    mutating func dropNotes(
        to peer: PeerID,
        of group: GroupID,
        in transaction: inout ChatTransaction
    ) throws {
        for entry in outbox.inOrder where entry.isNote && entry.peer == peer {
            guard let record = try transaction.message(.outbox, entry.id.bytes, as: ProtoOutboxRecord.self),
                let content = MessageContent.decode([UInt8](record.content)), let note = groupNote(in: content),
                note.group == group
            else { continue }
            switch note {
            case .operations(_, let updates, _) where updates.isEmpty: continue
            case .senderKey, .operations, .welcome, .history:
                outbox.remove(entry.id)
                transaction.delete(.outbox, entry.id.bytes)
            case .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: continue
            }
        }
    }

    /// Hands one's sender key to a member.
    mutating func send(
        _ key: SenderKeyMessage,
        of session: GroupSession,
        to member: PublicIdentity,
        in transaction: inout ChatTransaction
    ) throws {
        let history = session.log.operations[Int(key.epoch) - 1].hash.prefix(GroupNote.historyByteCount)
        try send(.senderKey(key, history: Array(history)), to: member, in: &transaction)
    }

    /// Plans to try once more what the mesh holds, now that keys have come.
    mutating func recallSoon(in transaction: ChatTransaction) {
        groups.recall(at: transaction.time.monotonic.advanced(by: ChatLimits.recallDelay))
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
