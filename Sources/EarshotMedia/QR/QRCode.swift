import CQREncode

/// A text as a square of dark and light modules, which cameras read.
///
/// Its error correction has level M, which tolerates 15 % of damage. Source: ISO/IEC 18004, by libqrencode.
public struct QRCode: Hashable, Sendable {
    /// Units: modules along an edge, without the quiet zone.
    public let edge: Int
    private let isDark: [Bool]

    /// Units: modules that stay light on each side.
    public static let quietZone = 4
    /// Units: bytes of UTF-8 of the longest text by default, so that a code fits a screen.
    public static let textByteCount = 512

    /// Draws a text; nil if it is empty, has a zero byte or is too long.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - byteCount: Units: bytes of UTF-8, the longest text to accept; no code holds more than 2,331.
    public init?(_ text: String, byteCount: Int = textByteCount) {
        guard !text.isEmpty, text.utf8.count <= byteCount, !text.utf8.contains(0),
            let symbol = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
        else { return nil }
        defer { QRcode_free(symbol) }
        let edge = Int(symbol.pointee.width)
        self.edge = edge
        isDark = UnsafeBufferPointer(start: symbol.pointee.data, count: edge * edge).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; those outside of the code are light.
    public subscript(column: Int, row: Int) -> Bool {
        guard (0..<edge).contains(column), (0..<edge).contains(row) else { return false }
        return isDark[row * edge + column]
    }
}
