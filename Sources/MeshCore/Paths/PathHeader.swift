import Bytes

/// What a relay reads of a payload on its way; the payload itself stays where it is.
///
/// Source: PROTOCOL §5.1.
struct PathHeader {
    private static let hopsPlace = 2

    let hops: UInt8
    let to: PathLabel
    let from: PathLabel?
    let isBulk: Bool
    let isLive: Bool
    /// Units: bytes.
    let payloadByteCount: Int

    /// Reads the header of a ROUTED; nil for anything else.
    init?(of bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == PathFrame.routedType, let flags = reader.integer(UInt8.self),
            flags & ~(PathFrame.bulkFlag | PathFrame.answerFlag | PathFrame.liveFlag) == 0,
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
        payloadByteCount = reader.remainingCount
        guard PathMessage.allows(payloadByteCount, isBulk: isBulk, isLive: isLive, isAnswer: from != nil) else {
            return nil
        }
    }

    /// The message that this is the header of.
    func message(in bytes: [UInt8], hops: UInt8) -> PathMessage {
        PathMessage(
            to: to,
            from: from,
            hops: hops,
            isBulk: isBulk,
            isLive: isLive,
            payload: Array(bytes.suffix(payloadByteCount))
        )
    }

    /// The message's bytes with one hop more; it has at most 254.
    func raisingHops(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[Self.hopsPlace] = hops + 1
        return bytes
    }
}
