import Earshot
package import Foundation

/// JSON as every line has it: sorted keys, no line feeds, times in UTC with milliseconds.
package enum RPCCoding {
    /// The JSON of a value, without a line feed.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp(date).text)
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
}
