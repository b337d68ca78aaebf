import Bytes

/// The identifier of an envelope: the hash of its immutable bytes.
///
/// Every node computes it; it is never sent.
///
/// Shape: 16 bytes. Source: PROTOCOL §2.
public struct EnvelopeID: Hashable, Sendable, Comparable {
    private let high: UInt64
    private let low: UInt64

    /// Creates an id from 16 bytes; returns nil for any other length.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The bytes of the id.
    ///
    /// Shape: 16 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.append(integer: high)
        writer.append(integer: low)
        return writer.bytes
    }

    /// The first 8 bytes, with which neighbours identify envelopes to each other.
    package var shortID: UInt64 { high }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: EnvelopeID, right: EnvelopeID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
