import Bytes

/// The name of an envelope: the hash of its immutable bytes, computed by every node and never sent.
///
/// Shape: 16 bytes. Source: PROTOCOL §2.
public struct EnvelopeID: Hashable, Sendable, Comparable {
    private let high: UInt64
    private let low: UInt64

    /// Makes an id from 16 bytes; any other length is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Shape: 16 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.append(integer: high)
        writer.append(integer: low)
        return writer.bytes
    }

    /// The first 8 bytes, by which neighbours name envelopes to each other.
    package var shortID: UInt64 { high }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: EnvelopeID, right: EnvelopeID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
