import Bytes

/// One page of an Ogg file.
///
/// Source: RFC 3533, 6.
struct OggPage {
    /// The length of a segment that is followed by more of its packet.
    static let segmentByteCount = 255

    /// Whether it begins inside of a packet.
    let isContinued: Bool
    let isLast: Bool
    /// Units: samples up to its end.
    let position: Int64
    let serial: UInt32
    let segments: [ArraySlice<UInt8>]

    /// Reads the next page; nil if there is none, or if its checksum is wrong.
    init?(_ reader: inout ByteReader) {
        var ahead = reader
        guard ahead.take(4)?.begins(with: "OggS") == true, ahead.byte() == 0, let flags = ahead.byte(),
            let position = ahead.littleEndian(Int64.self), let serial = ahead.littleEndian(UInt32.self), ahead.skip(4),
            let checksum = ahead.littleEndian(UInt32.self), let count = ahead.byte(),
            let lengths = ahead.take(Int(count))
        else { return nil }
        var segments: [ArraySlice<UInt8>] = []
        for length in lengths {
            guard let segment = ahead.take(Int(length)) else { return nil }
            segments.append(segment)
        }
        guard let whole = reader.take(reader.remainingCount - ahead.remainingCount),
            OggChecksum.of(whole) == checksum
        else { return nil }
        isContinued = flags & 1 != 0
        isLast = flags & 4 != 0
        self.position = position
        self.serial = serial
        self.segments = segments
    }
}

/// The checksum of a page: a 32-bit CRC that begins and ends with 0, the highest bit first.
///
/// Source: RFC 3533, 6, with the polynomial 0x04C11DB7.
enum OggChecksum {
    /// The position of the checksum itself, which counts as 0.
    static let place = 22..<26

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }

    static func of(_ page: some Collection<UInt8>) -> UInt32 {
        var sum: UInt32 = 0
        for (offset, byte) in page.enumerated() {
            let value = place ~= offset ? 0 : byte
            sum = sum << 8 ^ table[Int(UInt8(sum >> 24) ^ value)]
        }
        return sum
    }
}
