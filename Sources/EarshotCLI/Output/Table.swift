/// A table whose columns are as wide as their widest cells.
struct Table {
    let header: [String]
    private(set) var rows: [[String]] = []

    /// Makes a table without rows; an empty header is left out.
    init(_ header: [String] = []) {
        self.header = header
    }

    /// Adds a row, and makes its cells safe for a terminal.
    mutating func add(_ cells: String...) {
        rows.append(cells.map { DisplayText.safe($0) })
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        let all = header.isEmpty ? rows : [header] + rows
        let columnCount = all.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            all.map { column < $0.count ? DisplayText.width($0[column]) : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = zip(row, widths).map { DisplayText.padded($0, to: $1) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
