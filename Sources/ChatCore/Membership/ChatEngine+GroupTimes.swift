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
                contacts.restore(member.identity, at: step.time.seconds)
            }
            if groups.states[group] == nil { groups.states[group] = GroupState(group) }
        }
        for group in groups.states.keys { conversations.restore(conversationID(of: group)) }
        try restoreHistory()
    }

    /// Looks for what came while the node was not running.
    mutating func beginGroups() throws {
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

    /// Drops what has expired, and does what owners do without being asked.
    mutating func keepGroups() throws {
        let time = step.time
        records.write(groups.table.expire(at: time.seconds), in: &step)
        expireAnswers()
        for group in groups.table.groupIDs.sorted() where !isStepFull {
            guard let session = groups.table[group], session.isOwner else { continue }
            if !session.leavers.isEmpty {
                try performIfPossible(session.leavers.map { .letGo($0) }, in: group)
            } else if session.wantsRenewal(at: time.seconds) {
                try performIfPossible([.renew], in: group)
            }
        }
    }
}
