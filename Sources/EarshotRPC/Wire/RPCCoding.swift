import Earshot
package import Foundation

/// The JSON of every line: sorted keys, no line feeds, times in UTC with milliseconds.
package enum RPCCoding {
    /// Encodes a value as JSON without a line feed and without characters that control a terminal.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        escaped(Array(try JSONEncoder.ofLines.encode(value)))
    }

    /// Writes hazardous characters as `\uXXXX`.
    ///
    /// In JSON, such characters occur only in strings.
    private static func escaped(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            guard isHazardous(scalar) else {
                result += String(scalar).utf8
                continue
            }
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                result += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            }
        }
        return result
    }

    /// Whether a character could control a terminal, or reorder the text around it.
    package static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // Of the format characters, only the joiner that emoji need and the non-joiner are harmless.
        case .format: scalar.value != 0x200D && scalar.value != 0x200C
        default: false
        }
    }

    /// Decodes a value from JSON.
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

    /// Parses a time in RFC 3339 with milliseconds.
    package static func date(of text: String) -> Date? {
        try? Date(text, strategy: style)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
