import Earshot
import EarshotRPC

/// A poll, drawn with a bar for each choice.
enum PollBars {
    /// Units: columns of the longest bar, and of the longest choice beside it.
    static let (barWidth, choiceWidth) = (16, 28)

    /// Draws the question, and a line for each choice.
    ///
    /// - Parameter own: The id of this node in the conversation of the poll.
    static func lines(_ poll: PollReply, own: String) -> [[Span]] {
        let kind = poll.closed ? "closed" : poll.multiple ? "choose any" : "choose one"
        let most = poll.options.map(\.votes.count).max() ?? 0
        let names = poll.options.map { DisplayText.shortened(DisplayText.safe($0.text), to: choiceWidth) }
        let width = names.map { CellWidth.of($0) }.max() ?? 0
        var lines = [[Span(DisplayText.safe(poll.question), .bold), Span("  (\(kind))", .dim)]]
        for (index, (option, name)) in zip(poll.options, names).enumerated() {
            let isOwn = option.votes.contains(own)
            let padding = String(repeating: " ", count: width - CellWidth.of(name))
            lines.append([
                Span("\(index + 1) ", .dim), Span(name + padding, isOwn ? .bold : .plain), Span("  "),
                Span(bar(option.votes.count, most), isOwn ? .good : .plain),
                Span(" \(option.votes.count)"), Span(isOwn ? " ← you" : "", .dim),
            ])
        }
        return lines
    }

    private static func bar(_ count: Int, _ most: Int) -> String {
        let full = most == 0 ? 0 : (count * barWidth + most - 1) / most
        return String(repeating: "█", count: full) + String(repeating: "░", count: barWidth - full)
    }
}
