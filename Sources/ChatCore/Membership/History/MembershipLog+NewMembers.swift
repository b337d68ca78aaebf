package import ChatCrypto

extension MembershipLog {
    /// Returns the join epoch of a member, and the earlier messages that it may be given; nil for a peer that is no
    /// member.
    ///
    /// Both the policy at joining and the present one count: a member gets nothing that was not promised, or that the
    /// group does not give any more.
    func joinEpoch(of peer: PeerID) -> (epoch: UInt32, history: GroupPolicy.History)? {
        guard member(peer) != nil else { return nil }
        var policy = GroupPolicy.standard
        var joining: (epoch: UInt32, policy: GroupPolicy)?
        for operation in operations {
            switch operation.action {
            case .policy(let next): policy = next
            case .add(let member) where member.identity.id == peer: joining = (operation.epoch, policy)
            case .add, .remove, .removeLeaver, .rename, .handover, .renew: break
            }
        }
        guard let joining else { return nil }
        let isEphemeral = joining.policy.isEphemeral || policy.isEphemeral
        return (joining.epoch, isEphemeral ? .none : min(joining.policy.history, policy.history))
    }

    /// Whether a peer was a member during an epoch, and could open messages that were sealed in it.
    func wasIn(_ peer: PeerID, in epoch: UInt32) -> Bool {
        var isIn = false
        for operation in operations.prefix(while: { $0.epoch <= epoch }) {
            switch operation.action {
            case .add(let member) where member.identity.id == peer: isIn = true
            case .remove(peer), .removeLeaver(peer): isIn = false
            case .add, .remove, .removeLeaver, .policy, .rename, .handover, .renew: break
            }
        }
        return isIn
    }

    /// All present and former members.
    package var everybody: Set<PeerID> {
        Set(
            operations.compactMap { operation in
                guard case .add(let member) = operation.action else { return nil }
                return member.identity.id
            }
        )
    }
}
