import Bytes

/// The rollback anchor: the content of a file outside the database that makes a database put back to an older state
/// detectable.
///
/// Source: PROTOCOL §11.
struct HistoryAnchor: Equatable {
    /// The number of batches written.
    let generation: UInt64
    /// The last bytes of the sealed head of the sums; no other head ends in them.
    ///
    /// Shape: 32 bytes.
    let root: [UInt8]
    /// Whether `root` is a code over the content of the head instead, as in data directories of earlier versions.
    let isOfContent: Bool

    /// The current format.
    ///
    /// Format 2, of earlier versions, has a code over the content of the head; format 1 has no database id either.
    private static let format: UInt8 = 3
    private static let codeByteCount = 32

    init(generation: UInt64, root: [UInt8], isOfContent: Bool = false) {
        self.generation = generation
        self.root = root
        self.isOfContent = isOfContent
    }

    /// Returns the last bytes of a head's row, for `root`.
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

    /// Encodes the anchor.
    ///
    /// Shape: format 3, generation 8, root 32, database id 16, code 32; big-endian.
    func bytes(_ keys: any RecordKeys, of databaseID: [UInt8]) -> [UInt8] {
        let bytes = [Self.format] + generation.bigEndianBytes + root + databaseID
        return bytes + keys.anchorCode(bytes)
    }

    /// Returns the length of the part before the code in a file of this format; nil for an unknown format.
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

    /// Reads the number of batches in a file, whether or not it authenticates; nil if the bytes are not an anchor.
    static func generation(in bytes: [UInt8]) -> UInt64? {
        guard let count = byteCount(of: bytes.first), bytes.count == count + codeByteCount else { return nil }
        return UInt64(bigEndian: bytes[1..<9])
    }

    /// Reads the id of the database in a file, whether or not it authenticates; nil if the file has none.
    static func databaseID(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first != 1, bytes.count == 41 + RowID.byteCount + codeByteCount else { return nil }
        return Array(bytes[41..<41 + RowID.byteCount])
    }
}
