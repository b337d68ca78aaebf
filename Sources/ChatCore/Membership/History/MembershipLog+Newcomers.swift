package import ChatCrypto

extension MembershipLog {
    /// Returns the join epoch of a member, and the earlier messages that it may be given; nil for a peer that is no
    /// member.
    ///
    /// Both the policy at joining and the present one count: a member gets nothing that was not promised, or that the
    /// group does not give any more.
    func entrance(of peer: PeerID) -> (epoch: UInt32, history: GroupPolicy.History)? {
        guard member(peer) != nil else { return nil }
        var policy = GroupPolicy.standard
        var entrance: (epoch: UInt32, policy: GroupPolicy)?
        for operation in operations {
            switch operation.action {
            case .policy(let next): policy = next
            case .add(let member) where member.identity.id == peer: entrance = (operation.epoch, policy)
            case .add, .remove, .letGo, .rename, .handover, .renew: break
            }
        }
        guard let entrance else { return nil }
        let isEphemeral = entrance.policy.isEphemeral || policy.isEphemeral
        return (entrance.epoch, isEphemeral ? .none : min(entrance.policy.history, policy.history))
    }

    /// Whether a peer was a member during an epoch, and could open messages that were sealed in it.
    func wasIn(_ peer: PeerID, in epoch: UInt32) -> Bool {
        var isIn = false
        for operation in operations.prefix(while: { $0.epoch <= epoch }) {
            switch operation.action {
            case .add(let member) where member.identity.id == peer: isIn = true
            case .remove(peer), .letGo(peer): isIn = false
            case .add, .remove, .letGo, .policy, .rename, .handover, .renew: break
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
