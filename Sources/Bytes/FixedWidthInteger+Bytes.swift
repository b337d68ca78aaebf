extension FixedWidthInteger {
    /// The bytes in PROTOCOL's order: most significant first.
    @inlinable public var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Reads bytes in that order; returns nil unless the count matches the type's size.
    @inlinable
    public init?(bigEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
