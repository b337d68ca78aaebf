/// What counts as one emoji.
package enum Emoji {
    /// The emoji that faces offer first.
    package static let quickSet = ["👍", "❤️", "😂", "😮", "😢", "🙏"]

    /// Whether a text is one emoji and nothing else; decides how it is shown, and what can be sent as a reaction.
    package static func isSingle(_ text: String) -> Bool {
        guard text.count == 1, isPlausible(text) else { return false }
        let scalars = text.unicodeScalars
        guard let first = scalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        let isKeycap = scalars.contains("\u{20E3}")
        return first.properties.isEmoji && (isKeycap || scalars.contains("\u{FE0F}"))
    }

    /// Whether a reaction that came can be an emoji.
    ///
    /// The same on every node, whatever it knows of Unicode: 1 to 64 bytes, of ASCII only the digits, `#` and `*` of a
    /// keycap, no control and no blank.
    package static func isPlausible(_ text: String) -> Bool {
        guard (1...ContentLimits.emojiByteCount).contains(text.utf8.count) else { return false }
        let isKeycap = text.unicodeScalars.contains("\u{20E3}")
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0xA8 || isKeycap && (scalar == "#" || scalar == "*" || ("0"..."9").contains(scalar))
        }
    }
}
