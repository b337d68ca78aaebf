/// The nonce of a numbered packet, without a heap allocation.
///
/// Shape: 4 zero bytes, then the number, 8 bytes big-endian. Source: The Noise Protocol Framework, revision 34, section
/// 12.4.
struct PacketNonce {
    private let words: (UInt32, UInt32, UInt32)

    init(_ number: UInt64) {
        words = (0, UInt32(number >> 32).bigEndian, UInt32(truncatingIfNeeded: number).bigEndian)
    }

    /// Lends the 12 bytes to `body`.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: words, body)
    }

    /// The nonce as an array of 12 bytes.
    var bytes: [UInt8] { withBytes { Array($0) } }
}
