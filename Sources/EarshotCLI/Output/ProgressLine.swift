import Foundation

/// One line on standard error for the progress of long work; nothing without a terminal.
struct ProgressLine {
    private let isShown: Bool
    private var shown = ""
    private var shownAt: ContinuousClock.Instant?

    init(isQuiet: Bool) {
        isShown = !isQuiet && isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Replaces the text of the line, at most ten times a second.
    mutating func show(_ text: String) {
        guard isShown, text != shown, shownAt.map({ $0.duration(to: .now) >= Self.interval }) ?? true else { return }
        shown = text
        shownAt = .now
        write("\r\u{1B}[K\(text)")
    }

    /// Clears the line.
    mutating func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        shown = ""
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        // The reader may be gone; then the text is lost without harm.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static let interval: Duration = .milliseconds(100)
}
