extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bytes as PROTOCOL writes them: most significant first.
    package var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }

    /// Reads bytes in that order; nil if there are not exactly as many as the type has.
    package init?(bigEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
