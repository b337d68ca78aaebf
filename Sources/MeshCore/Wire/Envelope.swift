import Bytes

/// The unit that relays forward: one opaque body with the one field that changes on the way.
///
/// Shape: version 1 << 4 | kind (1) ‖ life (2, ticks of 10 s) ‖ body. Source: PROTOCOL §2.
public struct Envelope: Hashable, Sendable {
    /// The kind of the body.
    public let kind: EnvelopeKind
    /// The remaining life of the envelope, at most 60,480 (7 days).
    ///
    /// Units: ticks of 10 s.
    public var life: UInt16
    /// The opaque content, which never changes.
    public let body: [UInt8]

    /// Creates an envelope.
    public init(kind: EnvelopeKind, life: UInt16, body: [UInt8]) {
        self.kind = kind
        self.life = life
        self.body = body
    }

    /// The first byte on the wire: version and kind.
    public var kindByte: UInt8 { Self.version << 4 | kind.rawValue }

    /// The protocol version of this code.
    public static let version: UInt8 = 1
    /// The size of the header before the body.
    ///
    /// Units: bytes.
    public static let headerByteCount = 3
    /// The size of the largest envelope: a bucket of 16 KiB, the release hash, and the seal of a mailbox.
    ///
    /// Units: bytes.
    public static let maximumByteCount = 16_384 + 16 + 48
    /// The longest life, which is 7 days.
    ///
    /// Units: ticks of 10 s.
    public static let maximumLife: UInt16 = 60_480

    /// Decodes an envelope; returns nil for an unknown version or a wrong length.
    public init?(decoding bytes: ArraySlice<UInt8>) {
        guard bytes.count > Self.headerByteCount, bytes.count <= Self.maximumByteCount else { return nil }
        var reader = ByteReader(bytes)
        guard let first = reader.integer(UInt8.self),
            let kind = EnvelopeKind(firstByte: first),
            let life = reader.integer(UInt16.self)
        else { return nil }
        self.init(kind: kind, life: life, body: Array(reader.takeRest()))
    }

    /// Encodes the envelope.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.headerByteCount + body.count)
        writer.append(integer: kindByte)
        writer.append(integer: life)
        writer.append(body)
        return writer.bytes
    }
}
