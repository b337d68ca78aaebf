import ChatHistory

/// Rows of 300 B by number, the same for every database.
struct SampleRows {
    static let byteCount = 300

    /// Makes a name that looks random, as names in a history do.
    ///
    /// Shape: 16 bytes.
    func name(_ number: Int) -> [UInt8] {
        var state = UInt64(number) &+ 0x9E37_79B9_7F4A_7C15
        return (0..<2).flatMap { _ in
            state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
            return withUnsafeBytes(of: state) { Array($0) }
        }
    }

    func content(_ number: Int) -> [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
    }

    /// Chooses one of 20 conversations for a row.
    func conversation(_ number: Int) -> RowID {
        RowID(bytes: [UInt8](repeating: UInt8(number % 20 + 1), count: RowID.byteCount)) ?? .zero
    }
}
