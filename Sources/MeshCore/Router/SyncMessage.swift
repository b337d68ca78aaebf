import Bytes

/// The messages with which two neighbours compare their stores.
///
/// Source: PROTOCOL §3.5, §5.
enum SyncMessage: Equatable, Sendable {
    /// The sender stores these envelopes.
    ///
    /// Shape: type (1) ‖ count (2) ‖ short ids (8 each).
    case offer([UInt64])
    /// The sender wants these envelopes.
    ///
    /// The shape is that of an offer.
    case want([UInt64])
    /// The sender requests the code of a range of the receiver's store under this salt from a position on, or sends one
    /// of the values in `Ending`.
    ///
    /// Shape: type (1) ‖ salt (8) ‖ place (2) ‖ prefix (2) ‖ depth (1) ‖ hours (1).
    /// - Parameter hours: With the place `failed` the hours of which the receiver offers what came; 0 for all.
    case ask(salt: UInt64, place: UInt16, range: Shelf, hours: UInt8 = 0)
    /// A part of the code under this salt.
    ///
    /// Shape: type (1) ‖ salt (8) ‖ place of the first (2) ‖ symbols to the end, each sum (8) ‖ check (8) ‖ count
    /// (varint).
    case symbols(salt: UInt64, place: UInt16, [CodedSymbol])

    /// The position values in an ask that end a comparison.
    enum Ending {
        /// The code did not decode.
        ///
        /// Both sides must offer everything.
        static let failed = UInt16(SymbolPositions.limit)
        /// The difference is known, or all is offered that was asked for.
        static let found = UInt16.max
    }

    /// The largest number of short ids in one message.
    static let idLimit = 1_000
    /// The largest number of symbols in one message.
    static let symbolLimit = 60
    /// The most hours in an ask: the longest life of a message.
    static let hourLimit: UInt8 = 72
    private static let offerType: UInt8 = 0x01
    private static let wantType: UInt8 = 0x02
    private static let askType: UInt8 = 0x03
    private static let symbolsType: UInt8 = 0x04

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        switch reader.integer(UInt8.self) {
        case Self.offerType:
            guard let ids = Self.ids(&reader) else { return nil }
            self = .offer(ids)
        case Self.wantType:
            guard let ids = Self.ids(&reader) else { return nil }
            self = .want(ids)
        case Self.askType:
            guard let salt = reader.integer(UInt64.self), let place = reader.integer(UInt16.self),
                place <= Ending.failed || place == Ending.found,
                let prefix = reader.integer(UInt16.self), let depth = reader.integer(UInt8.self),
                let range = Shelf(prefix: prefix, depth: depth), let hours = reader.integer(UInt8.self),
                hours == 0 || place == Ending.failed && hours <= Self.hourLimit, reader.isAtEnd
            else { return nil }
            self = .ask(salt: salt, place: place, range: range, hours: hours)
        case Self.symbolsType:
            guard let salt = reader.integer(UInt64.self), let place = reader.integer(UInt16.self),
                let symbols = Self.symbols(&reader), Int(place) + symbols.count <= SymbolPositions.limit
            else { return nil }
            self = .symbols(salt: salt, place: place, symbols)
        default: return nil
        }
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .offer(let ids): Self.encode(ids, type: Self.offerType, into: &writer)
        case .want(let ids): Self.encode(ids, type: Self.wantType, into: &writer)
        case .ask(let salt, let place, let range, let hours):
            writer.append(integer: Self.askType)
            writer.append(integer: salt)
            writer.append(integer: place)
            writer.append(integer: range.prefix)
            writer.append(integer: range.depth)
            writer.append(integer: hours)
        case .symbols(let salt, let place, let symbols):
            writer.append(integer: Self.symbolsType)
            writer.append(integer: salt)
            writer.append(integer: place)
            for symbol in symbols {
                writer.append(integer: symbol.sum)
                writer.append(integer: symbol.check)
                writer.append(variable: UInt64(bitPattern: symbol.count))
            }
        }
        return writer.bytes
    }

    private static func ids(_ reader: inout ByteReader) -> [UInt64]? {
        guard let count = reader.integer(UInt16.self), count >= 1, count <= idLimit,
            reader.remainingCount == Int(count) * 8
        else { return nil }
        return (0..<count).compactMap { _ in reader.integer(UInt64.self) }
    }

    private static func encode(_ ids: [UInt64], type: UInt8, into writer: inout ByteWriter) {
        precondition(!ids.isEmpty && ids.count <= idLimit, "a page of 1 to \(idLimit) ids")
        writer.append(integer: type)
        writer.append(integer: UInt16(ids.count))
        for id in ids {
            writer.append(integer: id)
        }
    }

    private static func symbols(_ reader: inout ByteReader) -> [CodedSymbol]? {
        var symbols: [CodedSymbol] = []
        while !reader.isAtEnd {
            guard symbols.count < symbolLimit, let sum = reader.integer(UInt64.self),
                let check = reader.integer(UInt64.self), let count = reader.variableInteger(), count <= UInt32.max
            else { return nil }
            symbols.append(CodedSymbol(sum: sum, check: check, count: Int64(count)))
        }
        return symbols.isEmpty ? nil : symbols
    }
}
