import Foundation

/// The one place that writes to the terminal, and that knows its modes.
final class TerminalOutput {
    /// Around what is pasted, the terminal puts marks.
    private static let (pasteMarksOn, pasteMarksOff) = ("\u{1B}[?2004h", "\u{1B}[?2004l")
    /// The part of the terminal's height that what is being typed may take.
    private static let typedShare = 3

    private let looks: TerminalLooks
    /// As the terminal was, and as it is while lines are edited.
    private let original: termios
    private var editing: termios?
    /// Whether the process goes on after a stop of our own, and has not been told so yet.
    private var isResumed = false
    private var rows = TerminalRows()
    /// What is to be written before anything else.
    private var waiting = ""
    private var blocks = PrintedBlocks()
    /// What is drawn now.
    private var shown: (prompt: ChatPrompt, text: [Unicode.Scalar], cursor: Int, size: TerminalSize)?

    init?(looks: TerminalLooks) {
        var original = termios()
        guard tcgetattr(0, &original) == 0 else { return nil }
        self.looks = looks
        self.original = original
    }

    /// Notes the mode for editing, once it is set.
    func begin() {
        guard editing == nil else { return }
        var mode = termios()
        guard tcgetattr(0, &mode) == 0 else { return }
        editing = mode
        write(Self.pasteMarksOn)
    }

    /// Takes what is being typed off the screen.
    func end() { write(erasure() + Self.pasteMarksOff) }

    /// Leaves the terminal in the mode it was in.
    func restore() {
        var mode = original
        tcsetattr(0, TCSANOW, &mode)
    }

    /// Prints lines above what is being typed.
    ///
    /// - Parameter name: What they can be drawn anew by.
    func print(_ lines: [StyledLine], as name: String? = nil) {
        let rows = rows(of: lines)
        blocks.add(rows.count, name, width: size.width)
        waiting += erasure() + rows.map { $0 + "\r\n" }.joined()
    }

    /// Draws lines anew in their place, if they are to be seen and take as many rows as before.
    func redraw(_ name: String, _ lines: [StyledLine]) {
        let rows = rows(of: lines)
        guard let distance = blocks.distance(to: name, rowCount: rows.count, width: size.width, height: size.height)
        else {
            return
        }
        let below = distance - rows.count
        let text = rows.map { "\u{1B}[2K\($0)\r\n" }.joined()
        waiting += erasure() + "\u{1B}[\(distance)A" + text + (below > 0 ? "\u{1B}[\(below)B" : "")
    }

    private func rows(of lines: [StyledLine]) -> [String] {
        let width = size.width - 1
        return lines.flatMap { $0.rows(width: width) }.map { $0.rendered(coloured: looks.isColoured) }
    }

    /// Shows a picture above what is being typed, where the terminal can.
    func show(_ picture: [UInt8]) {
        guard let pictures = looks.pictures else { return }
        // How many rows it takes is the terminal's affair.
        blocks = PrintedBlocks()
        waiting += erasure() + pictures.sequence(picture)
    }

    /// Draws what is being typed, if that is not what is to be seen already.
    func draw(_ prompt: ChatPrompt, _ text: [Unicode.Scalar], cursor: Int) {
        let size = size
        if let shown, shown.prompt == prompt, shown.text == text, shown.cursor == cursor, shown.size == size { return }
        waiting += erasure()
        let layout = EditLayout(
            label: prompt.label,
            text: text,
            cursor: cursor,
            width: size.width,
            rowCount: max(1, size.height / Self.typedShare)
        )
        let status = size.height > 3 ? prompt.status.shortened(to: size.width - 1) : StyledLine([])
        write(rows.draw(status, layout, coloured: looks.isColoured))
        shown = (prompt, text, cursor, size)
    }

    /// Draws everything anew where the cursor is.
    func forgetRows() {
        shown = nil
    }

    /// Takes away all there is to see, also above.
    func clear() {
        rows = TerminalRows()
        blocks = PrintedBlocks()
        shown = nil
        write("\u{1B}[H\u{1B}[2J\u{1B}[3J")
    }

    /// Gives the terminal back and stops the process until it is continued.
    func suspend() {
        write(erasure() + Self.pasteMarksOff)
        restore()
        // For this thread, which then goes no further; one for the process may be taken by another first.
        raise(SIGSTOP)
        resume()
        isResumed = true
    }

    /// Takes the terminal again after something else has stopped and continued the process.
    func continued() {
        // The end of a stop of our own is told, too.
        if isResumed { isResumed = false } else { resume() }
    }

    private func resume() {
        guard var mode = editing else { return }
        tcsetattr(0, TCSADRAIN, &mode)
        rows = TerminalRows()
        blocks = PrintedBlocks()
        shown = nil
        write(Self.pasteMarksOn + "\r\u{1B}[J")
    }

    private func erasure() -> String {
        shown = nil
        return rows.erase(width: size.width)
    }

    private var size: TerminalSize { .current }

    /// Writes what waits and this, at once, so that nobody sees a part of it alone.
    private func write(_ text: String) {
        var rest = Array((waiting + text).utf8)[...]
        waiting = ""
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(1, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                // Whoever looked is gone.
                return
            }
        }
    }
}

/// `write` of the system, which a method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
