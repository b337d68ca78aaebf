package import Foundation

/// JSON as every line has it: sorted keys, no line feeds, times in UTC with milliseconds.
package enum RPCCoding {
    /// The JSON of a value, without a line feed.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Self.text(of: date))
        }
        return Array(try encoder.encode(value))
    }

    /// The value that JSON holds.
    package static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = Self.date(of: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return try decoder.decode(type, from: Data(json))
    }

    /// A time as RFC 3339 with milliseconds in UTC, for the years 1970 to 9999; any other becomes the nearest of these.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        let bounded = min(max(milliseconds, earliest), latest)
        // The half millisecond keeps a binary fraction just below from being cut down to the one before.
        return Date(timeIntervalSince1970: (bounded + 0.5) / 1_000).formatted(style)
    }

    /// The time that RFC 3339 text with milliseconds says.
    package static func date(of text: String) -> Date? {
        try? Date(text, strategy: style)
    }

    /// A short time in seconds, to the microsecond.
    package static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000) / 1_000_000
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// Units: milliseconds since 1970, below which no message's clock goes.
    private static let earliest = 0.0
    /// Units: milliseconds since 1970 of 9999-12-31T23:59:59.999Z.
    private static let latest = 253_402_300_799_999.0
}
