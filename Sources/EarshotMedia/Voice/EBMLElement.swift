import Bytes

/// The head of one element of a WebM file: its name and the number of its bytes.
///
/// Source: RFC 8794, 4 variable-size integers, 5 and 6 element id and size.
struct EBMLElement {
    /// The names that matter here, with their markers, as files hold them.
    enum Name {
        static let segment: UInt32 = 0x1853_8067
        static let tracks: UInt32 = 0x1654_AE6B
        static let track: UInt32 = 0xAE
        static let trackNumber: UInt32 = 0xD7
        static let codec: UInt32 = 0x86
        static let codecPrivate: UInt32 = 0x63A2
        static let encodings: UInt32 = 0x6D80
        static let cluster: UInt32 = 0x1F43_B675
        static let simpleBlock: UInt32 = 0xA3
        static let blockGroup: UInt32 = 0xA0
        static let block: UInt32 = 0xA1
        static let discardPadding: UInt32 = 0x75A2
    }

    /// The first bytes of a file of this kind.
    static let start: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    let name: UInt32
    /// Units: bytes; nil if the element lasts until an element follows that cannot be inside of it.
    let byteCount: Int?

    init?(_ reader: inout ByteReader) {
        guard let name = Self.variable(&reader, limit: 4, keepsMarker: true),
            let size = Self.variable(&reader, limit: 8, keepsMarker: false)
        else { return nil }
        self.name = UInt32(name.value)
        let isUnknown = size.value == UInt64(1) << (7 * UInt64(size.length)) - 1
        byteCount = isUnknown ? nil : Int(size.value)
    }

    /// Reads the next integer: the number of zero bits before its first one is the number of bytes that follow.
    static func variable(
        _ reader: inout ByteReader,
        limit: Int,
        keepsMarker: Bool
    ) -> (value: UInt64, length: Int)? {
        guard let first = reader.byte(), first.leadingZeroBitCount < limit else { return nil }
        let length = first.leadingZeroBitCount + 1
        let start = keepsMarker ? first : first & (0xFF >> UInt8(length))
        guard let rest = reader.take(length - 1) else { return nil }
        return (rest.reduce(UInt64(start)) { $0 << 8 | UInt64($1) }, length)
    }
}
