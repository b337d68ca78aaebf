import Earshot
import EarshotRPC

/// Messages as text for a terminal.
enum MessageText {
    /// Formats a message: time, sender and text, with further lines of the text indented below.
    ///
    /// - Parameters:
    ///   - group: The title of the group or room, if messages of several conversations are shown.
    ///   - kind: The word for the conversation in system lines: a `group` or a `room`.
    ///   - nameWidth: Units: columns for the sender's name.
    static func lines(
        _ message: MessageReply,
        _ console: Console,
        group: String? = nil,
        kind: String = "group",
        nameWidth: Int = 0
    ) -> [String] {
        // A message from before this node joined a group arrived long after it was written.
        let time = TimeText.moment(message.vouchedBy == nil ? message.receivedAt : message.sentAt)
        let place = group.map { " in \(DisplayText.safe($0))" } ?? ""
        let name = DisplayText.padded(DisplayText.safe(message.fromName) + place, to: nameWidth)
        let heading = [Span(time, .dim), Span("  "), Span(name, message.outgoing ? .dim : .bold), Span("  ")]
        var content = (reply(message) + body(message, kind) + reactions(message)).map { [Span($0)] }
        if let mark = mark(message) {
            // The mark stands before a peer's text, which could push it off the screen, and behind the user's own text.
            if message.outgoing {
                content[content.count - 1] += [Span("  "), Span("(\(mark))", .dim)]
            } else {
                content[0] = [Span("(\(mark))", .dim), Span(" ")] + content[0]
            }
        }
        let width = CellWidth.of(heading)
        let indent = Span(String(repeating: " ", count: console.width.map { width > $0 / 2 ? 4 : width } ?? width))
        return content.enumerated().flatMap { index, spans in
            console.rows(StyledLine((index == 0 ? heading : [indent]) + spans, continuation: [indent]))
        }
    }

    /// Splits a text into lines, without blank ones at its ends and without two blank ones in a row.
    static func lines(of text: String) -> [String] {
        let lines = DisplayText.safe(text, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
        var result: [String] = []
        for line in lines.map(String.init) where !isBlank(line) || !(result.last.map(isBlank) ?? true) {
            result.append(line)
        }
        if result.last.map(isBlank) == true { result.removeLast() }
        return result.isEmpty ? [""] : result
    }

    private static func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }

    private static func body(_ message: MessageReply, _ kind: String) -> [String] {
        if message.deleted { return ["(deleted)"] }
        if let poll = message.poll { return lines(of: poll) }
        if let system = message.system { return [line(of: system, in: kind)] }
        let files = (message.files ?? []).map(line(of:))
        return message.text.isEmpty && !files.isEmpty ? files : lines(of: message.text) + files
    }

    private static func lines(of poll: PollReply) -> [String] {
        let kind = poll.closed ? "closed" : poll.multiple ? "choose any" : "choose one"
        let options = poll.options.enumerated().map { index, option in
            "\(index + 1). \(DisplayText.safe(option.text)): \(option.votes.count)"
        }
        return ["\(DisplayText.safe(poll.question)) (\(kind))"] + options
    }

    /// Describes a file, in brackets.
    static func line(of file: FileReply) -> String {
        let place = file.complete ? "" : ", not here yet"
        let facts = facts(file).map { ", \($0)" } ?? ""
        return "[\(DisplayText.safe(file.name))\(facts), \(FileProgress.size(Int(clamping: file.size)))\(place)]"
    }

    /// Describes a change of a conversation of this kind, in parentheses.
    static func line(of system: SystemReply, in kind: String) -> String {
        let name = DisplayText.safe(system.name ?? "")
        switch system.event {
        case "founded": return "(created the \(kind))"
        case "added": return "(added \(name))"
        case "removed": return "(removed \(name))"
        case "left": return "(left)"
        case "renamed": return "(renamed the \(kind) to \(DisplayText.safe(system.title ?? "")))"
        case "handedOver": return "(handed the \(kind) over to \(name))"
        default:
            let seconds = system.expiresAfter ?? 0
            return seconds > 0
                ? "(set messages to disappear \(TimeText.words(seconds: seconds)) after they are read)"
                : "(turned disappearing messages off)"
        }
    }

    /// Quotes the message that this one replies to; empty for no reply.
    static func reply(_ message: MessageReply) -> [String] {
        guard let reply = message.replyTo, !message.deleted else { return [] }
        guard let name = reply.fromName else { return ["> a message that is not here"] }
        let text = reply.deleted == true ? "(deleted)" : DisplayText.safe(String((reply.text ?? "").prefix(60)))
        return ["> \(DisplayText.safe(name)): \(text)"]
    }

    private static func reactions(_ message: MessageReply) -> [String] {
        guard !message.reactions.isEmpty else { return [] }
        let emoji = message.reactions.map { "\(DisplayText.safe($0.emoji)) \($0.from.count)" }
        return [emoji.joined(separator: "  ")]
    }

    /// Describes a picture or voice note by the claims of its sender; nil for a plain file.
    private static func facts(_ file: FileReply) -> String? {
        if let width = file.width, let height = file.height { return "\(width) x \(height)" }
        guard let duration = file.duration else { return nil }
        let seconds = Int(min(max(duration, 0), 3_600).rounded())
        let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        return file.peaks.map { "\(time) \(waveform($0))" } ?? time
    }

    /// Draws a waveform, one block for four of its values.
    private static func waveform(_ peaks: some Collection<UInt8>) -> String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        let peaks = Array(peaks)
        return String(
            stride(from: 0, to: peaks.count, by: 4).map { start in
                blocks[Int(peaks[start..<min(start + 4, peaks.count)].max() ?? 0) * (blocks.count - 1) / 255]
            }
        )
    }

    /// Returns the delivery status and the caveats of a message; nil if there are none.
    static func mark(_ message: MessageReply) -> String? {
        if message.request { return "request" }
        let status = message.isSent ? message.status + (message.reason.map { ": \($0)" } ?? "") : nil
        let attesters = message.vouchedBy?.map { DisplayText.safe($0.name) }.joined(separator: ", ")
        let marks = [
            message.edited ? "edited" : nil, message.imported == true ? "imported" : nil,
            attesters.map { "attested by \($0)" }, status,
        ].compactMap(\.self)
        return marks.isEmpty ? nil : marks.joined(separator: ", ")
    }
}
