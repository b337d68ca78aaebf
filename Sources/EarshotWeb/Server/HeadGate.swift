/// A scanner for the end of a request's head; it detects a head that is too long before any parser reads it.
struct HeadGate {
    private static let end = Array("\r\n\r\n".utf8)

    /// Whether the end of the head was found.
    private(set) var isComplete = false
    private var hasBegun = false
    private var byteCount = 0
    private var matchCount = 0

    /// Scans the next bytes of a connection.
    ///
    /// - Returns: whether the head is within its limit.
    mutating func takes(_ bytes: some Sequence<UInt8>) -> Bool {
        guard !isComplete else { return true }
        for byte in bytes {
            byteCount += 1
            guard byteCount <= WebLimits.headByteCount else { return false }
            // Empty lines before a request do not belong to it.
            if !hasBegun, Self.end.contains(byte) { continue }
            hasBegun = true
            if byte == Self.end[matchCount] {
                matchCount += 1
            } else {
                matchCount = byte == Self.end[0] ? 1 : 0
            }
            guard matchCount < Self.end.count else {
                isComplete = true
                return true
            }
        }
        return true
    }
}
