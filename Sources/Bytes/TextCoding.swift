extension LosslessStringConvertible {
    /// Decodes a value from one string, its description.
    ///
    /// - Parameter name: The kind of the value, as an error names it.
    /// - Throws: `DecodingError.dataCorrupted` for a string that is no description of a value.
    public init(textFrom decoder: any Decoder, of name: String) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try decoder.checked(Self(text), "'\(text.prefix(100))' is no \(name).")
    }

    /// Encodes the value as one string, its description.
    public func encodeText(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Decoder {
    /// Returns a decoded value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with this problem for nil.
    public func checked<Value>(_ value: Value?, _ problem: String) throws -> Value {
        guard let value else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
        }
        return value
    }
}
