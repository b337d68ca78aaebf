/// The words of notices.
enum NoticeText {
    /// The text in place of a name of which nothing is left.
    static let nameless = "Somebody"
    /// The title if no name is shown.
    static let anonymousTitle = "Earshot"

    /// Returns the notice for a number of messages, of which the newest is given.
    static func notice(_ newest: NoticeFacts, kind: NoticeKind, count: Int, detail: NoticeDetail) -> Notice {
        let isHidden = detail == .hidden || kind == .request
        return Notice(
            topic: newest.topic,
            kind: kind,
            title: isHidden ? anonymousTitle : title(newest, kind, count),
            body: kind == .request ? requests(count) : body(newest, count, detail),
            count: count,
            conversation: newest.conversation,
            message: newest.message
        )
    }

    private static func title(_ newest: NoticeFacts, _ kind: NoticeKind, _ count: Int) -> String {
        let number = count > 1 ? " (\(count))" : ""
        guard let group = newest.groupTitle else { return name(newest.senderName) + number }
        guard kind == .mention else { return name(group) + number }
        return "You are mentioned in \(isolated(name(group)))\(number)"
    }

    private static func body(_ newest: NoticeFacts, _ count: Int, _ detail: NoticeDetail) -> String {
        guard detail == .text else { return count > 1 ? "\(count) new messages" : "New message" }
        var text = line(newest.text, limit: NoticeLimits.textLength)
        if text.isEmpty { text = files(newest.fileCount, newest.fileKind) }
        guard newest.groupTitle != nil else { return text }
        return "\(isolated(name(newest.senderName))): \(text)"
    }

    private static func files(_ count: Int, _ kind: NoticeFileKind) -> String {
        let name =
            switch kind {
            case .file: "file"
            case .picture: "picture"
            case .voice: "voice note"
            }
        return switch count {
        case ...0: "New message"
        case 1: "Sent a \(name)"
        default: "Sent \(count) \(name)s"
        }
    }

    private static func requests(_ count: Int) -> String {
        count > 1
            ? "\(count) people you do not know want to write to you" : "A person you do not know wants to write to you"
    }

    /// Returns a name as a notice shows it, whatever name a peer has chosen.
    static func name(_ name: String) -> String {
        let line = line(name, limit: NoticeLimits.nameLength)
        return line.isEmpty ? nameless : line
    }

    /// Returns a name that cannot reorder the text around it; plain ASCII needs no isolation.
    static func isolated(_ name: String) -> String {
        name.utf8.allSatisfy { $0 < 0x80 } ? name : "\u{2068}\(name)\u{2069}"
    }

    /// Returns one line of a peer's text: nothing in it commands, reorders, hides or piles up, and its end is cut off.
    ///
    /// - Parameter limit: Unicode scalars at most, including the mark for the cut.
    static func line(_ text: String, limit: Int) -> String {
        var line = String.UnicodeScalarView()
        var markCount = 0
        for scalar in text.unicodeScalars {
            // The rest is cut off below; a few more scalars show where a character ends.
            guard line.count <= limit + NoticeLimits.markCount else { break }
            switch role(of: scalar) {
            case .nothing: continue
            case .blank:
                if line.last != " ", !line.isEmpty { line.append(" ") }
                markCount = 0
            case .mark:
                markCount += 1
                if markCount <= NoticeLimits.markCount, !line.isEmpty { line.append(scalar) }
            case .letter:
                line.append(scalar)
                markCount = 0
            }
        }
        while line.last == " " { line.removeLast() }
        return cut(String(line), limit: limit)
    }

    private static func cut(_ line: String, limit: Int) -> String {
        guard line.unicodeScalars.count > limit else { return line }
        var (kept, count) = ("", 1)
        for character in line {
            count += character.unicodeScalars.count
            guard count <= limit else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private enum Role {
        case nothing
        case blank
        case mark
        case letter
    }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.value {
        // Joiners and the choice between text and picture: emoji and several scripts need them.
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: return .mark
        // It is drawn as a blank, though its category is that of a symbol.
        case 0x2800: return .blank
        default: break
        }
        let properties = scalar.properties
        if properties.isWhitespace { return .blank }
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return .nothing }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: .blank
        case .format, .surrogate: .nothing
        case .nonspacingMark, .enclosingMark: .mark
        default: .letter
        }
    }
}
