package import ChatCrypto
import MeshCore

/// What all contacts are told of an identity: by the outbox, so that it reaches those who are away too.
extension ChatEngine {
    /// The contacts who are told, in the order of their ids; who is `changed` once something may be sent to it.
    var contactsToTell: [PeerID] {
        let contacts = trust.all.filter { contact in
            switch contact.state {
            case .tofu, .verified, .changed: contact.retiredAt == nil
            case .unknown, .revoked, .blocked: false
            }
        }
        return contacts.map(\.identity.id).sorted()
    }

    /// Plans to tell all contacts something, by one of the user's identities.
    mutating func announce(
        _ statement: IdentityStatement,
        as generation: UInt32
    ) {
        let content = MessageContent.statement(statement, at: step.time.wall)
        standing.announcements.append(Standing.Announcement(content: content, generation: generation))
    }

    /// Puts what contacts are to be told into the outbox, as much as a step may; the next goes on.
    mutating func tellContacts() throws {
        guard !standing.announcements.isEmpty else { return }
        while let next = standing.announcements.first {
            let sender = id(of: next.generation)
            for peer in contactsToTell where next.toldUpTo.map({ $0 < peer }) ?? true {
                guard !step.isFull, outbox.noteCount < ChatLimits.noteCount else {
                    putStanding()
                    if step.isFull { nextHousekeeping = step.time.monotonic }
                    return
                }
                let id = MessageContent.id(of: next.content, from: sender, to: peer)
                queue(id, next.content, to: peer, isNote: true, as: next.generation)
                standing.announcements[0].toldUpTo = peer
                try sealWaiting(for: peer)
            }
            standing.announcements.removeFirst()
        }
        putStanding()
    }

    // MARK: - Revoking

    /// The certificate that revokes the present identity, to be kept where a thief of this home does not get it.
    package var revocationCertificate: RevocationCertificate { RevocationCertificate(of: sessions.identity) }

    /// Revokes an identity and tells all contacts.
    ///
    /// - Parameter certificate: That of any identity; nil for this node's own.
    /// - Returns: Whose identity is revoked now.
    package mutating func revoke(
        by certificate: RevocationCertificate?
    ) throws -> PeerID {
        guard room == nil else { throw ChatError(.notFound, "The identity of a room goes with the room.") }
        try checkAnnouncements()
        let certificate = certificate ?? revocationCertificate
        try take(certificate)
        announce(.revocation(certificate.bytes), as: standing.generation)
        try tellContacts()
        return certificate.identity.id
    }

    /// Refuses one more word to all contacts where too many are on their way.
    func checkAnnouncements() throws {
        guard standing.announcements.count < ChatLimits.announcementCount else {
            var error = ChatError(.limited, "Contacts are being told of others still: try again in a minute.")
            error.retryAfter = .seconds(60)
            throw error
        }
    }

    /// Takes a certificate that is valid, whoever brought it.
    mutating func take(_ certificate: RevocationCertificate) throws {
        let id = certificate.identity.id
        if id == ownID {
            guard !standing.isRevoked else { return }
            standing.isRevoked = true
            putStanding()
            step.perform(.tell(.trust(.revoked(id))))
            try failIfRevoked()
        } else if let index = standing.formers.firstIndex(where: { $0.id == id }) {
            // Whoever has its keys could be who writes to it.
            standing.formers[index].retiredAt = 0
            put(standing.formers[index])
            try destroy(standing.formers[index].generation)
        } else {
            try settle(trust.apply(certificate, at: step.time.seconds))
        }
    }

    /// Ends what people wrote under an identity that is revoked, as much as a step may; the next goes on.
    mutating func failIfRevoked() throws {
        guard standing.isRevoked else { return }
        for entry in outbox.inOrder where entry.isMessage && entry.generation == standing.generation {
            guard !step.isFull else {
                nextHousekeeping = step.time.monotonic
                return
            }
            try fail(entry, .refusedByTrust)
        }
    }
}
