import Foundation

/// A search for a sequence of bytes, as fast as the system finds one byte.
///
/// It looks for the byte of the needle that is rarest in texts, and compares the rest there.
struct ByteSearch {
    private let needle: [UInt8]
    /// The position in the needle of its rarest byte.
    private let rarest: Int

    /// Prepares a search for at least one byte.
    init(_ needle: [UInt8]) {
        precondition(!needle.isEmpty, "nothing is found everywhere")
        self.needle = needle
        rarest = needle.indices.min { Self.frequency(needle[$0]) < Self.frequency(needle[$1]) } ?? 0
    }

    /// Returns the position of the needle's first occurrence.
    func first(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, bytes.count >= needle.count else { return nil }
        let byte = Int32(needle[rarest])
        let end = bytes.count - needle.count + rarest
        var place = rarest
        while place <= end, let found = memchr(base + place, byte, end - place + 1) {
            let start = UnsafeRawPointer(found) - base - rarest
            if memcmp(base + start, needle, needle.count) == 0 { return start }
            place = start + rarest + 1
        }
        return nil
    }

    /// Returns how common a byte is in folded text, roughly.
    private static func frequency(_ byte: UInt8) -> Int {
        if let rank = common[byte] { return rank }
        // The bytes that begin letters of other scripts are the same for hundreds of them.
        return byte >= 0xC0 ? 64 : byte >= 0x80 ? 4 : 2
    }

    private static let common: [UInt8: Int] = Dictionary(
        uniqueKeysWithValues: " etaoinsrhldcumfpgwybvk".utf8.reversed().enumerated().map { ($1, $0 + 8) }
    )
}
