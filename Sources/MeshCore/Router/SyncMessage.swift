/// The messages by which two neighbours compare their stores.
///
/// Shape: type (1) ‖ count (2, big-endian) ‖ short ids (8 each). Source: PROTOCOL §5 flooding and store.
enum SyncMessage: Equatable, Sendable {
    /// These envelopes are held here.
    case offer([UInt64])
    /// These envelopes are wanted.
    case want([UInt64])

    /// The number of short ids in one message.
    static let idLimit = 1_000
    private static let offerType: UInt8 = 0x01
    private static let wantType: UInt8 = 0x02

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let type = reader.integer(UInt8.self), let count = reader.integer(UInt16.self),
            count >= 1, count <= Self.idLimit, reader.remainingCount == Int(count) * 8
        else { return nil }
        let ids = (0..<count).compactMap { _ in reader.integer(UInt64.self) }
        switch type {
        case Self.offerType: self = .offer(ids)
        case Self.wantType: self = .want(ids)
        default: return nil
        }
    }

    func encoded() -> [UInt8] {
        switch self {
        case .offer(let ids): Self.encode(ids, type: Self.offerType)
        case .want(let ids): Self.encode(ids, type: Self.wantType)
        }
    }

    private static func encode(_ ids: [UInt64], type: UInt8) -> [UInt8] {
        precondition(!ids.isEmpty && ids.count <= idLimit, "a page of 1 to \(idLimit) ids")
        var writer = ByteWriter(capacity: 3 + ids.count * 8)
        writer.append(integer: type)
        writer.append(integer: UInt16(ids.count))
        for id in ids {
            writer.append(integer: id)
        }
        return writer.bytes
    }
}
