/// The definition of one emoji.
package enum Emoji {
    /// The emoji that front ends offer first.
    package static let quickSet = ["👍", "❤️", "😂", "😮", "😢", "🙏"]

    /// Whether a text is one emoji and nothing else; this decides the display, and which texts can be sent as a
    /// reaction.
    package static func isSingle(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard text.count == 1, isPlausible(text), scalars.allSatisfy(isPart) else { return false }
        guard let first = scalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        let isKeycap = scalars.contains("\u{20E3}")
        return first.properties.isEmoji && (isKeycap || scalars.contains("\u{FE0F}"))
    }

    /// Whether a scalar occurs in emoji: as a joiner, a colour, a region of a flag, or as an emoji by itself.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
        default: scalar.properties.isEmoji
        }
    }

    /// Whether a received reaction can be an emoji.
    ///
    /// The result is the same on every node, whatever version of Unicode it knows: 1 to 64 bytes, of ASCII only the
    /// digits, `#` and `*` of a keycap, no control character and no blank.
    package static func isPlausible(_ text: String) -> Bool {
        guard (1...ContentLimits.emojiByteCount).contains(text.utf8.count) else { return false }
        let isKeycap = text.unicodeScalars.contains("\u{20E3}")
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0xA8 || isKeycap && (scalar == "#" || scalar == "*" || ("0"..."9").contains(scalar))
        }
    }
}
