import Bytes

/// The messages with which neighbours maintain the tree along which envelopes spread.
///
/// Shape: type (1) ‖ short ids (8 each). Source: PROTOCOL §5 flooding and store.
package enum TreeMessage: Equatable, Sendable {
    /// The sender has these envelopes and sends them on request.
    case announce([UInt64])
    /// The sender requests these envelopes, and from now on all others without a request.
    case graft([UInt64])
    /// Envelopes also arrive on another path.
    ///
    /// From now on the receiver must only announce them.
    case prune

    /// The short id that denotes no envelope.
    ///
    /// A graft of it requests nothing, but makes the link eager.
    static let nothing: UInt64 = 0
    /// The largest number of short ids in one message.
    package static let idLimit = 60
    private static let announceType: UInt8 = 0x20
    private static let graftType: UInt8 = 0x21
    private static let pruneType: UInt8 = 0x22

    /// Returns whether a message that begins with this byte is one of the tree's.
    static func isType(_ first: UInt8) -> Bool { (announceType...pruneType).contains(first) }

    /// Decodes a message; returns nil if it is none of these.
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

    /// Encodes the message.
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
