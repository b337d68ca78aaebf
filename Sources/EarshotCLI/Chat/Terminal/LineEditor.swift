import CEdit
import Foundation

/// A terminal in which a line is edited while other lines appear above it.
///
/// It belongs to one thread. Libedit does the editing: the meaning of keys, the history and the search in it. This type
/// reads and draws: one place waits for keys and for updates, and one place writes, so that neither disturbs the other.
final class LineEditor {
    /// The number of lines in the history.
    static let historyCount = 200
    /// Units: milliseconds in which the rest of a key's bytes arrive.
    private static let keyPause: Int32 = 40

    private let feed: ScreenFeed
    private let report: (TypedInput) -> Void
    private let edit: OpaquePointer
    private var history: OpaquePointer
    private let nowhere: UnsafeMutablePointer<FILE>
    let terminal: TerminalOutput
    private var decoder = KeyDecoder()
    /// Keys that were read and not taken yet, the last first.
    private var keys: [KeyDecoder.Key] = []
    private var prompt = ChatPrompt()
    private var words = CompletionWords()
    private var isEnding = false
    private var hasInput = true
    /// The text at the time of the last report of typing.
    private var reported = ""

    /// Takes over the terminal; nil if there is none.
    init?(feed: ScreenFeed, looks: TerminalLooks, report: @escaping (TypedInput) -> Void) {
        guard let terminal = TerminalOutput(looks: looks), let nowhere = fopen("/dev/null", "r+") else { return nil }
        // Libedit draws into /dev/null.
        guard let edit = el_init_fd("earshot", nowhere, nowhere, nowhere, 0, 1, 2) else {
            fclose(nowhere)
            return nil
        }
        guard let history = history_winit() else {
            el_end(edit)
            fclose(nowhere)
            return nil
        }
        (self.feed, self.report, self.terminal) = (feed, report, terminal)
        (self.edit, self.history, self.nowhere) = (edit, history, nowhere)
        earshot_edit_read_by(
            edit,
            { edit, place in
                guard let edit, let place, let owner = earshot_edit_owner(edit) else { return -1 }
                return Unmanaged<LineEditor>.fromOpaque(owner).takeUnretainedValue().next(place)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        earshot_edit_set_keys(edit) { edit, _ in
            guard let edit, let owner = earshot_edit_owner(edit) else { return UInt8(CC_ERROR) }
            return Unmanaged<LineEditor>.fromOpaque(owner).takeUnretainedValue().complete()
        }
        earshot_edit_set_raw(edit)
        earshot_edit_set_history(edit, history, Int32(Self.historyCount))
    }

    /// Reads lines until the editor is ended, then restores the terminal.
    func run() {
        while !isEnding {
            var count: Int32 = 0
            guard let line = el_wgets(edit, &count), count > 0 else {
                if !isEnding { report(.ended) }
                if !isEnding, !hasInput { wait() }
                continue
            }
            submit(Self.text(line, Int(count)))
        }
        terminal.end()
        el_end(edit)
        history_wend(history)
        fclose(nowhere)
        terminal.restore()
    }

    private func submit(_ line: String) {
        let line = line.hasSuffix("\n") || line.hasSuffix("\r") ? String(line.dropLast()) : line
        reported = ""
        if !prompt.isSecret, !line.isEmpty {
            Self.withWide(line) { earshot_edit_remember(history, $0) }
        }
        report(.line(line))
    }

    /// Reads the next character for libedit: returns 1 with a character, 0 at the end.
    private func next(_ place: UnsafeMutablePointer<wchar_t>) -> Int32 {
        terminal.begin()
        while !isEnding {
            guard let key = keys.popLast() else {
                draw()
                wait()
                if !hasInput { return 0 }
                continue
            }
            switch key {
            case .scalar(let scalar):
                place.pointee = Self.wide(scalar)
                return 1
            case .pasted(let text): Self.withWide(text) { _ = el_winsertstr(edit, $0) }
            case .interrupt: interrupt()
            case .suspend: terminal.suspend()
            case .redraw: terminal.forgetRows()
            }
        }
        return 0
    }

    /// Handles Ctrl-C: clears the line, or ends the input if the line is empty.
    private func interrupt() {
        if typed.text.isEmpty { return report(.ended) }
        // These keys end a search in the history first, then clear the line.
        keys += [.scalar("\u{15}"), .scalar("\u{7}")]
    }

    /// Waits for keys or updates, and processes them.
    private func wait() {
        var waits = [
            pollfd(fd: feed.wakeInput, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasInput ? 0 : -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waits, nfds_t(waits.count), decoder.isWaiting ? Self.keyPause : -1)
        if count == 0 { keys = decoder.flush().reversed() }
        guard count > 0 else { return }
        if waits[0].revents != 0 { for update in feed.take() { take(update) } }
        if waits[1].revents != 0 { read() }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = systemRead(0, &bytes, bytes.count)
        if count > 0 {
            keys = decoder.keys(adding: bytes.prefix(count)).reversed()
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            hasInput = false
        }
    }

    private func take(_ update: ScreenUpdate) {
        switch update {
        case .lines(let lines): terminal.print(lines)
        case .message(let name, let lines): terminal.print(lines, as: name)
        case .redraw(let name, let lines): terminal.redraw(name, lines)
        case .picture(let picture): terminal.show(picture)
        case .prompt(let prompt): self.prompt = prompt
        case .words(let words): self.words = words
        case .clear: terminal.clear()
        case .forgetTyped:
            history_wend(history)
            if let fresh = history_winit() { history = fresh }
            earshot_edit_set_history(edit, history, Int32(Self.historyCount))
        case .resized: el_resize(edit)
        case .suspended: terminal.suspend()
        case .continued: terminal.continued()
        case .end: isEnding = true
        }
    }

    private func draw() {
        let (text, cursor) = typed
        if prompt.isSecret {
            terminal.draw(prompt, [], cursor: 0)
        } else {
            terminal.draw(prompt, text, cursor: cursor)
            let line = String(String.UnicodeScalarView(text))
            if line != reported {
                reported = line
                if !line.isEmpty, !line.hasPrefix("/") { report(.typing) }
            }
        }
    }

    /// The typed text, and the number of its scalars before the cursor.
    private var typed: (text: [Unicode.Scalar], cursor: Int) {
        guard let info = el_wline(edit)?.pointee, let buffer = info.buffer else { return ([], 0) }
        let count = info.lastchar.map { $0 - buffer } ?? 0
        return ((0..<max(0, count)).map { Self.scalar(buffer[$0]) }, info.cursor.map { $0 - buffer } ?? 0)
    }

    /// Handles Tab: completes the word before the cursor.
    private func complete() -> UInt8 {
        guard !prompt.isSecret else { return UInt8(CC_NORM) }
        let (text, cursor) = typed
        let line = String(String.UnicodeScalarView(text.prefix(cursor)))
        switch words.completion(of: line, names: PathNames.names(in:)) {
        case .nothing: break
        case .insert(let word, let count): replace(count, word)
        case .several(let words, let word, let count):
            replace(count, word)
            let shown = words.prefix(CompletionWords.shownCount).joined(separator: "  ")
            terminal.print([
                StyledLine([Span("   \(shown)\(words.count > CompletionWords.shownCount ? " …" : "")", .dim)])
            ])
        }
        return UInt8(CC_REFRESH)
    }

    private func replace(_ count: Int, _ word: String) {
        el_deletestr(edit, Int32(count))
        Self.withWide(word) { _ = el_winsertstr(edit, $0) }
    }
}

/// Conversions of libedit's characters.
extension LineEditor {
    private static func wide(_ scalar: Unicode.Scalar) -> wchar_t { wchar_t(scalar.value) }

    private static func scalar(_ wide: wchar_t) -> Unicode.Scalar {
        UInt32(exactly: wide).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    }

    private static func text(_ line: UnsafePointer<wchar_t>, _ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { scalar(line[$0]) }))
    }

    private static func withWide(_ text: String, _ body: (UnsafePointer<wchar_t>) -> Void) {
        let wide = text.unicodeScalars.map(wide) + [0]
        wide.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { body(start) }
        }
    }
}

/// Calls the system's `read`, which a method of the same name hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
