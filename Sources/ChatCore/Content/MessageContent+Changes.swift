import ChatCrypto
import SwiftProtobuf

extension Poll {
    /// Reads a poll; nil if it exceeds a limit.
    init?(checking poll: ProtoPoll) {
        // Checked before the options are converted, because there may be thousands.
        guard ContentLimits.optionCounts.contains(poll.options.count) else { return nil }
        self.init(
            poll.question,
            options: poll.options,
            allowsSeveral: poll.multiple,
            allowsChange: poll.mayChange
        )
        guard isValid else { return nil }
    }

    var encoded: ProtoPoll {
        var poll = ProtoPoll()
        poll.question = question
        poll.options = options
        poll.multiple = allowsSeveral
        poll.mayChange = allowsChange
        return poll
    }
}

extension MessageChange {
    /// Reads a change and its target; nil if it exceeds a limit.
    static func checked(_ body: ProtoContent.OneOf_Body) -> (target: MessageID, change: MessageChange)? {
        switch body {
        case .reaction(let reaction):
            guard let target = MessageID(bytes: reaction.target), Emoji.isPlausible(reaction.emoji),
                reaction.revision > 0
            else { return nil }
            return (target, .react(reaction.emoji, isOn: !reaction.removed, number: reaction.revision))
        case .edit(let edit):
            guard let target = MessageID(bytes: edit.target), edit.revision > 0,
                (1...ChatLimits.textByteCount).contains(edit.text.utf8.count),
                let mentions = Mention.checked(edit.mentions, in: edit.text)
            else { return nil }
            return (target, .edit(edit.text, mentions: mentions, number: edit.revision))
        case .deletion(let deletion):
            return MessageID(bytes: deletion.target).map { ($0, .delete) }
        case .vote(let vote):
            guard let target = MessageID(bytes: vote.target),
                (1...UInt32(ContentLimits.voteCount)).contains(vote.revision)
            else { return nil }
            return (target, .vote(vote.options, number: vote.revision))
        case .pollClose(let close):
            let votes = close.votes.prefix(ContentLimits.countedCount + 1).compactMap { MessageID(bytes: $0) }
            guard let target = MessageID(bytes: close.target), votes.count == close.votes.count,
                votes.count <= ContentLimits.countedCount
            else { return nil }
            return (target, .close(counting: votes))
        case .text, .receipt, .poll, .timer, .groupNote, .rotation, .revocation: return nil
        }
    }

    /// Encodes the change for a content.
    func encoded(target: MessageID) -> ProtoContent.OneOf_Body {
        switch self {
        case .react(let emoji, let isOn, let number):
            var reaction = ProtoReaction()
            reaction.target = .bytes(target.bytes)
            reaction.emoji = emoji
            reaction.removed = !isOn
            reaction.revision = number
            return .reaction(reaction)
        case .edit(let text, let mentions, let number):
            var edit = ProtoEdit()
            edit.target = .bytes(target.bytes)
            edit.text = text
            edit.mentions = mentions.map(\.encoded)
            edit.revision = number
            return .edit(edit)
        case .delete:
            var deletion = ProtoDeletion()
            deletion.target = .bytes(target.bytes)
            return .deletion(deletion)
        case .vote(let choice, let number):
            var vote = ProtoVote()
            vote.target = .bytes(target.bytes)
            vote.options = choice
            vote.revision = number
            return .vote(vote)
        case .close(let counted):
            var close = ProtoPollClose()
            close.target = .bytes(target.bytes)
            close.votes = counted.map { .bytes($0.bytes) }
            return .pollClose(close)
        }
    }
}
