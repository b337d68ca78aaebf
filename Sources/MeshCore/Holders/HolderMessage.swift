import Bytes

/// A payload between two nodes of which one has pieces of an object and the other lacks them.
///
/// Shape: READY is 00 ‖ shelf (2) ‖ depth (1); OFFER is 01 ‖ tag (8) ‖ n × short id (8); WANT is 02 ‖ n × short id; n is 1 to 256; PIECE is 03 ‖
/// envelope. Source: PROTOCOL §5.5 holders.
enum HolderMessage: Hashable, Sendable {
    /// The sender keeps what it is offered of these places.
    case ready(Shelf)
    /// The sender has these pieces of an object.
    case offer(ObjectTag, [UInt64])
    /// The sender lacks these pieces.
    case want([UInt64])
    /// A whole envelope.
    case piece([UInt8])

    /// The most ids in one message.
    static let idLimit = 256

    private static let readyType: UInt8 = 0
    private static let offerType: UInt8 = 1
    private static let wantType: UInt8 = 2
    private static let pieceType: UInt8 = 3

    /// Decodes a payload; returns nil if it is malformed.
    init?(decoding payload: [UInt8]) {
        var reader = ByteReader(payload)
        switch reader.integer(UInt8.self) {
        case Self.readyType:
            guard let prefix = reader.integer(UInt16.self), let depth = reader.integer(UInt8.self), reader.isAtEnd,
                let shelf = Shelf(prefix: prefix, depth: depth)
            else { return nil }
            self = .ready(shelf)
        case Self.offerType:
            guard let tag = reader.integer(UInt64.self), let ids = Self.ids(&reader) else { return nil }
            self = .offer(ObjectTag(tag), ids)
        case Self.wantType:
            guard let ids = Self.ids(&reader) else { return nil }
            self = .want(ids)
        case Self.pieceType: self = .piece(Array(reader.takeRest()))
        default: return nil
        }
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .ready(let shelf):
            writer.append(integer: Self.readyType)
            writer.append(integer: shelf.prefix)
            writer.append(integer: shelf.depth)
        case .offer(let tag, let ids):
            writer.append(integer: Self.offerType)
            writer.append(integer: tag.value)
            for id in ids { writer.append(integer: id) }
        case .want(let ids):
            writer.append(integer: Self.wantType)
            for id in ids { writer.append(integer: id) }
        case .piece(let envelope):
            writer.append(integer: Self.pieceType)
            writer.append(envelope)
        }
        return writer.bytes
    }

    /// Whether it can wait behind everything else.
    var isBulk: Bool {
        if case .piece = self { true } else { false }
    }

    private static func ids(_ reader: inout ByteReader) -> [UInt64]? {
        var ids: [UInt64] = []
        while !reader.isAtEnd {
            guard ids.count < idLimit, let id = reader.integer(UInt64.self) else { return nil }
            ids.append(id)
        }
        return ids.isEmpty ? nil : ids
    }
}
