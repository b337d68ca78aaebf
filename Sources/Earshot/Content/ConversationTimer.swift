import ChatCrypto

/// After how long messages of a conversation are to be gone.
///
/// Of several settings the one with the highest revision holds, so that all members end with the same one.
package struct ConversationTimer: Hashable, Sendable {
    /// Units: seconds from being read; 0 for never.
    package private(set) var seconds: UInt32 = 0
    /// Nil while nobody has set one.
    package private(set) var revision: Revision?

    package init() {}

    package init(seconds: UInt32, _ revision: Revision?) {
        self.seconds = seconds
        self.revision = revision
    }

    /// Takes a setting, or that of another copy.
    package mutating func merge(_ other: ConversationTimer) {
        guard let theirs = other.revision else { return }
        if let own = revision, own >= theirs { return }
        self = other
    }

    /// The number of the next setting; nil if somebody has used up all.
    package var nextNumber: UInt32? {
        let newest = revision?.number ?? 0
        return newest < .max ? newest + 1 : nil
    }
}
