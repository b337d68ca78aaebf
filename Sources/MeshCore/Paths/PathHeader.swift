import Bytes

/// The part of a payload message that a relay reads.
///
/// The payload itself stays in place.
///
/// Source: PROTOCOL §5.1.
struct PathHeader {
    private static let hopsOffset = 2

    let hops: UInt8
    let to: PathLabel
    let from: PathLabel?
    let isBulk: Bool
    let isLive: Bool
    let isEnvelope: Bool
    /// The size of the payload.
    ///
    /// Units: bytes.
    let payloadByteCount: Int

    /// Decodes the header of a ROUTED message; returns nil for anything else.
    init?(of bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == PathFrame.routedType, let flags = reader.integer(UInt8.self),
            flags & ~PathFrame.knownFlags == 0,
            let hops = reader.integer(UInt8.self), let to = reader.integer(UInt64.self)
        else { return nil }
        var from: PathLabel?
        if flags & PathFrame.answerFlag != 0 {
            guard let label = reader.integer(UInt64.self) else { return nil }
            from = PathLabel(label)
        }
        self.hops = hops
        self.to = PathLabel(to)
        self.from = from
        isBulk = flags & PathFrame.bulkFlag != 0
        isLive = flags & PathFrame.liveFlag != 0
        isEnvelope = flags & PathFrame.envelopeFlag != 0
        payloadByteCount = reader.remainingCount
        guard PathFrame.allows(flags, payloadByteCount: payloadByteCount) else { return nil }
    }

    /// Returns the message with this header.
    func message(in bytes: [UInt8], hops: UInt8) -> PathMessage {
        PathMessage(
            to: to,
            from: from,
            hops: hops,
            isBulk: isBulk,
            isLive: isLive,
            isEnvelope: isEnvelope,
            payload: Array(bytes.suffix(payloadByteCount))
        )
    }

    /// Returns the message's bytes with one more hop.
    ///
    /// The hop count is at most 254.
    func raisingHops(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[Self.hopsOffset] = hops + 1
        return bytes
    }
}
