/// What a file outside of the database says of it, so that an older database in its place is noticed.
///
/// Source: PROTOCOL §11.
struct HistoryAnchor: Equatable {
    /// The batches written.
    let generation: UInt64
    /// The code over the head of the sums.
    ///
    /// Shape: 32 bytes.
    let root: [UInt8]

    private static let format: UInt8 = 1
    private static let codeByteCount = 32

    init(generation: UInt64, root: [UInt8]) {
        self.generation = generation
        self.root = root
    }

    /// Reads a file; nil unless all of it authenticates.
    init?(_ bytes: [UInt8], _ keys: any RecordKeys) {
        guard bytes.count == 9 + 2 * Self.codeByteCount, bytes[0] == Self.format,
            keys.anchorCode(Array(bytes[..<41])).elementsEqual(bytes[41...])
        else { return nil }
        self.init(generation: UInt64(bigEndian: bytes[1..<9]), root: Array(bytes[9..<41]))
    }

    /// Shape: format 1, generation 8, root 32, code 32; big-endian.
    func bytes(_ keys: any RecordKeys) -> [UInt8] {
        let bytes = [Self.format] + generation.bigEndianBytes + root
        return bytes + keys.anchorCode(bytes)
    }
}
