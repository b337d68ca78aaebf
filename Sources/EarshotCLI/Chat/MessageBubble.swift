import Earshot
import EarshotRPC
import Foundation

/// A message in the chat: a heading if the sender or the time is new, then its number, a bar and its content.
struct MessageBubble {
    let message: MessageReply
    let number: Int
    /// The id of this node in the conversation.
    let own: String
    /// The word for the conversation in system lines.
    let kind: String
    /// The newest delivery status, and the reason of a failure.
    var status: String?
    var reason: String?

    /// Units: columns of the number.
    private static let numberWidth = 4

    /// Makes the line above the first of several messages of one sender.
    func heading(now: Date, zone: TimeZone) -> StyledLine {
        var spans = [Span(name, style), Span("  " + Self.time(Self.moment(of: message), now: now, zone: zone), .dim)]
        if let marks { spans.append(Span("  " + marks, .dim)) }
        return StyledLine([Span(String(repeating: " ", count: Self.numberWidth + 1))] + spans)
    }

    /// The lines of its content.
    var lines: [StyledLine] {
        let margin = String(repeating: " ", count: Self.numberWidth)
        let bar = Span(message.outgoing ? " ┃ " : " │ ", message.outgoing ? .own : style)
        var content = quotation + body
        if !message.reactions.isEmpty { content.append(reactions) }
        if message.outgoing, !message.deleted, message.system == nil {
            let (status, reason) = (status ?? message.status, reason ?? message.reason)
            let text = StatusMark.text(status, reason: reason, isSampled: message.sampled == true)
            let mark = Span("  " + text, StatusMark.style(status))
            content[content.count - 1].append(mark)
        }
        return content.enumerated().map { index, spans in
            let digits = String("\(margin)\(number)".suffix(max(Self.numberWidth, "\(number)".count)))
            let start = Span(index == 0 ? digits : margin, .dim)
            return StyledLine([start, bar] + spans, continuation: [Span(margin, .dim), bar])
        }
    }

    /// Returns the time of a message: those from before this node joined arrived long after they were written.
    static func moment(of message: MessageReply) -> Date {
        message.vouchedBy == nil ? message.receivedAt : message.sentAt
    }

    /// Formats the time of day, with the date if it is not today.
    static func time(_ date: Date, now: Date, zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone)
        let full = date.formatted(style.year().month().day().time(includingFractionalSeconds: false)).dropLast(3)
        return String(calendar.isDate(date, inSameDayAs: now) ? full.suffix(5) : full)
    }

    /// Derives the number of a peer's colour from its id alone.
    static func colour(of peer: String) -> Int {
        Int(peer.prefix(2), radix: 16) ?? 0
    }

    private var name: String { message.outgoing ? "you" : DisplayText.safe(message.fromName) }

    private var style: TextStyle { message.outgoing ? .own : .person(Self.colour(of: message.from)) }

    private var marks: String? {
        let attesters = message.vouchedBy?.map { DisplayText.safe($0.name) }.joined(separator: ", ")
        let marks = [
            message.request ? "request" : nil, message.edited && !message.deleted ? "edited" : nil,
            message.imported == true ? "imported" : nil, attesters.map { "attested by \($0)" },
            message.expiresAt == nil ? nil : "disappears",
        ].compactMap(\.self)
        return marks.isEmpty ? nil : marks.joined(separator: ", ")
    }

    private var quotation: [[Span]] { MessageText.reply(message).map { [Span($0, .dim)] } }

    private var body: [[Span]] {
        if message.deleted { return [[Span("(deleted)", .dim)]] }
        if let poll = message.poll { return PollBars.lines(poll, own: own) }
        if let system = message.system { return [[Span(MessageText.line(of: system, in: kind), .dim)]] }
        let files = (message.files ?? []).map { [Span(MessageText.line(of: $0), .bold)] }
        guard !message.text.isEmpty || files.isEmpty else { return files }
        let text = DisplayText.safe(message.text, keepsLines: true)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { [Span(String($0))] } + files
    }

    private var reactions: [Span] {
        let texts = message.reactions.map { reaction in
            let count = reaction.from.count > 1 ? " \(reaction.from.count)" : ""
            return DisplayText.safe(reaction.emoji) + count
        }
        return [Span(texts.joined(separator: "  "))]
    }
}
