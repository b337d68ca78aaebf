package import ChatCore

/// The terms that a user types to find something: words and phrases, all of which a message must have.
///
/// A word matches a whole word. With a `*` behind it, or as the last word with nothing behind it, it matches the
/// beginning of one. Text in quotation marks is a phrase, and so is text without spaces (`example.com`). Text of
/// scripts without spaces, and signs, match anywhere.
package struct SearchTerms: Sendable {
    /// The folded terms, with the spaces that make them begin or end a word.
    ///
    /// Shape: UTF-8, at least one byte that is no space.
    package let needles: [[UInt8]]

    /// Reads the text that a user typed; an empty text matches everything.
    ///
    /// - Throws: `tooLarge` beyond the limits, `empty` if there is a text but no word in it.
    package init(_ text: String) throws(ChatError) {
        guard text.utf8.count <= SearchLimits.queryByteCount else {
            var error = ChatError(
                .tooLarge,
                "The search is too long: at most \(SearchLimits.queryByteCount) bytes of text."
            )
            error.limit = SearchLimits.queryByteCount
            throw error
        }
        needles = Self.parts(of: text).compactMap(Self.needle)
        guard needles.count <= SearchLimits.termCount else {
            throw ChatError(.tooLarge, "Search for at most \(SearchLimits.termCount) words at once.")
        }
        guard !needles.isEmpty || text.allSatisfy(\.isWhitespace) else {
            throw ChatError(.empty, "'\(text)' contains no word to search for.")
        }
    }

    /// Whether a folded text has all terms; the one at `known` is not looked for again.
    package func areAll(in bytes: UnsafeRawBufferPointer, but known: Int? = nil) -> Bool {
        needles.indices.allSatisfy { $0 == known || ByteSearch(needles[$0]).first(in: bytes) != nil }
    }

    /// Returns the places of the terms in a text as it is shown, in order.
    ///
    /// Units: bytes of UTF-8.
    package func places(in text: String) -> [Range<Int>] {
        var folded = FoldedText()
        // For each character: its beginning in the folded text, and its place in the text.
        var characters: [(folded: Int, place: Range<Int>)] = []
        var offset = 0
        for character in text {
            let count = character.utf8.count
            characters.append((folded.bytes.count, offset..<(offset + count)))
            folded.append(String(character))
            offset += count
        }
        folded.end()
        var marked: Set<Int> = []
        folded.bytes.withUnsafeBytes { bytes in
            for needle in needles {
                var start = 0
                while marked.count < SearchLimits.markCount * needle.count,
                    let hit = ByteSearch(needle).first(in: UnsafeRawBufferPointer(rebasing: bytes[start...]))
                {
                    let first = start + hit + (needle.first == FoldedText.space ? 1 : 0)
                    let end = start + hit + needle.count - (needle.last == FoldedText.space ? 1 : 0)
                    marked.formUnion(Self.characters(characters.map(\.folded), from: first, to: end))
                    // A space may end one word and begin the next.
                    start = end
                }
            }
        }
        return Self.joined(marked.sorted().map { characters[$0].place })
    }

    /// Returns the characters that have a part in some folded bytes.
    private static func characters(_ starts: [Int], from first: Int, to end: Int) -> Range<Int> {
        let upper = starts.partitioningIndex { $0 >= end }
        let lower = starts.partitioningIndex { $0 > first }
        return max(0, min(lower, upper) - 1)..<upper
    }

    private static func joined(_ places: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for place in places {
            if let last = joined.last, last.upperBound == place.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<place.upperBound
            } else {
                joined.append(place)
            }
        }
        return Array(joined.prefix(SearchLimits.markCount))
    }

    // MARK: - Reading what was typed

    private static func parts(of text: String) -> [(text: String, isWhole: Bool)] {
        var parts: [(text: String, isWhole: Bool)] = []
        var (part, isQuoted) = ("", false)
        for character in text {
            if "\"“”„".contains(character) {
                parts.append((part, isQuoted || !part.hasSuffix("*")))
                (part, isQuoted) = ("", !isQuoted)
            } else if character.isWhitespace, !isQuoted {
                parts.append((part, !part.hasSuffix("*")))
                part = ""
            } else {
                part.append(character)
            }
        }
        // The last word may not be finished; nor may a phrase without its closing quotation mark.
        parts.append((part, false))
        return parts
    }

    private static func needle(_ part: (text: String, isWhole: Bool)) -> [UInt8]? {
        let folded = FoldedText(part.text)
        guard folded.bytes.count > 1 else { return nil }
        var bytes = folded.bytes[...]
        if folded.beginsUnspaced { bytes = bytes.dropFirst() }
        if !part.isWhole || folded.endsUnspaced { bytes = bytes.dropLast() }
        return Array(bytes)
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index for which the condition holds; it must hold for all elements after the first such one.
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
