import Bytes

/// Padding that hides the length of content: every envelope has one of seven sizes.
///
/// Shape: length of the content (2) ‖ content ‖ rest. The rest fills the bucket; in a session message it holds a section
/// of the key exchange, everywhere else zeros. Source: PROTOCOL §2, §8.
enum Padding {
    /// Units: bytes of envelope header and body, without the release hash.
    static let buckets = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384]
    /// The buckets of messages with two or more contents.
    static let packBuckets: Set<Int> = [256, 1_024, 4_096, 16_384]
    /// Units: bytes of every path probe.
    static let probeBucket = 256
    /// Units: bytes that count for the envelope's header, which has one byte less.
    static let envelopeHeaderByteCount = 4
    /// Units: bytes of the length before the content.
    static let lengthByteCount = 2

    /// Pads content with zeros to the smallest bucket that it fits; nil if it fits none.
    ///
    /// - Parameter overheadByteCount: the bytes of the envelope in addition to the padded content and the release hash.
    static func pad(_ content: [UInt8], overheadByteCount: Int, buckets: [Int] = buckets) -> [UInt8]? {
        restByteCount(content.count, overheadByteCount, buckets).map { count in
            length(content.count) + content + [UInt8](repeating: 0, count: count)
        }
    }

    /// Pads the contents of one message, so that the size tells their number by a factor of four.
    ///
    /// Two or more contents take one of four buckets. If that one is more than twice what each of them alone would take
    /// together, they take the smallest that they fit. A message without contents ends a session.
    static func pad(items contents: [[UInt8]], overheadByteCount: Int, buckets: [Int]) -> [UInt8]? {
        let items = MessageItems.encode(contents)
        let smallest = pad(items, overheadByteCount: overheadByteCount, buckets: buckets)
        guard contents.count > 1 else { return smallest }
        let alone = contents.reduce(0) { sum, content in
            let count = MessageItems.byteCount(of: content)
            return sum + bucket(of: count, overheadByteCount, buckets, orNone: 0)
        }
        let packed = buckets.filter { packBuckets.contains($0) && $0 <= 2 * alone }
        return pad(items, overheadByteCount: overheadByteCount, buckets: packed) ?? smallest
    }

    /// Pads secret content, without a copy outside of secret memory.
    static func pad(_ content: SecretBytes, overheadByteCount: Int) -> SecretBytes? {
        restByteCount(content.count, overheadByteCount, buckets).map { count in
            var writer = SecretWriter()
            writer.append(length(content.count))
            writer.append(content)
            writer.append([UInt8](repeating: 0, count: count))
            return writer.finish()
        }
    }

    /// Pads content of at most 65,535 bytes with zeros to a multiple of `unit` bytes.
    static func pad(_ content: [UInt8], toMultipleOf unit: Int) -> [UInt8] {
        let surplus = (lengthByteCount + content.count) % unit
        return length(content.count) + content + [UInt8](repeating: 0, count: surplus == 0 ? 0 : unit - surplus)
    }

    /// Splits padded content; nil if the length is wrong.
    static func split(_ padded: [UInt8]) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        var reader = ByteReader(padded)
        guard let count = reader.integer(UInt16.self), let content = reader.take(Int(count)) else { return nil }
        return (content, reader.takeRest())
    }

    /// The items of a session message, and its section, which is empty where there is no room for one; nil if a rest
    /// that is too short for a section is not zeros.
    static func itemsAndSection(in padded: [UInt8]) -> (items: ArraySlice<UInt8>, section: ArraySlice<UInt8>)? {
        guard let (items, rest) = split(padded) else { return nil }
        guard rest.count < KEMExchange.sectionHeaderByteCount else { return (items, rest) }
        return rest.allSatisfy { $0 == 0 } ? (items, []) : nil
    }

    /// Removes padding of zeros; nil for any other padding.
    static func strip(_ padded: [UInt8]) -> ArraySlice<UInt8>? {
        guard let (content, rest) = split(padded), rest.allSatisfy({ $0 == 0 }) else { return nil }
        return content
    }

    /// Removes padding of zeros from a secret; nil for any other padding.
    static func strip(_ padded: SecretBytes) -> SecretBytes? {
        let end = padded.withBytes { bytes -> Int? in
            guard bytes.count >= lengthByteCount else { return nil }
            let end = lengthByteCount + Int(bytes[0]) << 8 + Int(bytes[1])
            return end <= bytes.count && bytes[end...].allSatisfy { $0 == 0 } ? end : nil
        }
        return end.map { padded.slice(lengthByteCount..<$0) }
    }

    /// The bytes between the content and the end of the smallest bucket that it fits; nil if it fits none.
    private static func restByteCount(_ contentByteCount: Int, _ overheadByteCount: Int, _ buckets: [Int]) -> Int? {
        let needed = overheadByteCount + lengthByteCount + contentByteCount
        return buckets.first { $0 >= needed }.map { $0 - needed }
    }

    private static func bucket(of byteCount: Int, _ overhead: Int, _ buckets: [Int], orNone none: Int) -> Int {
        buckets.first { $0 >= overhead + lengthByteCount + byteCount } ?? none
    }

    private static func length(_ count: Int) -> [UInt8] { UInt16(count).bigEndianBytes }
}
