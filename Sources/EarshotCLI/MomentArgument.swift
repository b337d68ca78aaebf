import ArgumentParser
import Foundation

/// A moment as an option: a day, or a day and time, in this machine's zone, a time of RFC 3339, or a span before now.
struct MomentArgument: ExpressibleByArgument {
    let date: Date

    static let help = "2026-11-22, '2026-11-22 18:30', RFC 3339, or a time ago: 30m, 24h, 7d"

    init?(argument: String) {
        guard let date = Self.date(of: argument, now: Date(), zone: .current) else { return nil }
        self.date = date
    }

    /// Parses a moment.
    static func date(of text: String, now: Date, zone: TimeZone) -> Date? {
        if let days = text.hasSuffix("d") ? Int(text.dropLast()) : nil, (0...100_000).contains(days) {
            return now.addingTimeInterval(-86_400 * Double(days))
        }
        if text.last?.isLetter == true, let span = TimeText.duration(text) {
            return now.addingTimeInterval(-Double(span.components.seconds))
        }
        let isDay = text.wholeMatch(of: /\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?/) != nil
        let written = text.replacing("T", with: " ")
        for format in ["yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss"] where isDay {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = zone
            formatter.isLenient = false
            formatter.dateFormat = format
            if written.utf8.count == format.utf8.count, let date = formatter.date(from: written) { return date }
        }
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        return styles.lazy.compactMap { try? Date(text, strategy: $0) }.first
    }
}
