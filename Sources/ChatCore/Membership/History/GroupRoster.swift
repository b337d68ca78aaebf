import ChatCrypto

/// The present and former members of a group, and the earlier messages that each may be given.
struct GroupRoster: Sendable {
    let log: MembershipLog
    let past: GroupPast

    /// Whether a peer is a member now.
    func isMember(_ peer: PeerID) -> Bool { log.table.slot(of: peer) != nil }

    /// Returns the join epoch of a member, and the earlier messages that it may be given; nil for a peer that is no
    /// member.
    ///
    /// Both the policy at joining and the present one count: a member gets nothing that was not promised, or that the
    /// group does not give any more.
    func joinEpoch(of peer: PeerID) -> (epoch: UInt32, history: GroupPolicy.History)? {
        guard let epoch = log.joinEpoch(of: peer) else { return nil }
        let present = log.policy
        guard let joining = past.policy(in: epoch), !joining.isEphemeral, !present.isEphemeral else {
            return (epoch, .none)
        }
        return (epoch, min(joining.history, present.history))
    }

    /// Whether a peer was a member during an epoch, and could open messages that were sealed in it.
    func wasIn(_ peer: PeerID, in epoch: UInt32) -> Bool {
        if let joined = log.joinEpoch(of: peer), joined <= epoch { return true }
        return past.former.contains { $0.peer == peer && $0.joined <= epoch && epoch < $0.left }
    }

    /// All present members, and the former ones that are remembered.
    var everybody: Set<PeerID> { Set(log.members.map(\.identity.id)).union(past.former.map(\.peer)) }
}

extension MembershipLog {
    /// The members in the order in which they joined.
    var membersInOrder: [GroupMember] {
        table.members.sorted { ($0.entry.epoch, $0.slot) < ($1.entry.epoch, $1.slot) }.map(\.entry.member)
    }
}
