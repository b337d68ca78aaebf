import Bytes

/// A post for all nodes of a segment, in one datagram by multicast.
///
/// Shape: at most 1,232 bytes, big-endian: "EAR1" ‖ type and version 0x21 ‖ reserved (1) ‖ unicast port (2) ‖ node id (8)
/// ‖ envelope. It proves nothing: the envelope is checked like any other, and the node that sent it is a hint.
/// Source: PROTOCOL §5 pushes.
package struct PushDatagram: Equatable {
    static let typeAndVersion: UInt8 = 0x21
    static let headerByteCount = 16
    static let maximumByteCount = 1_232

    /// The port of the sender's unicast socket on the interface and family of the datagram; never 0.
    var unicastPort: UInt16
    /// The sender.
    var node: NodeID
    /// The encoded envelope.
    var envelope: [UInt8]

    /// Encodes the datagram.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.headerByteCount + envelope.count)
        writer.append(Beacon.magic)
        writer.append(integer: Self.typeAndVersion)
        writer.append(integer: 0 as UInt8)
        writer.append(integer: unicastPort)
        writer.append(integer: node.value)
        writer.append(envelope)
        return writer.bytes
    }

    /// Returns whether bytes begin as a push does.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.count > headerByteCount && bytes[4] == typeAndVersion && bytes.prefix(4).elementsEqual(Beacon.magic)
    }
}

extension PushDatagram {
    /// Decodes a datagram, whose envelope is not checked; returns nil if the bytes are no push.
    init?(decoding bytes: [UInt8]) {
        guard Self.begins(bytes), bytes.count <= Self.maximumByteCount else { return nil }
        var reader = ByteReader(bytes[...])
        guard reader.take(6) != nil, let port = reader.integer(UInt16.self), port != 0,
            let node = reader.integer(UInt64.self), let envelope = reader.take(reader.remainingCount)
        else { return nil }
        self.init(unicastPort: port, node: NodeID(node), envelope: Array(envelope))
    }
}
