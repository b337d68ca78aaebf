import ChatCrypto

extension IdentityHistory {
    /// Returns the mailboxes of the sessions of one of the identities with a peer, first that to which mail is written.
    func mailboxes(of generation: UInt32, with peer: PeerID) -> [Mailboxes] {
        sessions(of: generation).mailboxes(of: peer)
    }

    /// The mailboxes of all sessions, those of the peers that wrote last first.
    var mailboxes: [Mailboxes] {
        ([sessions] + formers.map(\.sessions)).flatMap { table in table.peerIDs.flatMap { table.mailboxes(of: $0) } }
    }
}
