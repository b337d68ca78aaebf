/// The presentation of a person beside the nickname: labels to tell people apart, never an identity.
///
/// Source: PROTOCOL §10.
public struct Profile: Hashable, Codable, Sendable {
    /// One emoji; nil for none.
    public var emoji: String?
    /// A colour; nil for none.
    public var colour: ProfileColour?

    /// Makes labels; the caller checks whether they are valid.
    public init(emoji: String? = nil, colour: ProfileColour? = nil) {
        self.emoji = emoji
        self.colour = colour
    }
}

/// The colours of a profile: few, so that each is legible on any background.
public enum ProfileColour: String, Hashable, Codable, Sendable, CaseIterable {
    /// Red; number 1 on the wire, where the cases are counted from 1 in this order.
    case red
    /// Orange; number 2 on the wire.
    case orange
    /// Yellow; number 3 on the wire.
    case yellow
    /// Green; number 4 on the wire.
    case green
    /// Teal; number 5 on the wire.
    case teal
    /// Blue; number 6 on the wire.
    case blue
    /// Purple; number 7 on the wire.
    case purple
    /// Pink; number 8 on the wire.
    case pink

    /// Its number on the wire, from 1.
    var number: UInt32 { Self.allCases.firstIndex(of: self).map { UInt32($0) + 1 } ?? 0 }

    /// Returns the colour of a number on the wire; nil for none and for one that only newer versions know.
    init?(number: UInt32) {
        guard (1...UInt32(Self.allCases.count)).contains(number) else { return nil }
        self = Self.allCases[Int(number) - 1]
    }
}
