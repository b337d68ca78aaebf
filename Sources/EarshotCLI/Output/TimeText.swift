import ArgumentParser
import EarshotRPC
import Foundation

/// Times and spans as people write them.
enum TimeText {
    /// A moment in the time zone of this machine, to the second.
    static func moment(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
                .year().month().day().time(includingFractionalSeconds: false)
        )
    }

    /// A span in its largest unit.
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

    /// A span of so many seconds, at most a thousand million of them, in its largest unit.
    static func span(seconds: Double) -> String {
        span(.seconds(seconds > 0 ? min(seconds, 1e9) : 0))
    }

    /// A time there and back, from its seconds, with three digits that count.
    static func roundTrip(_ seconds: Double) -> String {
        let milliseconds = seconds * 1_000
        return switch milliseconds {
        case ..<10: String(format: "%.2f ms", milliseconds)
        case ..<100: String(format: "%.1f ms", milliseconds)
        default: String(format: "%.0f ms", milliseconds)
        }
    }

    /// The span that text such as `500ms`, `30s`, `2m` or `1h` says; a bare number is seconds.
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

/// A span given as an option.
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
