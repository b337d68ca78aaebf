import ChatCrypto
import MeshCore

/// The secrets of a member's path, and those of all nodes for a new owner.
extension Membership {
    /// Keeps an operation that this member cannot follow yet, and asks the owner for a welcome if nothing helps soon.
    mutating func wait(for operation: GroupOperation, of log: MembershipLog, among sources: some MembershipSources) {
        let later = sources.time.monotonic.advanced(by: ChatLimits.groupAskPause)
        change(log.groupID) { state in
            state.waiting = operation
            state.missing.wantPath(operation.epoch, from: log.owner, at: later)
        }
    }

    /// Handles the fresh secret of this member's leaf, which the owner has sent.
    mutating func receive(
        _ leaf: LeafSecret,
        of group: GroupID,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        guard let log = membership(group)?.log, log.owner == sender, leaf.epoch > log.epoch else { return }
        change(group) { $0.leaf = leaf }
        touch(group)
        guard let operation = states[group]?.waiting, operation.epoch == leaf.epoch else {
            return want(leaf.epoch, of: group, from: sender, among: sources)
        }
        change(group) { $0.waiting = nil }
        apply([operation], of: group, among: sources)
    }

    /// Sends the secrets of all nodes to the new owner.
    mutating func handOver(_ secrets: SecretBytes, of group: GroupID) {
        guard let log = membership(group)?.log, let owner = log.owner.flatMap({ log.member($0) }) else { return }
        for part in GroupParts.split(secrets.exposedBytes, isOfSecrets: true, epoch: log.epoch) {
            send(.part(group, part), to: owner.identity)
        }
    }

    /// Sends a member the state that its welcome names.
    mutating func sendState(of session: GroupSession, to member: PublicIdentity) {
        guard let checkpoint = session.checkpoint else { return }
        for part in GroupParts.split(checkpoint.encoded(), isOfSecrets: false, epoch: session.log.epoch) {
            send(.part(session.id, part), to: member)
        }
    }

    /// Handles a part of a state, or of the secrets of all nodes.
    mutating func receive(
        _ part: GroupParts.Part,
        of group: GroupID,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        guard let state = states[group] else { return }
        let isExpected =
            part.isOfSecrets
            ? membership(group).map { $0.needsTree && $0.treeGiver == sender } == true
            : state.welcome?.digest != nil && state.welcome?.epoch == part.epoch && state.inviter == sender
        guard isExpected else { return }
        var whole: [UInt8]?
        change(group) { whole = $0.take(part, at: sources.time.monotonic) }
        guard let whole else { return }
        guard part.isOfSecrets else { return complete(group, with: whole, among: sources) }
        let taken = update(group) { try? $0.takeTree(SecretBytes(copying: whole), from: sender) }
        if let change = taken ?? nil { save(change) }
        emit(.runHousekeeping)
    }

    /// Continues with a welcome for the same member, who could not follow the operations.
    mutating func rejoin(
        _ welcome: GroupWelcome,
        _ checkpoint: GroupCheckpoint,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        let group = welcome.groupID
        guard let before = membership(group)?.log else { return }
        let log = checkpoint.log(at: sources.time.seconds)
        guard log.owner == sender else { return }
        let (now, known) = (sources.time.seconds, Set(before.members.map(\.identity.id)))
        let rejoined = update(group) { try? $0.rejoin(welcome, checkpoint: checkpoint, at: now) }
        guard let change = rejoined ?? nil else { return }
        save(change)
        self.change(group) { $0.noteRejoined(log, after: before) }
        let members = log.members.filter { $0.identity.id != sources.contacts.ownID }
        for member in members where !known.contains(member.identity.id) {
            emit(.meet(member.identity))
            emit(.event(.added(member.identity.id), group))
        }
        for peer in known.filter({ log.member($0) == nil }).sorted() {
            emit(.dropped(peer, group))
            emit(.event(.removed(peer), group))
        }
        if log.owner != before.owner, let owner = log.owner {
            emit(.event(.ownershipTransferred(to: owner), group))
            emit(.ownershipTransferred(group, to: owner))
        }
        if log.policy != before.policy { emit(.policy(log.policy, after: before.policy)) }
        if log.title != before.title, let title = log.title { emit(.event(.renamed(title.text), group)) }
        touch(group)
        noteUnopened()
        recallSoon(at: sources.time.monotonic)
    }
}
