/// The 32-bit cyclic redundancy check of Ethernet.
///
/// It detects damage; it does not authenticate the writer.
///
/// Source: ISO 3309, reflected polynomial EDB88320.
struct CRC32: Sendable {
    private var state: UInt32 = .max

    /// The check of all bytes so far.
    var value: UInt32 { ~state }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            state = state >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}
