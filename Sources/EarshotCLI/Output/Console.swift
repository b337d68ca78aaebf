import EarshotRPC
import Foundation

/// The output of a command: results go to standard output, everything else to standard error.
struct Console: Sendable {
    /// Whether results are JSON.
    let isJSON: Bool
    /// Whether only results and errors are printed.
    let isQuiet: Bool
    private let isColourful: Bool
    /// Whether a user sees standard error as it is written.
    private let isWatched: Bool
    /// Units: columns of the terminal that shows results; nil without a terminal.
    let width: Int?

    init(_ global: GlobalOptions) {
        isJSON = global.json
        isQuiet = global.quiet
        isWatched = isatty(2) == 1 && !global.quiet && !global.json
        let environment = ProcessInfo.processInfo.environment
        width = isatty(1) == 1 ? TerminalSize.current.width : nil
        isColourful = isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Makes a console that prints for a person, without colours.
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

    /// Prints incidental information.
    func note(_ text: String) {
        guard !isQuiet else { return }
        write(Array(text.utf8), to: 2)
    }

    /// Shows progress on one line, which the next call replaces; only on a terminal.
    func progress(_ text: String) {
        guard isWatched else { return }
        write(Array("\r\u{1B}[K\(text)".utf8), to: 2, ending: [])
    }

    /// Clears the progress line.
    func endProgress() { progress("") }

    /// Prints a problem.
    func complain(_ text: String) {
        write(Array("earshot: \(text)".utf8), to: 2)
    }

    /// Colours a text, if standard output shows colours.
    func coloured(_ text: String, _ colour: Colour) -> String {
        isColourful ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Breaks a line into the rows of the terminal; without a terminal the line stays whole.
    func rows(_ line: StyledLine) -> [String] {
        let rows = width.map { line.rows(width: $0) } ?? [line]
        return rows.map { $0.rendered(coloured: isColourful) }
    }

    /// Makes a QR code of a link for cameras, with the text of the link below it.
    ///
    /// Capital letters, which are valid in all of Earshot's links, make the code smaller.
    func code(_ link: String) -> [String] {
        // Capital letters make a smaller code, but the login of a hub must stay as it is.
        QRText.lines(link.contains("%") ? link : link.uppercased(), coloured: isColourful) + [link]
    }

    /// The colours and weights for parts that matter.
    enum Colour: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, ending: [UInt8] = [UInt8(ascii: "\n")]) {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        // The reader of the output may be gone; then the text is lost without harm.
        try? handle.write(contentsOf: Data(bytes + ending))
    }
}
