import Bytes

/// A search for nodes that keep an object, or will.
///
/// It is the body of a PROBE, which floods and leaves a trail, and everybody may answer it. Its length tells it from
/// the searches of the program above. Shape: 19 bytes: purpose (1) ‖ depth (1) ‖ first byte of the tag (1) ‖ random (8) ‖
/// hash of the tag under the random number (8). A search for keepers has of the first byte only the bits that the depth
/// counts, and no hash. So it does not name the object, and a fetch names it only to those who have it.
/// Source: PROTOCOL §5.5 holders.
struct Seek: Equatable, Sendable {
    /// The reason of a search.
    enum Purpose: UInt8, Sendable {
        /// Nodes are sought that will keep the object.
        case keep = 0
        /// Nodes are sought that have pieces of it.
        case fetch = 1
    }

    let purpose: Purpose
    /// The number of bits of the object's place that a keeper's place must have in common with it.
    ///
    /// 0 for a fetch.
    let depth: UInt8
    let firstByte: UInt8
    /// The number that makes each search another envelope.
    let number: UInt64
    let tagHash: UInt64

    static let byteCount = 19
    /// The largest depth of a search.
    static let maximumDepth: UInt8 = 8

    /// Creates a search for nodes that will keep what has this place.
    static func keepers(of place: UInt16, depth: UInt8, number: UInt64) -> Seek {
        let depth = min(depth, maximumDepth)
        let prefix = Shelf(of: place, depth: depth).prefix
        return Seek(purpose: .keep, depth: depth, firstByte: UInt8(prefix >> 8), number: number, tagHash: 0)
    }

    /// Creates a search for nodes that have pieces of an object, whose tag has this hash under the number.
    static func holders(of tag: ObjectTag, number: UInt64, tagHash: UInt64) -> Seek {
        let firstByte = UInt8(truncatingIfNeeded: tag.value >> 56)
        return Seek(purpose: .fetch, depth: 0, firstByte: firstByte, number: number, tagHash: tagHash)
    }

    /// A place of the objects that are sought.
    var place: UInt16 { UInt16(firstByte) << 8 }

    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.append(integer: purpose.rawValue)
        writer.append(integer: depth)
        writer.append(integer: firstByte)
        writer.append(integer: number)
        writer.append(integer: tagHash)
        return writer.bytes
    }
}

extension Seek {
    /// Decodes the body of a probe; returns nil for anything else.
    init?(decoding body: [UInt8]) {
        guard body.count == Self.byteCount else { return nil }
        var reader = ByteReader(body)
        guard let purpose = reader.integer(UInt8.self).flatMap(Purpose.init(rawValue:)),
            let depth = reader.integer(UInt8.self), depth <= Self.maximumDepth,
            let firstByte = reader.integer(UInt8.self),
            let number = reader.integer(UInt64.self), let tagHash = reader.integer(UInt64.self)
        else { return nil }
        self.init(purpose: purpose, depth: depth, firstByte: firstByte, number: number, tagHash: tagHash)
    }
}
