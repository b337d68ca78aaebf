/// The integrity digest of a set of rows: their number, and the exclusive or of their marks.
///
/// One step updates it for each row, whatever the number of rows. It does not depend on the order in which rows are
/// added; the position of a row is part of its mark. Source: PROTOCOL §11.
struct RowDigest: Equatable {
    /// The length of an encoded sum.
    ///
    /// Shape: 40 bytes, the count u64 and the marks 32; big-endian. Units: bytes.
    static let byteCount = 40

    private(set) var count: UInt64 = 0
    private(set) var marks = SIMD4<UInt64>.zero

    init() {}

    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        count = UInt64(bigEndian: bytes.prefix(8))
        marks = SIMD4(bigEndian: bytes.dropFirst(8))
    }

    mutating func add(_ mark: SIMD4<UInt64>) {
        count &+= 1
        marks ^= mark
    }

    /// Removes a row; a row that was never part of it leaves a sum that no set of rows has.
    mutating func remove(_ mark: SIMD4<UInt64>) {
        count &-= 1
        marks ^= mark
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the 40 bytes to others.
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: marks)
    }
}

extension SIMD4<UInt64> {
    /// Reads 32 bytes.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        precondition(bytes.count == 32, "four numbers have 32 bytes")
        self = bytes.withUnsafeBytes { bytes in
            SIMD4(
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
            )
        }
    }

    /// The encoded number.
    ///
    /// Shape: 32 bytes.
    var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: self)
        return bytes
    }
}

extension UInt64 {
    /// Reads at most 8 bytes.
    init(bigEndian bytes: some Collection<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The parts of a stored row that its sum covers.
struct RowTrace: Equatable {
    let conversation: RowID
    let sequence: UInt64
    let version: UInt32
    private let tag: SIMD2<UInt64>

    init(_ row: Row) {
        conversation = row.conversation
        sequence = row.sequence
        version = row.version
        let end = row.sealed.suffix(16)
        tag = SIMD2(UInt64(bigEndian: end.prefix(8)), UInt64(bigEndian: end.dropFirst(8)))
    }

    /// Encodes the bytes that the sum's code authenticates.
    ///
    /// Shape: table 1, row 16, conversation 16, sequence 8, version 4, the last 16 bytes sealed; integers big-endian.
    func bytes(at key: RowKey) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(61)
        bytes.append(key.table.rawValue)
        bytes.append(key.id)
        bytes.append(conversation)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: version)
        bytes.append(bigEndian: tag[0])
        bytes.append(bigEndian: tag[1])
        return bytes
    }
}

/// A group of rows with one sum.
package enum DigestGroup: Hashable, Sendable {
    /// All rows of a table other than the table of messages.
    case table(RecordTable)
    /// The messages of a conversation.
    case conversation(RowID)

    init(_ table: RecordTable, _ conversation: RowID) {
        self = table == .messages ? .conversation(conversation) : .table(table)
    }

    var table: RecordTable {
        switch self {
        case .table(let table): table
        case .conversation: .messages
        }
    }

    /// The conversation, or `RowID.zero`.
    var conversation: RowID {
        switch self {
        case .table: .zero
        case .conversation(let conversation): conversation
        }
    }
}
