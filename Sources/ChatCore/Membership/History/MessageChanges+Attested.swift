import ChatCrypto

extension MessageChanges {
    /// Returns this state above the changes that others only attest.
    ///
    /// Of each member's attested changes, those are left out that have the number of the first one opened here or a
    /// higher one: the member's own changes for them arrive, or have arrived. An attestation therefore never replaces
    /// the member's own change, and once that has arrived, the result is the state of the members who were present all
    /// the time.
    func above(_ attested: MessageChanges) -> MessageChanges {
        guard !isDeleted, !attested.isEmpty else { return self }
        var edits = EditHistory()
        let firstEdit = self.edits.edits.first?.revision.number ?? .max
        for edit in attested.edits.edits where edit.revision.number < firstEdit { edits.insert(edit) }
        var reactions = ReactionSet()
        for (member, theirs) in attested.reactions.byMember {
            let first = self.reactions.byMember[member]?.map(\.revision.number).min() ?? .max
            for reaction in theirs where reaction.revision.number < first { reactions.insert(reaction, by: member) }
        }
        var ballots = Ballots()
        for (member, theirs) in attested.ballots.byMember {
            let first = self.ballots.byMember[member]?.first?.revision.number ?? .max
            for vote in theirs where vote.revision.number < first { ballots.insert(vote, by: member) }
        }
        if self.ballots.close == nil, let close = attested.ballots.close { ballots.end(close) }
        var whole = MessageChanges(edits: edits, reactions: reactions, ballots: ballots)
        whole.merge(self)
        return whole
    }
}
