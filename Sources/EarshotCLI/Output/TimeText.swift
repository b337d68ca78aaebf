import ArgumentParser
import EarshotRPC
import Foundation

/// The formats of times and spans.
enum TimeText {
    /// Formats a moment in the time zone of this machine, to the second.
    static func moment(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
                .year().month().day().time(includingFractionalSeconds: false)
        )
    }

    /// Formats a span in its largest unit.
    static func span(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<1: "\(duration.components.attoseconds / 1_000_000_000_000_000) ms"
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// Formats a span of seconds, at most a thousand million of them, in its largest unit.
    static func span(seconds: Double) -> String {
        span(.seconds(seconds > 0 ? min(seconds, 1e9) : 0))
    }

    /// Formats a span of whole seconds, at most a thousand million of them, in words, by the largest unit that fits.
    static func words(seconds: Double) -> String {
        let seconds = Int(seconds > 0 ? min(seconds, 1e9) : 0)
        let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        let (size, name) = units.first { seconds > 0 && seconds.isMultiple(of: $0.0) } ?? (1, "second")
        let count = seconds / size
        return "\(count) \(name)\(count == 1 ? "" : "s")"
    }

    /// Formats a span of whole seconds, at most a thousand million of them, as ``duration(_:)`` reads it.
    static func short(seconds: Double) -> String {
        let seconds = Int(seconds > 0 ? min(seconds, 1e9) : 0)
        let units = [(3_600, "h"), (60, "m"), (1, "s")]
        let (size, name) = units.first { seconds > 0 && seconds.isMultiple(of: $0.0) } ?? (1, "s")
        return "\(seconds / size)\(name)"
    }

    /// Formats a round-trip time in seconds as milliseconds, with about three significant digits.
    static func roundTrip(_ seconds: Double) -> String {
        let milliseconds = seconds * 1_000
        return switch milliseconds {
        case ..<10: String(format: "%.2f ms", milliseconds)
        case ..<100: String(format: "%.1f ms", milliseconds)
        default: String(format: "%.0f ms", milliseconds)
        }
    }

    /// Parses a span such as `500ms`, `30s`, `2m` or `1h`; a bare number is seconds.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= 1_000_000_000 else { return nil }
        return switch text.dropFirst(digits.count) {
        case "ms": .milliseconds(count)
        case "s", "": .seconds(count)
        case "m", "min": .seconds(count * 60)
        case "h": .seconds(count * 3_600)
        default: nil
        }
    }
}

/// A span as an option.
struct SpanArgument: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        guard let duration = TimeText.duration(argument) else { return nil }
        self.duration = duration
    }

    var defaultValueDescription: String { "\(duration.components.seconds)s" }
}
