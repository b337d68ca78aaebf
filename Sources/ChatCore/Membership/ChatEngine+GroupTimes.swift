import ChatCrypto
import MeshCore
import SwiftProtobuf

/// What groups do when time has passed, and when a node starts.
extension ChatEngine {
    /// Takes up what the store holds of groups.
    mutating func restoreGroups(_ stored: [StoredRecord]) throws {
        groups.table = try GroupTable.restore(stored)
        for record in try step.records(.groups, as: ProtoGroupRecord.self) {
            guard let group = GroupID(bytes: record.id)
            else { continue }
            var state = GroupState(restoring: record)
            if !record.welcome.isEmpty {
                let secret = records.open([UInt8](record.welcome), named: Self.welcomeName(group))
                state.welcome = try secret.map { secret throws(CryptoError) in try GroupWelcome(decoding: secret) }
            }
            groups.states[group] = state
        }
        for group in groups.table.groupIDs {
            // Members whom nobody else knows are in no other record.
            for member in groups.membership(group)?.recipients ?? [] {
                _ = trust.meet(member.identity, at: step.time.seconds)
            }
            if groups.states[group] == nil { groups.states[group] = GroupState(group) }
        }
        try restorePosts()
        try restoreHistory()
        for record in try step.records(.owed, as: ProtoOwedRecord.self) {
            guard !record.group.isEmpty,
                let id = MessageID(bytes: record.message), let peer = PeerID(bytes: record.peer),
                !blobs.isIncomplete(id)
            else { continue }
            groups.owed.owe(id, to: peer, at: step.time.monotonic)
        }
    }

    private mutating func restorePosts() throws {
        for record in try step.records(.outbox, as: ProtoOutboxRecord.self) {
            guard let id = MessageID(bytes: record.id),
                let group = GroupID(bytes: record.group)
            else { continue }
            let message = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self)
            groups.posts.add(
                GroupPosts.Post(
                    id: id,
                    group: group,
                    envelope: Self.envelopeID(.sealed, [UInt8](record.body)),
                    createdAt: record.createdAt.bounded,
                    spreadAt: record.sealedAt.bounded,
                    tries: record.tries.bounded,
                    status: DeliveryStatus(rank: Int(message?.status ?? 0), failure: "")
                )
            )
        }
    }

    /// Spreads what was on its way when the node stopped, and looks for what came meanwhile.
    mutating func beginGroups() throws {
        for post in groups.posts.inOrder where !step.isFull { try spread(post) }
        guard !groups.states.isEmpty else { return }
        groups.hasUnopened = true
        recallSoon()
        for group in groups.states.keys.sorted() where groups.states[group]?.record.request == false {
            try joinIfWhole(group)
        }
        // The host of a room waits for no answer, so it asks before anybody knocks.
        if let id = room?.id, groups.membership(id)?.isOwner == true { try askMembers(of: id) }
    }

    /// Does what has come due.
    mutating func tickGroups() throws {
        let now = step.time.monotonic
        for peer in groups.owed.duePeers(at: now) where !step.isFull {
            try sendGroupReceipts(to: peer)
        }
        if groups.recallAt <= now {
            step.perform(.recallSealed(withNotes: groups.recallsNotes))
            groups.recallAt = .distantFuture
            if groups.recallsNotes { groups.hasUnopened = false }
            groups.recallsNotes = false
        }
        try askForOperations()
        try endDoubts()
        try tickGroupHistory()
    }

    /// Spreads again what not everybody has, drops what has expired, and does what owners do without being asked.
    mutating func keepGroups() throws {
        let time = step.time
        records.write(groups.table.expire(at: time.seconds), in: &step)
        expireAnswers()
        for post in groups.posts.inOrder where !step.isFull {
            if time.wall - min(time.wall, post.createdAt) >= ChatLimits.outboxAge {
                try giveUp(post, .expired)
            } else if post.nextSpread <= time.wall {
                try spread(post)
            }
        }
        for group in groups.table.groupIDs.sorted() where !step.isFull {
            guard let session = groups.table[group], session.isOwner else { continue }
            if !session.leavers.isEmpty {
                try performIfPossible(session.leavers.map { .letGo($0) }, in: group)
            } else if session.wantsRenewal(at: time.seconds) {
                try performIfPossible([.renew], in: group)
            }
        }
    }
}
