import Bytes

extension [UInt8] {
    /// Reads hexadecimal digits; nil for an odd number or another character.
    package init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self = bytes
    }
}

extension Sequence<UInt8> {
    /// The bytes as text.
    ///
    /// Shape: two lower-case hexadecimal digits a byte.
    package var hex: String { Hex.text(self) }
}
