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

extension TimeText {
    /// The moment that text says: RFC 3339, or a date with or without a time of day in the time zone of this machine.
    static func date(_ text: String) -> Date? {
        for hasFraction in [true, false] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            if let date = try? Date(text, strategy: style) { return date }
        }
        let halves = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard let day = halves.first.flatMap({ numbers($0, "-", [4, 2, 2]) }), halves.count <= 2 else { return nil }
        var time = [0, 0, 0]
        if halves.count == 2 {
            guard let clock = numbers(halves[1], ":", [2, 2]) ?? numbers(halves[1], ":", [2, 2, 2]) else { return nil }
            time.replaceSubrange(0..<clock.count, with: clock)
        }
        let calendar = Calendar(identifier: .gregorian)
        let components = DateComponents(
            timeZone: .current,
            year: day[0],
            month: day[1],
            day: day[2],
            hour: time[0],
            minute: time[1],
            second: time[2]
        )
        return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
    }

    /// Numbers of so many digits each, between separators.
    private static func numbers(_ text: Substring, _ separator: Character, _ digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == digits, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
            return nil
        }
        return parts.compactMap { Int($0) }
    }
}

/// A message's id or a time given as an option, as JSON-RPC takes it.
struct EdgeArgument: ExpressibleByArgument {
    let text: String

    /// Whether text is the id of a message.
    static func isMessage(_ text: String) -> Bool {
        text.count == 32 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    init?(argument: String) {
        let isID = Self.isMessage(argument)
        guard let text = isID ? argument.lowercased() : TimeText.date(argument).map(RPCCoding.text) else { return nil }
        self.text = text
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
