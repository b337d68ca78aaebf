import ChatCrypto
import MeshCore

/// The control messages that members of groups send each other over their sessions.
extension Membership {
    /// Whether a control message is worth a session with an unknown peer: it comes from a member of a common group, or
    /// invites this node.
    func isWorthSession(_ control: ControlMessage, from sender: PeerID, among sources: some MembershipSources) -> Bool {
        if case .welcome(let welcome) = control {
            return isInvitation(welcome, from: sender, among: sources) || isContinuation(welcome, from: sender)
        }
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
        let group = control.group
        switch control {
        case .welcome, .bundles, .history: return false
        case .leave where sources.isApplicant(sender): return false
        default: break
        }
        guard let session = membership(group) else {
            guard let state = states[group] else { return true }
            // A member's message may overtake the welcome by which this node becomes a member, or one again.
            guard let welcome = state.welcome else {
                return control.lastEpoch ?? 0 > table[group]?.log.epoch ?? state.refused
            }
            guard case .part(_, let part) = control else { return true }
            guard state.inviter == sender else { return true }
            return state.isRequest || part.epoch > welcome.epoch
        }
        guard session.log.member(sender) != nil, session.log.fork == nil else { return false }
        switch control {
        case .operations(_, let operations):
            let known = states[group]?.missing.epoch
            guard isBeyond((control.firstEpoch ?? 1) - 1, session.log, from: sender, among: sources) else {
                return false
            }
            // The message is looked at again whenever keys arrive.
            if let later = operations.first, states[group]?.missing.epoch != known {
                note(later, of: group, from: sender, among: sources)
            }
            return true
        // The leaf of the next operation is kept until this is here; of later ones the message is.
        case .leaf(_, let leaf): return isBeyond(leaf.epoch - 1, session.log, from: sender, among: sources)
        case .proposal(_, let proposal): return mustWait(proposal, from: sender, in: session, among: sources)
        case .part(_, let part) where part.isOfSecrets:
            return isBeyond(part.epoch, session.log, from: sender, among: sources)
        case .part(_, let part):
            let isExpected = states[group].map { $0.inviter == sender && $0.welcome?.epoch == part.epoch } == true
            return part.epoch > session.log.epoch && !isExpected
        default: return false
        }
    }

    /// Whether an epoch is later than all that are here; the operations up to it are then requested.
    private mutating func isBeyond(
        _ epoch: UInt32,
        _ log: MembershipLog,
        from sender: PeerID,
        among sources: some MembershipSources
    ) -> Bool {
        guard epoch > log.epoch else { return false }
        want(epoch, of: log.groupID, from: sender, among: sources)
        return true
    }

    /// Notes an operation that cannot be applied before others are here.
    private mutating func note(
        _ later: GroupOperation,
        of group: GroupID,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        if let change = update(group, { $0.noteLater(later) }), !change.isEmpty { save(change) }
        guard let log = membership(group)?.log, !log.isSignedByOwner(later), let transfer = log.transfers.last,
            let member = log.member(sender), sources.inFlightCount(to: sender) < ChatLimits.controlsInFlightCount
        else { return }
        // A former owner may have led the sender into a history of its own: the handover proves that to it.
        send(.operations(group, [transfer]), to: member.identity)
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
        case .operations(let group, let operations): receive(operations, of: group, from: sender, among: sources)
        case .request(let group, let request): answerRequest(of: group, request, by: sender, among: sources)
        case .part(let group, let part): receive(part, of: group, from: sender, among: sources)
        case .leaf, .leave, .wantsOwnerKey, .ownerKey, .proposal:
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
        case .leaf(let group, let leaf): receive(leaf, of: group, from: sender, among: sources)
        case .leave: receiveLeave(of: sender, from: session.id, among: sources)
        case .wantsOwnerKey:
            guard session.log.owner == sender, !session.isOwner else { return }
            let key = sources.isRoom ? GroupOwnerKey(of: sources.contacts.history.sessions.identity) : GroupOwnerKey()
            guard let offer = update(session.id, { $0.offerOwnership(with: key) }) else { return }
            save(offer.change)
            send(.ownerKey(session.id, offer.publicKey), to: member.identity)
        case .ownerKey(_, let key):
            receiveKey(key, of: sender, in: session, among: sources)
        case .proposal(_, let proposal): receive(proposal, from: sender, in: session, among: sources)
        case .welcome, .operations, .part, .request, .bundles, .history: break
        }
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
        if table[group]?.isOwner == true { keep(group, among: sources) }
    }
}

extension ControlMessage {
    /// Whether it is worthless to a member that has left, and is therefore withdrawn.
    var endsWithMembership: Bool {
        switch self {
        case .welcome, .leaf, .part, .proposal, .history: true
        // The proof that a member was removed is for that member.
        case .operations, .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: false
        }
    }

    /// Packs operations into a control message, as many as fit; nil if there are none.
    static func ofOperations(_ operations: [GroupOperation], of group: GroupID) -> ControlMessage? {
        var byteCount = 0
        let fitting = operations.prefix(operationCount).prefix { operation in
            defer { byteCount += operation.bytes.count }
            return byteCount == 0 || byteCount + operation.bytes.count <= ChatLimits.operationsByteCount
        }
        return fitting.isEmpty ? nil : .operations(group, Array(fitting))
    }

    /// The highest epoch that it is about; nil if it is about none.
    fileprivate var lastEpoch: UInt32? {
        switch self {
        case .operations(_, let operations): operations.last?.epoch
        case .leaf(_, let leaf): leaf.epoch
        case .part(_, let part): part.epoch
        case .welcome, .leave, .request, .wantsOwnerKey, .ownerKey, .proposal, .bundles, .history: nil
        }
    }

    /// The lowest epoch among its operations; nil if it has none.
    fileprivate var firstEpoch: UInt32? {
        if case .operations(_, let operations) = self { operations.first?.epoch } else { nil }
    }
}
