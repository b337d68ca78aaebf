/// The output of the demo, with a tick for each step.
struct DemoOutput: Sendable {
    /// Units: columns of a step's title.
    private static let titleWidth = 34

    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    /// Prints a line.
    func say(_ text: String = "") {
        console.line(text)
    }

    /// Reports that a step succeeded, with details.
    func tick(_ title: String, _ details: String...) {
        step(console.coloured("✓", .green), title, details)
    }

    /// Reports that a step failed.
    func cross(_ title: String, _ details: String) {
        step(console.coloured("✗", .red), title, [details])
    }

    /// Prints a table under a step.
    func table(_ table: Table) {
        for line in table.lines { say("      \(console.coloured(line, .dim))") }
    }

    private func step(_ mark: String, _ title: String, _ details: [String]) {
        let title = DisplayText.padded(title, to: Self.titleWidth)
        say("  \(mark) \(title) \(details.first ?? "")")
        for detail in details.dropFirst() {
            say(String(repeating: " ", count: Self.titleWidth + 5) + detail)
        }
    }
}
