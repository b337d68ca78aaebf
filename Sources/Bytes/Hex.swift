/// Hexadecimal text for public bytes.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Formats each byte as two lower-case digits.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0F)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses hexadecimal text in either case; returns nil for anything else, including an odd number of digits.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let nibbles = text.utf8.map { value(of: $0) }
        guard nibbles.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nibbles.count / 2)
        for start in stride(from: 0, to: nibbles.count, by: 2) {
            guard let high = nibbles[start], let low = nibbles[start + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
