import Bytes

/// What a file outside of the database says of it, so that an older database in its place is noticed.
///
/// Source: PROTOCOL §11.
struct HistoryAnchor: Equatable {
    /// The batches written.
    let generation: UInt64
    /// How the sealed head of the sums ends, which no other head does.
    ///
    /// Shape: 32 bytes.
    let root: [UInt8]
    /// Whether `root` is a code over what the head says instead, as in earlier homes.
    let isOfContent: Bool

    /// 2 in earlier homes, with a code over what the head says; 1 without the id of the database, too.
    private static let format: UInt8 = 3
    private static let codeByteCount = 32

    init(generation: UInt64, root: [UInt8], isOfContent: Bool = false) {
        self.generation = generation
        self.root = root
        self.isOfContent = isOfContent
    }

    /// What `root` is of a head's row.
    static func end(of row: Row) -> [UInt8] { Array(row.sealed.suffix(codeByteCount)) }

    /// Reads a file; nil unless all of it authenticates.
    init?(_ bytes: [UInt8], _ keys: any RecordKeys) {
        guard let count = Self.byteCount(of: bytes.first), bytes.count == count + Self.codeByteCount,
            keys.anchorCode(Array(bytes[..<count])).elementsEqual(bytes[count...])
        else { return nil }
        self.init(
            generation: UInt64(bigEndian: bytes[1..<9]),
            root: Array(bytes[9..<41]),
            isOfContent: bytes[0] < Self.format
        )
    }

    /// Shape: format 3, generation 8, root 32, database id 16, code 32; big-endian.
    func bytes(_ keys: any RecordKeys, of databaseID: [UInt8]) -> [UInt8] {
        let bytes = [Self.format] + generation.bigEndianBytes + root + databaseID
        return bytes + keys.anchorCode(bytes)
    }

    /// What comes before the code in a file of this format; nil for one that is not known.
    ///
    /// Units: bytes.
    private static func byteCount(of format: UInt8?) -> Int? {
        switch format {
        case 1: 41
        case 2, Self.format: 41 + RowID.byteCount
        default: nil
        }
    }

    // MARK: - Without the keys

    /// The batches that a file tells of, whether or not it authenticates; nil for what is no anchor.
    static func generation(in bytes: [UInt8]) -> UInt64? {
        guard let count = byteCount(of: bytes.first), bytes.count == count + codeByteCount else { return nil }
        return UInt64(bigEndian: bytes[1..<9])
    }

    /// The id of the database that a file tells of, whether or not it authenticates; nil where it tells none.
    static func databaseID(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first != 1, bytes.count == 41 + RowID.byteCount + codeByteCount else { return nil }
        return Array(bytes[41..<41 + RowID.byteCount])
    }
}
