/// The records on a leaf of a table's tree, found without the tree above it.
///
/// The page is not trusted: cells that extend beyond it or are impossible are left out. Source: SQLite, "Database File
/// Format" 1.6 and 2.1.
struct TableLeaf {
    /// One record: its bytes on this page, and the page on which it continues.
    struct Cell {
        /// The length of the record, including the bytes on other pages.
        ///
        /// Units: bytes.
        let byteCount: Int
        let local: ArraySlice<UInt8>
        /// The page on which the record continues; 0 for none.
        let overflow: Int
    }

    private static let kind: UInt8 = 0x0D
    private static let headerByteCount = 8

    /// The records; empty for a page of another kind.
    let cells: [Cell]

    /// Reads the records of a page.
    ///
    /// - Parameter page: the bytes of a page other than the first one of a file, which holds no rows.
    init(_ page: [UInt8]) {
        guard page.count >= 512, page[0] == Self.kind else {
            cells = []
            return
        }
        func number(_ offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
        let count = min(number(3), (page.count - Self.headerByteCount) / 2)
        // Cells at the same offset count once, so that a malicious page costs no more than others.
        var places: Set<Int> = []
        cells = (0..<count).compactMap { index in
            let place = number(Self.headerByteCount + 2 * index)
            guard place >= Self.headerByteCount, places.insert(place).inserted else { return nil }
            return Cell(page, at: place)
        }
    }
}

extension TableLeaf.Cell {
    fileprivate init?(_ page: [UInt8], at place: Int) {
        var rest = page[...].dropFirst(place)
        guard let count = rest.takeNumber(), rest.takeNumber() != nil,
            let local = Self.localByteCount(count, page.count)
        else { return nil }
        let needed = count > local ? local + 4 : local
        guard rest.count >= needed else { return nil }
        byteCount = count
        self.local = rest.prefix(local)
        overflow = count > local ? rest.dropFirst(local).prefix(4).reduce(0) { $0 << 8 | Int($1) } : 0
    }

    /// Computes the number of bytes of a record that stay on its leaf; nil for a record longer than any row of Earshot.
    private static func localByteCount(_ count: Int, _ page: Int) -> Int? {
        guard (1...HistoryLimits.sealedByteCount + 128).contains(count) else { return nil }
        guard count > page - 35 else { return count }
        let least = (page - 12) * 32 / 255 - 23
        let fitting = least + (count - least) % (page - 4)
        return fitting <= page - 35 ? fitting : least
    }
}

extension ArraySlice<UInt8> {
    /// Removes a number of 1 to 9 bytes from the start; nil for one that is cut off or too large for `Int`.
    mutating func takeNumber() -> Int? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = popFirst() else { return nil }
            if index == 8 { return Int(exactly: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int(exactly: value) }
        }
        return nil
    }
}

/// The values of a record.
struct TableRecord {
    /// The kinds of values that rows of Earshot have.
    enum Value {
        case integer(Int64)
        case bytes(ArraySlice<UInt8>)
    }

    let values: [Value]

    /// Reads a record; nil for malformed bytes, or for a record with more or other values than rows of Earshot have.
    init?(_ payload: [UInt8]) {
        var types = payload[...]
        guard let headerByteCount = types.takeNumber(), (1...64).contains(headerByteCount),
            headerByteCount <= payload.count, headerByteCount >= types.startIndex
        else { return nil }
        types = types[..<headerByteCount]
        var rest = payload[headerByteCount...]
        var values: [Value] = []
        while !types.isEmpty {
            guard values.count < 8, let type = types.takeNumber(), let value = Self.take(type, &rest) else {
                return nil
            }
            values.append(value)
        }
        guard rest.isEmpty else { return nil }
        self.values = values
    }

    private static func take(_ type: Int, _ rest: inout ArraySlice<UInt8>) -> Value? {
        switch type {
        case 1...6:
            let count = [1, 2, 3, 4, 6, 8][type - 1]
            guard rest.count >= count, let first = rest.first else { return nil }
            let value = rest.prefix(count).reduce(first < 0x80 ? 0 : Int64(-1)) { $0 << 8 | Int64($1) }
            rest = rest.dropFirst(count)
            return .integer(value)
        case 8, 9: return .integer(Int64(type - 8))
        case 12... where type.isMultiple(of: 2):
            let count = (type - 12) / 2
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return .bytes(rest.prefix(count))
        default: return nil
        }
    }
}
