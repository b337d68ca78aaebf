import EarshotRPC
import Foundation

/// Where a command prints: results to standard output, all else to standard error.
struct Console: Sendable {
    /// Whether results are JSON.
    let isJSON: Bool
    /// Whether anything but results and errors is left out.
    let isQuiet: Bool
    private let isColourful: Bool
    /// Whether somebody sees standard error as it comes.
    private let isWatched: Bool
    /// Units: columns of the terminal that shows results; nil where none does.
    let width: Int?

    init(_ global: GlobalOptions) {
        isJSON = global.json
        isQuiet = global.quiet
        isWatched = isatty(2) == 1 && !global.quiet && !global.json
        let environment = ProcessInfo.processInfo.environment
        width = isatty(1) == 1 ? TerminalSize.current.width : nil
        isColourful = isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Makes one that prints for a person, without colours.
    init(width: Int? = nil) {
        (isJSON, isQuiet, isColourful, isWatched) = (false, true, false, false)
        self.width = width
    }

    /// Prints a result: the value as JSON, or the lines for a person.
    func result(_ value: some Encodable, _ lines: @autoclosure () -> [String]) throws {
        if isJSON {
            write(try RPCCoding.encode(value), to: 1)
        } else {
            for line in lines() { write(Array(line.utf8), to: 1) }
        }
    }

    /// Prints a line for a person; with JSON, to standard error.
    func line(_ text: String = "") {
        write(Array(text.utf8), to: isJSON ? 2 : 1)
    }

    /// Tells something by the way.
    func note(_ text: String) {
        guard !isQuiet else { return }
        write(Array(text.utf8), to: 2)
    }

    /// Shows how far something is, on one line that the next takes the place of; only where somebody looks at it.
    func progress(_ text: String) {
        guard isWatched else { return }
        write(Array("\r\u{1B}[K\(text)".utf8), to: 2, ending: [])
    }

    /// Clears the line of progress.
    func endProgress() { progress("") }

    /// Tells what went wrong.
    func complain(_ text: String) {
        write(Array("earshot: \(text)".utf8), to: 2)
    }

    /// The text in a colour, where standard output shows colours.
    func coloured(_ text: String, _ colour: Colour) -> String {
        isColourful ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The rows of a line as the terminal shows it, or the line where none does.
    func rows(_ line: StyledLine) -> [String] {
        let rows = width.map { line.rows(width: $0) } ?? [line]
        return rows.map { $0.rendered(coloured: isColourful) }
    }

    /// A link as a QR code for cameras, and as text below it.
    ///
    /// Capital letters, which all of Earshot's links may have, make it smaller.
    func code(_ link: String) -> [String] {
        QRText.lines(link.uppercased(), coloured: isColourful) + [link]
    }

    /// What the eye may need help with.
    enum Colour: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, ending: [UInt8] = [UInt8(ascii: "\n")]) {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        // Whoever read the output may have gone, and then nobody misses it.
        try? handle.write(contentsOf: Data(bytes + ending))
    }
}
