import Bytes

/// A payload on its way along a path: what goes from one end to the other, hop by hop, without a flood.
///
/// Shape: type 30 ‖ flags (1) ‖ hops (1) ‖ label (8) ‖ the answer's own label (8), if flagged ‖ payload (1 to 20,480).
/// Source: PROTOCOL §5.1.
public struct PathMessage: Hashable, Sendable {
    /// Units: bytes; half a chunk of a large object, and room to grow.
    public static let maximumPayloadByteCount = 20_480
    /// Units: bytes; what is larger goes with the bulk, whatever it says.
    public static let maximumControlByteCount = 1_024
    /// Units: bytes of a live payload: with type, flags, hops and label it fills the longest live datagram.
    public static let maximumLivePayloadByteCount = LinkProtocol.maximumLiveByteCount - 3 - PathLabel.byteCount

    /// The end that it goes to.
    public var to: PathLabel
    /// The answer's own label, which relays learn the way back to from it; nil for all later payloads.
    public var from: PathLabel?
    /// Counts up by one per link from a number of the sender's choice, 0 to 7; dropped at 255.
    public var hops: UInt8
    /// Whether it can wait: part of something large.
    public var isBulk: Bool
    /// Whether it is worth nothing later: then it is never sent twice, waits nowhere for long, and may be lost.
    ///
    /// Neither an answer nor bulk is live.
    public var isLive: Bool
    /// What the ends understand; 1 to 20,480 bytes, of a live one to 1,089.
    public var payload: [UInt8]

    /// Makes a message.
    public init(
        to: PathLabel,
        from: PathLabel? = nil,
        hops: UInt8,
        isBulk: Bool = false,
        isLive: Bool = false,
        payload: [UInt8]
    ) {
        self.to = to
        self.from = from
        self.hops = hops
        self.isBulk = isBulk
        self.isLive = isLive
        self.payload = payload
    }

    /// Whether it keeps to what the protocol allows.
    var isWellFormed: Bool { Self.allows(payload.count, isBulk: isBulk, isLive: isLive, isAnswer: from != nil) }

    /// Whether the protocol allows a payload of so many bytes with these flags.
    static func allows(_ byteCount: Int, isBulk: Bool, isLive: Bool, isAnswer: Bool) -> Bool {
        let limit = isLive ? maximumLivePayloadByteCount : maximumPayloadByteCount
        return (1...limit).contains(byteCount) && !(isLive && (isBulk || isAnswer))
    }
}

/// What neighbours say to each other about paths.
///
/// Source: PROTOCOL §5.1.
enum PathFrame: Equatable, Sendable {
    /// A payload for one end.
    case routed(PathMessage)
    /// There is no way to this label from here.
    case routeLost(PathLabel)

    /// Units: bytes of the longest message.
    static let maximumByteCount = 3 + 2 * PathLabel.byteCount + PathMessage.maximumPayloadByteCount

    static let routedType: UInt8 = 0x30
    private static let routeLostType: UInt8 = 0x31
    static let bulkFlag: UInt8 = 1
    static let answerFlag: UInt8 = 2
    static let liveFlag: UInt8 = 4

    /// Whether a message that begins with this byte is one of these.
    static func begins(with byte: UInt8?) -> Bool {
        byte == routedType || byte == routeLostType
    }

    init?(decoding bytes: [UInt8]) {
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

    func encoded() -> [UInt8] {
        switch self {
        case .routed(let message):
            var writer = ByteWriter(capacity: 3 + 2 * PathLabel.byteCount + message.payload.count)
            writer.append(integer: Self.routedType)
            writer.append(integer: Self.flags(of: message))
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

    private static func flags(of message: PathMessage) -> UInt8 {
        (message.isBulk ? bulkFlag : 0) | (message.from == nil ? 0 : answerFlag) | (message.isLive ? liveFlag : 0)
    }
}
