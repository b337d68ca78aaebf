import Earshot
import EarshotRPC

/// A search hit as text for a terminal: the line of the message that contains the words.
enum SearchHitText {
    /// Units: characters before the first word that was found, and from there on.
    private static let (before, after) = (30, 70)

    /// Formats a hit; if the words are not in the text, formats the whole message.
    static func lines(_ hit: SearchHitReply, in conversation: String?, _ console: Console) -> [String] {
        let message = hit.message
        guard let excerpt = excerpt(hit) else {
            return MessageText.lines(message, console, group: conversation)
        }
        let time = TimeText.moment(message.vouchedBy == nil ? message.receivedAt : message.sentAt)
        let place = conversation.map { " in \(DisplayText.safe($0))" } ?? ""
        let name = Span(DisplayText.safe(message.fromName) + place, message.outgoing ? .dim : .bold)
        let mark = MessageText.mark(message).map { [Span("(\($0))", .dim)] } ?? []
        let space = mark.isEmpty ? [] : [Span(" ")]
        let parts = message.outgoing ? excerpt + space + mark : mark + space + excerpt
        let heading = [Span(time, .dim), Span("  "), name, Span("  ")]
        return console.rows(StyledLine(heading + parts, continuation: [Span("    ")]))
    }

    private static func excerpt(_ hit: SearchHitReply) -> [Span]? {
        let text = hit.message.text
        let places = hit.places.compactMap { place -> Range<String.Index>? in
            let utf8 = text.utf8
            guard place.start >= 0, place.count > 0,
                let start = utf8.index(utf8.startIndex, offsetBy: place.start, limitedBy: utf8.endIndex),
                let end = utf8.index(start, offsetBy: place.count, limitedBy: utf8.endIndex)
            else { return nil }
            return start..<end
        }
        guard let first = places.first?.lowerBound else { return nil }
        let start = text.index(first, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(first, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
        var shown = [Span(start > text.startIndex ? "…" : "")]
        var place = start
        for found in places where found.lowerBound >= place && found.upperBound <= end {
            shown += [Span(line(text[place..<found.lowerBound])), Span(line(text[found]), .good)]
            place = found.upperBound
        }
        return shown + [Span(line(text[place..<end]) + (end < text.endIndex ? "…" : ""))]
    }

    private static func line(_ text: Substring) -> String {
        DisplayText.safe(String(text.map { $0.isNewline ? " " : $0 }))
    }
}
