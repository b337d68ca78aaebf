import Bytes

/// A payload on a path.
///
/// It goes from one end to the other, hop by hop, without a flood.
///
/// Shape: type 30 ‖ flags (1) ‖ hops (1) ‖ label (8) ‖ the answer's own label (8), if flagged ‖ payload (1 to 20,480).
/// Source: PROTOCOL §5.1.
public struct PathMessage: Hashable, Sendable {
    /// The largest payload: half a chunk of a large object, with a reserve.
    ///
    /// Units: bytes.
    public static let maximumPayloadByteCount = 20_480
    /// The largest payload that can go ahead of bulk.
    ///
    /// A larger one goes with the bulk, whatever its flags. Units: bytes.
    public static let maximumControlByteCount = 1_024
    /// The largest envelope that a path carries.
    ///
    /// Units: bytes. Source: PROTOCOL §2.
    public static let maximumEnvelopeByteCount = 2_084
    /// The largest live payload.
    ///
    /// With type, flags, hops and label it fills the longest live datagram. Units: bytes.
    public static let maximumLivePayloadByteCount = LinkProtocol.maximumLiveByteCount - 3 - PathLabel.byteCount

    /// The destination end.
    public var to: PathLabel
    /// The answer's own label, from which relays learn the way back; nil for all later payloads.
    public var from: PathLabel?
    /// The hop count.
    ///
    /// It starts at a number of the sender's choice from 0 to 7 and increases by one per link; a message at 255 is
    /// dropped.
    public var hops: UInt8
    /// Whether the payload can wait, because it is part of something large.
    public var isBulk: Bool
    /// Whether the payload loses its value if it is late.
    ///
    /// It is then never sent twice, does not wait long anywhere, and may be lost.
    ///
    /// Neither an answer nor bulk is live.
    public var isLive: Bool
    /// Whether the payload is a whole envelope, with the bytes that a post of it has.
    ///
    /// It is neither bulk nor live.
    public var isEnvelope: Bool
    /// The content for the ends; 1 to 20,480 bytes, for a live one up to 1,089, for an envelope up to 2,084.
    public var payload: [UInt8]

    /// Creates a message.
    public init(
        to: PathLabel,
        from: PathLabel? = nil,
        hops: UInt8,
        isBulk: Bool = false,
        isLive: Bool = false,
        isEnvelope: Bool = false,
        payload: [UInt8]
    ) {
        self.to = to
        self.from = from
        self.hops = hops
        self.isBulk = isBulk
        self.isLive = isLive
        self.isEnvelope = isEnvelope
        self.payload = payload
    }

    /// Whether the message is within the limits of the protocol.
    var isWellFormed: Bool { PathFrame.allows(flags, payloadByteCount: payload.count) }

    /// The flags on the wire.
    var flags: UInt8 {
        (isBulk ? PathFrame.bulkFlag : 0) | (from == nil ? 0 : PathFrame.answerFlag)
            | (isLive ? PathFrame.liveFlag : 0) | (isEnvelope ? PathFrame.envelopeFlag : 0)
    }
}

/// The messages of neighbours about paths.
///
/// Source: PROTOCOL §5.1.
package enum PathFrame: Equatable, Sendable {
    /// A payload for one end.
    case routed(PathMessage)
    /// The sender knows no path to this label.
    case routeLost(PathLabel)

    /// The size of the longest message.
    ///
    /// Units: bytes.
    static let maximumByteCount = 3 + 2 * PathLabel.byteCount + PathMessage.maximumPayloadByteCount

    static let routedType: UInt8 = 0x30
    private static let routeLostType: UInt8 = 0x31
    static let bulkFlag: UInt8 = 1
    static let answerFlag: UInt8 = 2
    static let liveFlag: UInt8 = 4
    static let envelopeFlag: UInt8 = 8
    static let knownFlags = bulkFlag | answerFlag | liveFlag | envelopeFlag

    /// Returns whether the protocol allows a payload of this size with these flags.
    static func allows(_ flags: UInt8, payloadByteCount: Int) -> Bool {
        if flags & liveFlag != 0 {
            return flags == liveFlag && (1...PathMessage.maximumLivePayloadByteCount).contains(payloadByteCount)
        }
        if flags & envelopeFlag != 0 {
            return flags & bulkFlag == 0 && (1...PathMessage.maximumEnvelopeByteCount).contains(payloadByteCount)
        }
        return (1...PathMessage.maximumPayloadByteCount).contains(payloadByteCount)
    }

    /// Returns whether a message that begins with this byte is one of these.
    static func begins(with byte: UInt8?) -> Bool {
        byte == routedType || byte == routeLostType
    }

    /// Decodes a message; returns nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        if let header = PathHeader(of: bytes) {
            self = .routed(header.message(in: bytes, hops: header.hops))
            return
        }
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == Self.routeLostType, let label = reader.integer(UInt64.self),
            reader.isAtEnd
        else { return nil }
        self = .routeLost(PathLabel(label))
    }

    /// Encodes the message.
    package func encoded() -> [UInt8] {
        switch self {
        case .routed(let message):
            var writer = ByteWriter(capacity: 3 + 2 * PathLabel.byteCount + message.payload.count)
            writer.append(integer: Self.routedType)
            writer.append(integer: message.flags)
            writer.append(integer: message.hops)
            writer.append(integer: message.to.value)
            if let from = message.from { writer.append(integer: from.value) }
            writer.append(message.payload)
            return writer.bytes
        case .routeLost(let label):
            var writer = ByteWriter(capacity: 1 + PathLabel.byteCount)
            writer.append(integer: Self.routeLostType)
            writer.append(integer: label.value)
            return writer.bytes
        }
    }
}
