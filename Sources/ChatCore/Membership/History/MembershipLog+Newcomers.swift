package import ChatCrypto

extension MembershipLog {
    /// In which epoch a member came, and what it may be given of what was said before.
    ///
    /// The policy of then and the one of now both count: nobody gets what was not promised, or is not meant to be given
    /// any more. Nil for who is not in.
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

    /// Whether somebody was in while an epoch lasted, and could open what was sealed in it.
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

    /// Everybody who is or was in.
    package var everybody: Set<PeerID> {
        Set(
            operations.compactMap { operation in
                guard case .add(let member) = operation.action else { return nil }
                return member.identity.id
            }
        )
    }
}
