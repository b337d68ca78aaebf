import Earshot
import EarshotRPC
import Foundation

/// The effects of changes to messages that were shown.
extension ChatState {
    /// Whether a message shows that the peer has accepted this user.
    static func isAnswer(_ message: MessageReply) -> Bool {
        !message.outgoing || message.status == "delivered" || message.status == "read"
    }

    /// Reports the differences from the message that was shown.
    mutating func change(to message: MessageReply, at now: Date) -> [ChatEffect] {
        if lastOwn?.id == message.id { lastOwn?.status = message.status }
        if message.conversation == place?.id, Self.isAnswer(message) { isAnswered = true }
        guard let number = numbered.number(of: message.id), let before = numbered[number] else { return [] }
        numbered.update(message)
        guard message.conversation == place?.id else { return [] }
        if message.deleted {
            guard !before.deleted else { return [] }
            lastHeading = nil
            let text = message.outgoing ? "deleted for everyone" : "deleted by \(name(of: message.from))"
            return [Self.note("Message \(number) is \(text).")]
        }
        var lines: [StyledLine] = []
        if message.text != before.text { lines += edited(message, number) }
        lines += reactions(from: before, to: message, number)
        if let poll = message.poll, poll != before.poll { lines += bars(poll, number, before.poll) }
        guard !lines.isEmpty else { return [] }
        lastHeading = nil
        return [.show(lines)]
    }

    private func edited(_ message: MessageReply, _ number: Int) -> [StyledLine] {
        let text = message.outgoing ? "Message \(number) says now" : "\(name(of: message.from)) edited \(number)"
        let head = Span(" · \(text): ", .dim)
        let rows = DisplayText.safe(message.text, keepsLines: true).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        return rows.enumerated().map { index, line in
            StyledLine([index == 0 ? head : Span("   "), Span(String(line))], continuation: [Span("   ")])
        }
    }

    private func reactions(from before: MessageReply, to message: MessageReply, _ number: Int) -> [StyledLine] {
        func set(_ message: MessageReply) -> [String: Set<String>] {
            Dictionary(message.reactions.map { ($0.emoji, Set($0.from)) }) { $0.union($1) }
        }
        let (old, new) = (set(before), set(message))
        return Set(old.keys).union(new.keys).sorted().flatMap { emoji in
            let (had, has) = (old[emoji] ?? [], new[emoji] ?? [])
            let shown = DisplayText.safe(emoji)
            let come = has.subtracting(had).sorted().map { "\(author(of: $0))\(shown) on message \(number)" }
            let gone = had.subtracting(has).sorted().map { "\(author(of: $0))\(shown) removed from message \(number)" }
            return (come + gone).map { StyledLine([Span(" · \($0)", .dim)], continuation: [Span("   ")]) }
        }
    }

    /// Returns the name of the author of a reaction, for the beginning of a line; empty for this user.
    private func author(of peer: String) -> String {
        peer == ownID ? "" : "\(name(of: peer)): "
    }

    private func bars(_ poll: PollReply, _ number: Int, _ before: PollReply?) -> [StyledLine] {
        let what = poll.closed && before?.closed == false ? "is closed" : "has votes"
        let head = StyledLine(" · Poll \(number) \(what):", .dim)
        return [head]
            + PollBars.lines(poll, own: ownID).map { StyledLine([Span("     ")] + $0, continuation: [Span("     ")]) }
    }
}
