/// The rows at the end of a terminal that are redrawn: the status and the line that is being typed.
///
/// It keeps the widths of the drawn rows, so that they can be erased even after the terminal became narrower.
struct TerminalRows: Equatable, Sendable {
    /// Units: columns of each row.
    private var widths: [Int] = []
    private var cursorRow = 0
    private var cursorColumn = 0

    /// Makes the sequence that erases the rows and leaves the cursor at their start.
    ///
    /// - Parameter width: Units: columns of the terminal now; longer rows continue on the next row.
    mutating func erase(width: Int) -> String {
        guard !widths.isEmpty else { return "" }
        let width = max(width, 1)
        let above = widths.prefix(cursorRow).reduce(0) { $0 + max(1, ($1 + width - 1) / width) } + cursorColumn / width
        self = TerminalRows()
        return "\r" + (above > 0 ? "\u{1B}[\(above)A" : "") + "\u{1B}[J"
    }

    /// Makes the sequence that draws the rows and puts the cursor into them.
    ///
    /// - Parameters:
    ///   - status: The row above; it is left out if it is empty.
    ///   - layout: The rows of the line that is being typed.
    ///   - coloured: Whether the terminal shows colours.
    mutating func draw(_ status: StyledLine, _ layout: EditLayout, coloured: Bool) -> String {
        let head = status.spans.isEmpty ? [] : [status]
        widths = head.map { CellWidth.of($0.spans) } + layout.rows.map { CellWidth.of($0) }
        cursorRow = head.count + layout.cursorRow
        cursorColumn = layout.cursorColumn
        let text = (head.map { $0.rendered(coloured: coloured) } + layout.rows).joined(separator: "\r\n")
        let below = widths.count - 1 - cursorRow
        let up = below > 0 ? "\u{1B}[\(below)A" : ""
        return text + up + "\r" + (cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : "")
    }
}
