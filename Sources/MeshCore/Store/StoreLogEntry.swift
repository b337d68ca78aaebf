import Bytes

/// One decoded entry of a store's log.
///
/// Source: PROTOCOL §5.
enum StoreLogEntry: Sendable, Equatable {
    case begin(version: UInt8)
    case time(age: UInt32, wall: UInt64)
    case held(Envelope, shortID: UInt64, deadline: UInt32, isOwn: Bool, isApart: Bool, isFar: Bool)
    case renewed(shortID: UInt64, deadline: UInt32, isOwn: Bool)
    case shelf(place: UInt16, depth: UInt8)

    /// The result of a search for an entry at the beginning of some bytes.
    enum Finding: Equatable {
        case entry(StoreLogEntry, byteCount: Int)
        /// The bytes may be an entry once more bytes arrive.
        case incomplete
        /// The bytes are not an entry of this version; `checkedByteCount` bytes were examined to find out.
        case none(checkedByteCount: Int)
    }

    /// Searches for an entry at the beginning of some bytes.
    static func find(in bytes: ArraySlice<UInt8>) -> Finding {
        var reader = ByteReader(bytes)
        guard bytes.prefix(2).elementsEqual(StoreLogFormat.magic.prefix(bytes.count)) else {
            return .none(checkedByteCount: 0)
        }
        guard reader.take(2) != nil, let count = reader.integer(UInt16.self), let check = reader.integer(UInt32.self)
        else { return .incomplete }
        guard count <= StoreLogFormat.maximumBodyByteCount else { return .none(checkedByteCount: 0) }
        guard let body = reader.take(Int(count)) else { return .incomplete }
        guard StoreLogFormat.check(count: count, body: body) == check, let entry = StoreLogEntry(body: body) else {
            return .none(checkedByteCount: Int(count))
        }
        return .entry(entry, byteCount: StoreLogFormat.headerByteCount + Int(count))
    }

    private init?(body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        switch reader.integer(UInt8.self) {
        case StoreLogFormat.BodyType.begin:
            guard let name = reader.take(16), name.elementsEqual("earshot mesh log".utf8),
                let version = reader.integer(UInt8.self)
            else { return nil }
            // Later versions may add fields, which are skipped.
            _ = reader.takeRest()
            self = .begin(version: version)
        case StoreLogFormat.BodyType.time:
            guard let age = reader.integer(UInt32.self), let wall = reader.integer(UInt64.self) else { return nil }
            self = .time(age: age, wall: wall)
        case StoreLogFormat.BodyType.held:
            guard let (shortID, deadline, flags) = Self.head(&reader),
                let envelope = Envelope(decoding: reader.takeRest())
            else { return nil }
            self = .held(
                envelope,
                shortID: shortID,
                deadline: deadline,
                isOwn: flags & StoreLogFormat.ownFlag != 0,
                isApart: flags & StoreLogFormat.apartFlag != 0,
                isFar: flags & StoreLogFormat.farFlag != 0
            )
        case StoreLogFormat.BodyType.renewed:
            guard let (shortID, deadline, flags) = Self.head(&reader), flags & ~StoreLogFormat.ownFlag == 0 else {
                return nil
            }
            self = .renewed(shortID: shortID, deadline: deadline, isOwn: flags == StoreLogFormat.ownFlag)
        case StoreLogFormat.BodyType.shelf:
            guard let place = reader.integer(UInt16.self), let depth = reader.integer(UInt8.self),
                depth <= Shelf.maximumDepth
            else { return nil }
            self = .shelf(place: place, depth: depth)
        default: return nil
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func head(_ reader: inout ByteReader) -> (shortID: UInt64, deadline: UInt32, flags: UInt8)? {
        guard let shortID = reader.integer(UInt64.self), let deadline = reader.integer(UInt32.self),
            let flags = reader.integer(UInt8.self), flags <= StoreLogFormat.allFlags
        else { return nil }
        return (shortID, deadline, flags)
    }
}
