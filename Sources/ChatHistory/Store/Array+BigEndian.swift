/// Writing of authenticated and stored bytes into one buffer, without an array for each number.
extension [UInt8] {
    /// Appends an integer.
    ///
    /// Shape: the integer's own length, most significant byte first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends four numbers.
    ///
    /// Shape: 32 bytes.
    mutating func append(bigEndian numbers: SIMD4<UInt64>) {
        for index in 0..<4 { append(bigEndian: numbers[index]) }
    }

    /// Appends an id.
    ///
    /// Shape: 16 bytes.
    mutating func append(_ id: RowID) { id.append(to: &self) }
}
