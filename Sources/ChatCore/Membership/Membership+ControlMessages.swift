import ChatCrypto
import MeshCore

/// The control messages that members of groups send each other over their sessions.
extension Membership {
    /// Whether a control message is worth a session with an unknown peer: it comes from a member of a common group, or
    /// invites this node.
    func isWorthSession(_ control: ControlMessage, from sender: PeerID, among sources: some MembershipSources) -> Bool {
        if case .welcome(let welcome) = control { return isInvitation(welcome, from: sender, among: sources) }
        return isGroupMember(sender) || sources.isApplicant(sender)
    }

    /// Whether a control message needs something that has not arrived yet; it is left unopened and tried again later.
    mutating func isEarly(_ control: ControlMessage, from sender: PeerID, among sources: some MembershipSources) -> Bool
    {
        guard sources.contacts.trust.mayReceive(from: sender), isAhead(control, from: sender, among: sources) else {
            return false
        }
        noteUnopened()
        return true
    }

    private mutating func isAhead(
        _ control: ControlMessage,
        from sender: PeerID,
        among sources: some MembershipSources
    ) -> Bool {
        if case .welcome = control { return false }
        if case .leave = control, sources.isApplicant(sender) { return false }
        let group = control.group
        guard let session = membership(group) else {
            guard let state = states[group] else { return true }
            guard let welcome = state.welcome else {
                // A removed member may be a member again, with the welcome still in transit.
                return control.lastEpoch ?? 0 > table[group]?.log.epoch ?? state.refused
            }
            guard !state.isRequest, let first = control.firstEpoch else { return true }
            return first > welcome.log.epoch + 1
        }
        guard session.log.member(sender) != nil else {
            // New members may write before this node knows that they have joined.
            guard case .senderKey(let key, _) = control else { return false }
            return key.epoch > session.log.epoch && session.log.fork == nil
        }
        let needed: UInt32
        switch control {
        case .senderKey(let key, _): needed = key.epoch
        case .operations: needed = (control.firstEpoch ?? 1) - 1
        case .welcome, .leave, .request, .wantsOwnerKey, .ownerKey, .bundles, .history: return false
        }
        guard needed > session.log.epoch, session.log.fork == nil else { return false }
        let later = sources.time.monotonic.advanced(by: ChatLimits.groupAskPause)
        change(group) { state in
            state.missing.want(needed, from: sender, at: later)
            if session.isOwner { state.stateCheck.raise() }
        }
        return true
    }

    /// Handles a control message from a session with its sender.
    mutating func receive(
        _ control: ControlMessage,
        _ deliveryProof: DeliveryProof?,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        switch control {
        case .welcome(let welcome): receive(welcome, deliveryProof, from: sender, among: sources)
        case .operations(let group, let updates, let bare):
            let all = bare.map(GroupUpdate.init(keyless:)) + updates
            let inOrder = all.sorted { $0.operation.epoch < $1.operation.epoch }
            receive(inOrder, of: group, from: sender, among: sources)
        case .request(let group, let epoch): answerRequest(of: group, from: epoch, by: sender, among: sources)
        case .senderKey, .leave, .wantsOwnerKey, .ownerKey:
            guard let session = membership(control.group), let member = session.log.member(sender) else { return }
            receive(control, from: member, in: session, among: sources)
        case .bundles, .history: break
        }
    }

    private mutating func receive(
        _ control: ControlMessage,
        from member: GroupMember,
        in session: GroupSession,
        among sources: some MembershipSources
    ) {
        let sender = member.identity.id
        switch control {
        case .senderKey(let key, let history):
            receive(key, history, from: member, among: sources)
        case .leave: receiveLeave(of: sender, from: session.id, among: sources)
        case .wantsOwnerKey:
            guard session.log.owner == sender, !session.isOwner else { return }
            let key = sources.isRoom ? GroupOwnerKey(of: sources.contacts.history.sessions.identity) : GroupOwnerKey()
            guard let offer = update(session.id, { $0.offerOwnership(with: key) }) else { return }
            save(offer.change)
            send(.ownerKey(session.id, offer.publicKey), to: member.identity)
        case .ownerKey(_, let key):
            guard session.isOwner, states[session.id]?.handover == sender else { return }
            // Once the owner is sure, it requests the key again.
            guard isSure(of: session.id, among: sources) else { return confirm(session.id, among: sources) }
            change(session.id) { $0.handover = nil }
            performIfPossible([.handover(sender, signingKey: key)], in: session.id, among: sources)
        case .welcome, .operations, .request, .bundles, .history: break
        }
    }

    private mutating func receive(
        _ key: SenderKeyMessage,
        _ history: [UInt8],
        from member: GroupMember,
        among sources: some MembershipSources
    ) {
        guard let session = membership(key.groupID), key.epoch <= session.log.epoch else { return }
        let own = session.log.operations[Int(key.epoch) - 1]
        guard own.hash.starts(with: history) else {
            // The two members have received different histories: this node's operation proves it to the other.
            return send(.operations(key.groupID, updates: [], bare: [own]), to: member.identity)
        }
        let now = sources.time.seconds
        let accepted = update(key.groupID) { $0.accept(key, from: member.identity.id, at: now) }
        guard let accepted else { return }
        save(accepted.change)
        if accepted.outcome == .accepted { recallSoon(at: sources.time.monotonic) }
    }

    private mutating func receiveLeave(
        of peer: PeerID,
        from group: GroupID,
        among sources: some MembershipSources
    ) {
        guard let change = update(group, { $0.noteLeaving(peer) }), !change.isEmpty else { return }
        save(change)
        emit(.dropped(peer, group))
        emit(.event(.left(peer), group))
        if table[group]?.isOwner == true { performIfPossible([.removeLeaver(peer)], in: group, among: sources) }
    }
}

extension ControlMessage {
    /// Whether it is worthless to a member that has left, and is therefore withdrawn.
    var endsWithMembership: Bool {
        switch self {
        // The proof that a member was removed is for that member only.
        case .operations(_, let updates, _): !updates.isEmpty
        case .senderKey, .welcome, .history: true
        case .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: false
        }
    }

    /// Packs operations into control messages, as many into one as fit.
    static func controlMessages(_ updates: [GroupUpdate], bare: [GroupOperation], of group: GroupID) -> [ControlMessage]
    {
        var controlMessages: [ControlMessage] = []
        var next: (updates: [GroupUpdate], bare: [GroupOperation], byteCount: Int) = ([], [], 0)
        func finish() {
            guard !next.updates.isEmpty || !next.bare.isEmpty else { return }
            controlMessages.append(.operations(group, updates: next.updates, bare: next.bare))
            next = ([], [], 0)
        }
        func makeRoom(for operation: GroupOperation) {
            let count = next.updates.count + next.bare.count
            let isFull = next.byteCount + operation.bytes.count > ChatLimits.operationsByteCount
            if isFull || count >= operationCount { finish() }
            next.byteCount += operation.bytes.count
        }
        for operation in bare {
            makeRoom(for: operation)
            next.bare.append(operation)
        }
        for update in updates {
            makeRoom(for: update.operation)
            next.updates.append(update)
        }
        finish()
        return controlMessages
    }

    /// The epoch of its key, or the highest of its operations; nil if it has neither.
    fileprivate var lastEpoch: UInt32? {
        switch self {
        case .senderKey(let key, _): key.epoch
        case .operations(_, let updates, let bare): (updates.map(\.operation.epoch) + bare.map(\.epoch)).max()
        case .welcome, .leave, .request, .wantsOwnerKey, .ownerKey, .bundles, .history: nil
        }
    }

    /// The lowest epoch among its operations; nil if it has none.
    fileprivate var firstEpoch: UInt32? {
        guard case .operations(_, let updates, let bare) = self else { return nil }
        return (updates.map(\.operation.epoch) + bare.map(\.epoch)).min()
    }
}
