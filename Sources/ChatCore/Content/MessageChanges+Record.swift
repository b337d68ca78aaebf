import ChatCrypto
import SwiftProtobuf

extension MessageChanges {
    /// Restores the stored changes; unreadable ones are left out.
    package init(_ record: ProtoChangesRecord) {
        var edits = EditHistory()
        for edit in record.edits {
            guard let id = MessageID(bytes: edit.id), let mentions = Mention.checked(edit.mentions, in: edit.text)
            else { continue }
            let revision = Revision(edit.revision, id)
            edits.insert(.init(edit.text, mentions: mentions, sentAt: edit.sentAt, revision))
        }
        var reactions = ReactionSet()
        for reaction in record.reactions {
            guard let id = MessageID(bytes: reaction.id), let member = PeerID(bytes: reaction.member) else { continue }
            let revision = Revision(reaction.revision, id)
            reactions.insert(.init(reaction.emoji, isOn: !reaction.removed, revision), by: member)
        }
        var ballots = Ballots()
        for vote in record.votes {
            guard let id = MessageID(bytes: vote.id), let member = PeerID(bytes: vote.member) else { continue }
            ballots.insert(.init(vote.options, Revision(vote.revision, id)), by: member)
        }
        if let close = MessageID(bytes: record.close) {
            ballots.end(.init(close, counting: Set(record.counted.compactMap { MessageID(bytes: $0) })))
        }
        self.init(edits: edits, reactions: reactions, ballots: ballots)
    }

    /// The changes as the store keeps them, except a deletion, which leaves nothing of them.
    package var record: ProtoChangesRecord {
        var record = ProtoChangesRecord()
        record.edits = edits.edits.map { edit in
            var stored = ProtoEditRecord()
            stored.id = .bytes(edit.revision.id.bytes)
            stored.revision = edit.revision.number
            stored.sentAt = edit.sentAt
            stored.text = edit.text
            stored.mentions = edit.mentions.map(\.encoded)
            return stored
        }
        for member in reactions.byMember.keys.sorted() {
            record.reactions += (reactions.byMember[member] ?? []).map { reaction in
                var stored = ProtoReactionRecord()
                stored.member = .bytes(member.bytes)
                stored.emoji = reaction.emoji
                stored.removed = !reaction.isOn
                stored.id = .bytes(reaction.revision.id.bytes)
                stored.revision = reaction.revision.number
                return stored
            }
        }
        for member in ballots.byMember.keys.sorted() {
            record.votes += (ballots.byMember[member] ?? []).map { vote in
                var stored = ProtoVoteRecord()
                stored.member = .bytes(member.bytes)
                stored.options = vote.choice
                stored.id = .bytes(vote.revision.id.bytes)
                stored.revision = vote.revision.number
                return stored
            }
        }
        if let close = ballots.close {
            record.close = .bytes(close.id.bytes)
            record.counted = close.counted.sorted().map { .bytes($0.bytes) }
        }
        return record
    }
}
