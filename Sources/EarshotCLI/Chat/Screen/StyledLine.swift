/// The style of a piece of a line, on terminals with styles.
enum TextStyle: Equatable, Sendable {
    case plain
    case bold
    case dim
    case good
    case warning
    case bad
    /// The name or the bar of a peer; each peer keeps its style.
    case person(Int)
    /// The style of the user's own messages.
    case own
    /// Light on dark on every terminal; for codes that cameras read.
    case camera

    /// Colours that are distinct, and readable on dark and light backgrounds.
    static let personColours = [36, 35, 34, 33, 96, 95]

    /// The parameters of the escape sequence, after `ESC [`; nil for none.
    var code: String? {
        switch self {
        case .plain: nil
        case .bold: "1"
        case .dim: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .person(let number): "1;\(Self.personColours[number % Self.personColours.count])"
        case .own: "1;32"
        case .camera: "97;40"
        }
    }
}

/// A piece of a line in one style.
struct Span: Equatable, Sendable {
    let text: String
    let style: TextStyle

    init(_ text: String, _ style: TextStyle = .plain) {
        self.text = text
        self.style = style
    }
}

/// A line of the conversation, independent of the width of the terminal.
///
/// Its text is safe for a terminal.
struct StyledLine: Equatable, Sendable {
    var spans: [Span]
    /// The beginning of the further rows of a line that does not fit on one.
    var continuation: [Span] = []

    init(_ spans: [Span], continuation: [Span] = []) {
        self.spans = spans
        self.continuation = continuation
    }

    init(_ text: String, _ style: TextStyle = .plain) {
        spans = [Span(text, style)]
    }

    /// The text without styles.
    var text: String { spans.map(\.text).joined() }

    /// Renders the line for a terminal.
    func rendered(coloured: Bool) -> String {
        spans.map { span in
            guard coloured, let code = span.style.code, !span.text.isEmpty else { return span.text }
            return "\u{1B}[\(code)m\(span.text)\u{1B}[0m"
        }.joined()
    }

    /// Breaks the line into rows, at spaces if there are any.
    ///
    /// - Parameter width: Units: columns of a row at most.
    func rows(width: Int) -> [StyledLine] {
        var breaker = RowBreaker(width: max(width, CellWidth.of(continuation) + 2), continuation: continuation)
        for span in spans {
            for character in span.text { breaker.add(character, span.style) }
        }
        return breaker.finished
    }

    /// Cuts the line, with an ellipsis, if it takes more columns.
    func shortened(to width: Int) -> StyledLine {
        guard CellWidth.of(spans) > width else { return self }
        var room = width - 1
        var kept: [Span] = []
        for span in spans {
            var text = ""
            for character in span.text {
                room -= CellWidth.of(character)
                guard room >= 0 else { return StyledLine(kept + [Span(text + "…", span.style)]) }
                text.append(character)
            }
            kept.append(span)
        }
        return StyledLine(kept)
    }
}

/// The algorithm that breaks a line into rows.
private struct RowBreaker {
    private struct Cell {
        let character: Character
        let style: TextStyle
    }

    let width: Int
    let continuation: [Span]
    private var rows: [StyledLine] = []
    private var row: [Cell] = []
    private var column = 0

    init(width: Int, continuation: [Span]) {
        self.width = width
        self.continuation = continuation
    }

    private var start: Int { rows.isEmpty ? 0 : CellWidth.of(continuation) }

    mutating func add(_ character: Character, _ style: TextStyle) {
        let cell = Cell(character: character, style: style)
        let columns = CellWidth.of(character)
        if column + columns > width, column > start {
            // A space at the end of a row is invisible, and the next row does not begin with it.
            if character == " " { return end(row) }
            let word = row.lastIndex { $0.character == " " }
            let rest = word.map { Array(row[($0 + 1)...]) } ?? []
            let isBreakable = word.map { $0 > 0 } ?? false
            end(isBreakable ? Array(row[..<(word ?? 0)]) : row)
            if isBreakable {
                row = rest
                column += rest.reduce(0) { $0 + CellWidth.of($1.character) }
            }
        }
        row.append(cell)
        column += columns
    }

    var finished: [StyledLine] {
        var copy = self
        if !row.isEmpty || rows.isEmpty { copy.end(row) }
        return copy.rows
    }

    private mutating func end(_ cells: [Cell]) {
        var spans = rows.isEmpty ? [] : continuation
        var text = ""
        for (index, cell) in cells.enumerated() {
            text.append(cell.character)
            if index + 1 == cells.count || cells[index + 1].style != cell.style {
                spans.append(Span(text, cell.style))
                text = ""
            }
        }
        rows.append(StyledLine(spans))
        row = []
        column = start
    }
}
