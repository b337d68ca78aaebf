import Foundation

/// The only code that writes to the terminal and knows its modes.
final class TerminalOutput {
    /// The sequences that switch the terminal's marks around pastes on and off.
    private static let (pasteMarksOn, pasteMarksOff) = ("\u{1B}[?2004h", "\u{1B}[?2004l")
    /// The part of the terminal's height for the line that is being typed: one in this many rows.
    private static let typedShare = 3

    private let looks: TerminalLooks
    /// The original mode of the terminal, and the mode for editing.
    private let original: termios
    private var editing: termios?
    /// Whether the process resumed after its own stop, and the signal of that continuation is still to come.
    private var isResumed = false
    private var rows = TerminalRows()
    /// The text to write before anything else.
    private var waiting = ""
    private var blocks = PrintedBlocks()
    /// The content that is drawn now.
    private var shown: (prompt: ChatPrompt, text: [Unicode.Scalar], cursor: Int, size: TerminalSize)?

    init?(looks: TerminalLooks) {
        var original = termios()
        guard tcgetattr(0, &original) == 0 else { return nil }
        self.looks = looks
        self.original = original
    }

    /// Saves the mode for editing, once libedit has set it.
    func begin() {
        guard editing == nil else { return }
        var mode = termios()
        guard tcgetattr(0, &mode) == 0 else { return }
        editing = mode
        write(Self.pasteMarksOn)
    }

    /// Removes the line that is being typed from the screen.
    func end() { write(erasure() + Self.pasteMarksOff) }

    /// Restores the original mode of the terminal.
    func restore() {
        var mode = original
        tcsetattr(0, TCSANOW, &mode)
    }

    /// Prints lines above the line that is being typed.
    ///
    /// - Parameter name: The name by which they can be redrawn.
    func print(_ lines: [StyledLine], as name: String? = nil) {
        let rows = rows(of: lines)
        blocks.add(rows.count, name, width: size.width)
        waiting += erasure() + rows.map { $0 + "\r\n" }.joined()
    }

    /// Redraws lines in their place, if they are visible and take as many rows as before.
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

    /// Shows a picture above the line that is being typed, if the terminal can.
    func show(_ picture: [UInt8]) {
        guard let pictures = looks.pictures else { return }
        // Only the terminal knows the number of rows that the picture takes.
        blocks = PrintedBlocks()
        waiting += erasure() + pictures.sequence(picture)
    }

    /// Draws the line that is being typed, unless the screen shows it already.
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

    /// Forgets the drawn rows, so that the next drawing starts at the cursor.
    func forgetRows() {
        shown = nil
    }

    /// Clears the screen and the scrollback.
    func clear() {
        rows = TerminalRows()
        blocks = PrintedBlocks()
        shown = nil
        write("\u{1B}[H\u{1B}[2J\u{1B}[3J")
    }

    /// Restores the terminal and stops the process until it is continued.
    func suspend() {
        write(erasure() + Self.pasteMarksOff)
        restore()
        // `raise` stops this thread here; another thread could take a signal for the process first.
        raise(SIGSTOP)
        resume()
        isResumed = true
    }

    /// Takes over the terminal again, after another process stopped and continued this one.
    func continued() {
        // The continuation after an own stop is reported, too.
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

    /// Writes the waiting text and this one at once, so that no part of it is visible alone.
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
                // The reader of the terminal is gone.
                return
            }
        }
    }
}

/// Calls the system's `write`, which a method of the same name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
