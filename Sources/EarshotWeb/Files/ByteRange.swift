/// The bytes of a file that a request asks for.
///
/// Source: RFC 9110, section 14. The server does not answer several ranges at once; it sends the whole file then.
enum ByteRange: Hashable {
    case whole
    case part(Range<UInt64>)
    /// The range lies outside of the file.
    case outside

    /// Reads the header `Range`.
    ///
    /// - Parameter byteCount: the size of the file.
    init(_ header: String?, of byteCount: UInt64) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let places = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard places.count == 2, places.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return }
        if places[0].isEmpty {
            guard !places[1].isEmpty else { return }
            let count = min(Self.number(places[1]), byteCount)
            self = count == 0 ? .outside : .part(byteCount - count..<byteCount)
            return
        }
        let first = Self.number(places[0])
        guard first < byteCount else {
            self = .outside
            return
        }
        let last = places[1].isEmpty ? byteCount - 1 : min(Self.number(places[1]), byteCount - 1)
        if first <= last { self = .part(first..<last + 1) }
    }

    /// Reads a number from digits; a number that is too large counts as larger than any file.
    private static func number(_ digits: Substring) -> UInt64 { UInt64(digits) ?? .max }
}
