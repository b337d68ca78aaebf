extension String {
    /// The text without the blanks around it.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The text with a capital at its beginning.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The longest beginning of whole characters that has at most so many bytes of UTF-8.
    func prefix(byteCount: Int) -> Substring {
        guard utf8.count > byteCount else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: max(0, byteCount))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
