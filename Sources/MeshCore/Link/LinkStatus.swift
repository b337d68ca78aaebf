import Bytes

/// The status that neighbours send each other: with a new link, and when it has changed.
///
/// Shape: shelf 2, depth 1, reserved 1, 16 sums of 4, count 4, load 1, reserved 1; big-endian. A sender sets the
/// reserved bytes to 0, and a reader ignores them. Source: PROTOCOL §3.3.
package struct LinkStatus: Sendable, Equatable {
    /// The state of the sender's store.
    package var store: StoreSummary
    /// The load of the sender, from 0 to 255.
    ///
    /// This implementation sends the fill level of its store.
    package var load: UInt8

    /// Creates a status.
    package init(store: StoreSummary = .empty, load: UInt8 = 0) {
        self.store = store
        self.load = load
    }

    /// The sum by which the sender of a status finds out whether a neighbour has it: the CRC-32 of its encoding.
    var sum: UInt32 {
        var writer = ByteWriter(capacity: Self.byteCount)
        encode(into: &writer)
        var check = CRC32()
        check.add(writer.bytes)
        return check.value
    }

    /// The size of a status without the first byte of its frame.
    static let byteCount = 74
}

extension LinkStatus {
    init?(from reader: inout ByteReader) {
        guard let prefix = reader.integer(UInt16.self), let depth = reader.integer(UInt8.self),
            reader.integer(UInt8.self) != nil, let shelf = Shelf(prefix: prefix, depth: depth),
            let sums = Self.sums(from: &reader), let count = reader.integer(UInt32.self),
            let load = reader.integer(UInt8.self), reader.integer(UInt8.self) != nil
        else { return nil }
        self.init(store: StoreSummary(shelf: shelf, sums: sums, count: Int(count)), load: load)
    }

    private static func sums(from reader: inout ByteReader) -> SIMD16<UInt32>? {
        var sums = SIMD16<UInt32>.zero
        for index in sums.indices {
            guard let sum = reader.integer(UInt32.self) else { return nil }
            sums[index] = sum
        }
        return sums
    }

    func encode(into writer: inout ByteWriter) {
        writer.append(integer: store.shelf.prefix)
        writer.append(integer: store.shelf.depth)
        writer.append(integer: UInt8(0))
        for index in store.sums.indices { writer.append(integer: store.sums[index]) }
        writer.append(integer: UInt32(clamping: store.count))
        writer.append(integer: load)
        writer.append(integer: UInt8(0))
    }
}
