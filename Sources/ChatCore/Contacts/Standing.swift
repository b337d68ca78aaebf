import ChatCrypto

/// Which identities the user has had, and what contacts are still to be told of them.
///
/// The session table of the present one is the engine's; those of its predecessors are here. Source: PROTOCOL §9.
package struct Standing: Sendable {
    /// A statement on its way to all contacts.
    struct Announcement: Sendable {
        /// The encoded content.
        let content: [UInt8]
        /// The identity that it is sealed by.
        let generation: UInt32
        /// The contact up to whom it is in the outbox, in the order of ids.
        var toldUpTo: PeerID?
    }

    /// How many identities the user had before this one.
    package var generation: UInt32 = 0
    /// Those that are received for still, the oldest first.
    var formers: [FormerIdentity] = []
    /// The ids of those the user had, the newest 64, the oldest first.
    var past: [PeerID] = []
    /// The counter of the last rotation.
    var rotationCounter: UInt32 = 0
    /// Whether the present one is revoked: nothing is written under it.
    package var isRevoked = false
    var announcements: [Announcement] = []
    /// How many statements of others were ignored, and why, since the node was made.
    package var ignored: [StatementRefusal: UInt64] = [:]

    /// Every identity that has sessions, the present one first.
    var generations: [UInt32] { [generation] + formers.reversed().map(\.generation) }

    /// How many identities are received for besides the present one.
    package var formerCount: Int { formers.count }

    /// As it is stored; the keys of former identities stand elsewhere.
    var record: ProtoStandingRecord {
        var record = ProtoStandingRecord()
        record.generation = generation
        record.formers = formers.map(\.generation)
        record.past = past.map { .bytes($0.bytes) }
        record.rotationCounter = rotationCounter
        record.revoked = isRevoked
        record.announcements = announcements.map { announcement in
            var record = ProtoAnnouncementRecord()
            record.content = .bytes(announcement.content)
            record.generation = announcement.generation
            record.toldUpTo = .bytes(announcement.toldUpTo?.bytes ?? [])
            return record
        }
        return record
    }
}

extension ProtoStandingRecord {
    /// What is told of, as it is stored.
    var announced: [Standing.Announcement] {
        announcements.map { record in
            Standing.Announcement(
                content: [UInt8](record.content),
                generation: record.generation,
                toldUpTo: PeerID(bytes: record.toldUpTo)
            )
        }
    }

    /// The ids of earlier identities.
    var pastIDs: [PeerID] { past.compactMap { PeerID(bytes: $0) } }
}
