package import Foundation

/// The ID that a client gives its request; the answer carries the same ID.
package enum RPCIdentifier: Hashable, Sendable, Codable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// Any other number, returned digit for digit up to 38 digits.
    case number(Decimal)
    /// The null that a client sent, or that stands for a request whose ID cannot be read.
    case null

    /// Reads a string, a number or null; any other value is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else {
            self = .number(try container.decode(Decimal.self))
        }
    }

    /// Writes the ID in the form in which it arrived.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let string): try container.encode(string)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .null: try container.encodeNil()
        }
    }
}
