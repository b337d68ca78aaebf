import EarshotRPC

/// Messages as a terminal shows them.
enum MessageText {
    /// A message's lines: time, sender and text, further lines of the text indented below.
    ///
    /// - Parameter nameWidth: Units: columns that the sender's name gets.
    static func lines(_ message: MessageReply, _ console: Console, nameWidth: Int = 0) -> [String] {
        let time = TimeText.moment(message.receivedAt)
        let name = DisplayText.padded(DisplayText.safe(message.fromName), to: nameWidth)
        let colour: Console.Colour = message.outgoing ? .dim : .bold
        let text = DisplayText.safe(message.text, keepsLines: true)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let files = (message.files ?? []).map { file in
            let place = file.complete ? "" : ", not here yet"
            return "[\(DisplayText.safe(file.name)), \(FileProgress.size(Int(clamping: file.size)))\(place)]"
        }
        let content = message.text.isEmpty && !files.isEmpty ? files : text.map(String.init) + files
        let indent = String(repeating: " ", count: time.count + 2 + DisplayText.width(name) + 2)
        var lines = content.enumerated().map { $0 == 0 ? $1 : indent + $1 }
        lines[0] = "\(console.coloured(time, .dim))  \(console.coloured(name, colour))  \(lines[0])"
        if let mark = mark(message) { lines[lines.count - 1] += "  " + console.coloured(mark, .dim) }
        return lines
    }

    private static func mark(_ message: MessageReply) -> String? {
        if message.request { return "(request)" }
        guard message.outgoing else { return nil }
        return "(\(message.status)\(message.reason.map { ": \($0)" } ?? ""))"
    }
}
