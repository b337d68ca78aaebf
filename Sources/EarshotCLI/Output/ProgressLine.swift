import Foundation

/// One line on standard error that tells how far long work is; nothing where that is no terminal.
struct ProgressLine {
    private let isShown: Bool
    private var shown = ""
    private var shownAt: ContinuousClock.Instant?

    init(isQuiet: Bool) {
        isShown = !isQuiet && isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Replaces what the line says, ten times a second at most.
    mutating func show(_ text: String) {
        guard isShown, text != shown, shownAt.map({ $0.duration(to: .now) >= Self.interval }) ?? true else { return }
        shown = text
        shownAt = .now
        write("\r\u{1B}[K\(text)")
    }

    /// Takes the line away.
    mutating func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        shown = ""
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        // Whoever watched may have gone, and then nobody misses it.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static let interval: Duration = .milliseconds(100)
}
