/// How a person wants to be shown beside the nickname: labels to tell people apart by, never identity.
///
/// Source: PROTOCOL §10.
public struct Profile: Hashable, Sendable {
    /// One emoji; nil for none.
    public var emoji: String?
    /// A colour; nil for none.
    public var colour: ProfileColour?

    /// Makes labels; whether they can be taken is asked by whoever takes them.
    public init(emoji: String? = nil, colour: ProfileColour? = nil) {
        self.emoji = emoji
        self.colour = colour
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
