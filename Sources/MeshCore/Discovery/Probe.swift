import Bytes

/// A datagram of a doctor that examines the network: a question to a group, or the answer to one.
///
/// It begins like a beacon but has a different type, so every node drops it. A resting node then sends its next beacon
/// sooner.
/// Shape: 21 bytes, big-endian: "EAR1" ‖ type and version 0x11 ‖ asker (8) ‖ answerer (8, 0 in a question).
/// Source: PROTOCOL §4.
package struct Probe: Equatable, Sendable {
    /// The random number of the run that asks.
    package var asker: UInt64
    /// The random number of the run that answers; nil in a question.
    package var answerer: UInt64?

    static let typeAndVersion: UInt8 = 0x11
    static let byteCount = 21

    /// Creates a question, or, with an answerer other than 0, the answer to one.
    package init(asker: UInt64, answerer: UInt64? = nil) {
        self.asker = asker
        self.answerer = answerer == 0 ? nil : answerer
    }

    /// Decodes a probe; returns nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        var reader = ByteReader(bytes)
        guard let magic = reader.take(4), magic.elementsEqual(Beacon.magic),
            reader.integer(UInt8.self) == Self.typeAndVersion,
            let asker = reader.integer(UInt64.self),
            let answerer = reader.integer(UInt64.self)
        else { return nil }
        self.init(asker: asker, answerer: answerer)
    }

    /// Encodes the probe.
    package func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.append(Beacon.magic)
        writer.append(integer: Self.typeAndVersion)
        writer.append(integer: asker)
        writer.append(integer: answerer ?? 0)
        return writer.bytes
    }
}
