import Foundation

/// The size of a terminal.
struct TerminalSize: Equatable, Sendable {
    /// Units: columns.
    let width: Int
    /// Units: rows.
    let height: Int
    /// Units: pixels of one character.
    let cell: Cell

    struct Cell: Equatable, Sendable {
        let width: Int
        let height: Int
    }

    /// The cell of a terminal that does not report its pixels; few terminals have a smaller one.
    private static let usualCell = Cell(width: 8, height: 16)

    /// The present size of the output's terminal; 80 columns and 24 rows if the output is no terminal.
    static var current: TerminalSize {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize(winsize()) }
        return TerminalSize(size)
    }

    init(_ size: winsize) {
        let isNotified = size.ws_col > 0 && size.ws_row > 0
        (width, height) = isNotified ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
        let cell = Cell(width: Int(size.ws_xpixel) / width, height: Int(size.ws_ypixel) / height)
        self.cell = isNotified && cell.width > 0 && cell.height > 0 ? cell : Self.usualCell
    }
}
