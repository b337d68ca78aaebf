import Bytes

/// The messages by which neighbours keep the tree that envelopes spread along.
///
/// Shape: type (1) ‖ short ids (8 each). Source: PROTOCOL §5 flooding and store.
package enum TreeMessage: Equatable, Sendable {
    /// These envelopes are here, and are sent to whoever asks.
    case announce([UInt64])
    /// These envelopes are wanted, and from now on all others unasked.
    case graft([UInt64])
    /// Envelopes come by another way too: from now on they are only to be announced.
    case prune

    /// The short id that stands for no envelope: a graft of it asks for nothing, and still makes the link eager.
    static let nothing: UInt64 = 0
    /// The number of short ids in one message.
    package static let idLimit = 60
    private static let announceType: UInt8 = 0x20
    private static let graftType: UInt8 = 0x21
    private static let pruneType: UInt8 = 0x22

    /// Whether a message that begins with this byte is one of the tree's.
    static func isType(_ first: UInt8) -> Bool { (announceType...pruneType).contains(first) }

    /// Reads a message; nil if it is none of these.
    package init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let type = reader.integer(UInt8.self), reader.remainingCount % 8 == 0 else { return nil }
        let count = reader.remainingCount / 8
        guard type == Self.pruneType ? count == 0 : (1...Self.idLimit).contains(count) else { return nil }
        let ids = (0..<count).compactMap { _ in reader.integer(UInt64.self) }
        switch type {
        case Self.announceType: self = .announce(ids)
        case Self.graftType: self = .graft(ids)
        case Self.pruneType: self = .prune
        default: return nil
        }
    }

    /// The bytes on the wire.
    package func encoded() -> [UInt8] {
        switch self {
        case .announce(let ids): Self.encode(ids, type: Self.announceType)
        case .graft(let ids): Self.encode(ids, type: Self.graftType)
        case .prune: [Self.pruneType]
        }
    }

    private static func encode(_ ids: [UInt64], type: UInt8) -> [UInt8] {
        precondition(!ids.isEmpty && ids.count <= idLimit, "1 to \(idLimit) ids")
        var writer = ByteWriter(capacity: 1 + ids.count * 8)
        writer.append(integer: type)
        for id in ids {
            writer.append(integer: id)
        }
        return writer.bytes
    }
}
