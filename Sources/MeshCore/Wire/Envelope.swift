import Bytes

/// What relays pass on: one opaque body with the two fields that change on the way.
///
/// Shape: version 1 << 4 | kind (1) ‖ hops (1) ‖ life (2, ticks of 10 s) ‖ body. Source: PROTOCOL §2.
public struct Envelope: Hashable, Sendable {
    /// What kind of body it carries.
    public let kind: EnvelopeKind
    /// Counts up by one per relay from a random 0 to 7; dropped at 255.
    public var hops: UInt8
    /// Units: ticks of 10 s that the envelope may still live, at most 60,480 (7 days).
    public var life: UInt16
    /// The immutable rest.
    public let body: [UInt8]

    /// Makes an envelope.
    public init(kind: EnvelopeKind, hops: UInt8, life: UInt16, body: [UInt8]) {
        self.kind = kind
        self.hops = hops
        self.life = life
        self.body = body
    }

    /// The first byte on the wire: version and kind.
    public var kindByte: UInt8 { Self.version << 4 | kind.rawValue }

    /// The version this code speaks.
    public static let version: UInt8 = 1
    /// Units: bytes before the body.
    public static let headerByteCount = 4
    /// Units: bytes; the largest envelope is 16 KiB of bucket, the release hash and the header.
    public static let maximumByteCount = 16_384 + 16
    /// Units: ticks of 10 s in 7 days.
    public static let maximumLife: UInt16 = 60_480

    /// Reads an envelope off the wire; nil for an unknown version or a wrong length.
    public init?(decoding bytes: ArraySlice<UInt8>) {
        guard bytes.count > Self.headerByteCount, bytes.count <= Self.maximumByteCount else { return nil }
        var reader = ByteReader(bytes)
        guard let first = reader.integer(UInt8.self),
            let kind = EnvelopeKind(firstByte: first),
            let hops = reader.integer(UInt8.self),
            let life = reader.integer(UInt16.self)
        else { return nil }
        self.init(kind: kind, hops: hops, life: life, body: Array(reader.takeRest()))
    }

    /// The envelope's bytes on the wire.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.headerByteCount + body.count)
        writer.append(integer: kindByte)
        writer.append(integer: hops)
        writer.append(integer: life)
        writer.append(body)
        return writer.bytes
    }
}
