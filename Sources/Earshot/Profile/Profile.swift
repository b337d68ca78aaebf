/// How a person wants to be shown beside the nickname: labels to tell people apart by, never identity.
///
/// Source: PROTOCOL §10.
public struct Profile: Hashable, Sendable {
    /// One emoji; nil for none.
    public var emoji: String?
    /// A colour; nil for none.
    public var colour: ProfileColour?

    /// Units: bytes of UTF-8 of the longest emoji.
    public static let emojiByteCount = 40

    /// Makes labels; whether they can be taken is asked by whoever takes them.
    public init(emoji: String? = nil, colour: ProfileColour? = nil) {
        self.emoji = emoji
        self.colour = colour
    }

    /// Whether a text is one emoji and nothing else: a single character of bounded length whose parts are those of
    /// emoji.
    public static func isEmoji(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard text.utf8.count <= emojiByteCount, text.count == 1, scalars.allSatisfy(isPart), let first = scalars.first
        else { return false }
        let isKeycap = scalars.last == "\u{20E3}"
        guard first.isASCII ? isKeycap : first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation || isKeycap || scalars.contains("\u{FE0F}")
    }

    /// Whether a scalar occurs in emoji: in their joining, their colour, the regions of flags, or as one by itself.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
        default: scalar.properties.isEmoji
        }
    }
}

/// The colours of a profile: few, so that each can be shown legibly on any ground.
public enum ProfileColour: String, Hashable, Sendable, CaseIterable {
    /// The first on the wire, where they are counted from 1 in this order.
    case red
    /// 2.
    case orange
    /// 3.
    case yellow
    /// 4.
    case green
    /// 5.
    case teal
    /// 6.
    case blue
    /// 7.
    case purple
    /// 8.
    case pink

    /// Its number on the wire, from 1.
    var number: UInt32 { Self.allCases.firstIndex(of: self).map { UInt32($0) + 1 } ?? 0 }

    /// The colour of a number on the wire; nil for none and for one that only newer versions know.
    init?(number: UInt32) {
        guard (1...UInt32(Self.allCases.count)).contains(number) else { return nil }
        self = Self.allCases[Int(number) - 1]
    }
}
