package import Foundation

/// The name a client gives its request; the answer carries the same.
package enum RPCIdentifier: Hashable, Sendable, Codable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// Any other number, given back digit for digit as far as 38 digits go.
    case number(Decimal)
    /// The null that a client sent, or that stands for a request whose id cannot be read.
    case null

    /// Reads a string, a number or null; anything else is no id.
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

    /// Writes it as it came.
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
