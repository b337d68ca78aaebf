import EarshotRPC

/// The line that is being typed as rows of a terminal, with the position of the cursor.
struct EditLayout: Equatable, Sendable {
    /// The rows that fit.
    private(set) var rows: [String] = []
    private(set) var cursorRow = 0
    /// Units: columns.
    private(set) var cursorColumn = 0

    /// Units: columns of the indentation of rows after the first.
    private static let indent = 2

    /// Lays a line out.
    ///
    /// - Parameters:
    ///   - label: The text before the line.
    ///   - text: The text typed so far; a line feed in it begins a new row.
    ///   - cursor: The number of scalars before the cursor.
    ///   - width: Units: columns of the terminal, of which the last stays free.
    ///   - rowCount: The largest number of rows; those around the cursor are shown.
    init(label: String, text: [Unicode.Scalar], cursor: Int, width: Int, rowCount: Int) {
        let room = max(width - 1, Self.indent + 2)
        let label = CellWidth.of(label) <= room / 2 ? label : "> "
        var all: [String] = []
        var row = label
        var column = CellWidth.of(label)
        func end() {
            all.append(row)
            row = String(repeating: " ", count: Self.indent)
            column = Self.indent
        }
        for place in 0...text.count {
            if place == cursor { (cursorRow, cursorColumn) = (all.count, column) }
            guard place < text.count else { break }
            guard text[place] != "\n" else {
                end()
                continue
            }
            let shown = Self.shown(text[place])
            let columns = CellWidth.of(shown)
            if column + columns > room {
                end()
                if place == cursor { (cursorRow, cursorColumn) = (all.count, column) }
            }
            row += shown
            column += columns
        }
        all.append(row)
        let count = max(1, rowCount)
        let first = min(max(0, cursorRow - count + 1), max(0, all.count - count))
        rows = Array(all[first..<min(all.count, first + count)])
        cursorRow -= first
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\t" { return "␉" }
        return RPCCoding.isHazardous(scalar) ? DisplayText.safe(String(scalar)) : String(scalar)
    }
}
