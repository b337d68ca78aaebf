extension MembershipLog {
    /// Whether this log, which a checkpoint made, can continue the log that this node has: the proofs of a former owner,
    /// or of a former successor, lack transfers that the known log has, or use a right that it has not.
    ///
    /// The operations between both logs are unknown. So their members and settings are not compared.
    public func continues(_ known: MembershipLog) -> Bool {
        guard groupID == known.groupID, let last = kept.last?.operation, last.epoch >= known.epoch else { return false }
        if last.epoch == known.epoch, last.hash != known.hash { return false }
        if last.epoch == known.epoch.addingClamped(1), last.previousHash != known.hash { return false }
        let earlier = transfers.filter { $0.epoch <= known.epoch }.map(\.hash)
        // A later takeover may have used the right that the known log has.
        let granted = (known.transfers + [known.grant].compactMap { $0 }).sorted { $0.epoch < $1.epoch }.map(\.hash)
        guard earlier == known.transfers.map(\.hash) || earlier == granted else { return false }
        return grant.map { $0.epoch > known.epoch || $0.hash == known.grant?.hash } ?? true
    }
}
