extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The text with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// Returns the longest prefix of whole Unicode scalars that has at most this many bytes of UTF-8.
    func prefix(byteCount: Int) -> Substring {
        guard utf8.count > byteCount else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: max(0, byteCount))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
