#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The control message that tells the kernel the length of the datagrams into which it cuts a buffer.
///
/// Shape: a `cmsghdr`, then the length in 2 bytes, padded to the header's alignment; built by hand, because the
/// system's macros for it cannot be called from here.
struct SegmentControl {
    #if os(Linux)
        static let isKnown = true
        /// UDP_SEGMENT.
        private static let type: CInt = 103
    #else
        static let isKnown = false
        private static let type: CInt = 0
    #endif

    private static let headerByteCount = MemoryLayout<cmsghdr>.stride
    private var bytes: [UInt8]

    init() {
        var header = cmsghdr()
        header.cmsg_len = numericCast(Self.headerByteCount + MemoryLayout<UInt16>.size)
        header.cmsg_level = CInt(IPPROTO_UDP)
        header.cmsg_type = Self.type
        bytes = withUnsafeBytes(of: header) { Array($0) }
        bytes += [UInt8](repeating: 0, count: MemoryLayout<Int>.size)
    }

    /// - Parameter segmentByteCount: At most 65,535, because no datagram is longer.
    mutating func withBytes<Result>(
        segmentByteCount: Int,
        _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) -> Result {
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(
                of: UInt16(clamping: segmentByteCount),
                toByteOffset: Self.headerByteCount,
                as: UInt16.self
            )
            return body(bytes)
        }
    }
}
