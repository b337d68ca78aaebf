import ChatCrypto

/// The disappearing-messages timer of a conversation.
///
/// Of several settings the one with the highest revision applies, so that all members end with the same one.
package struct DisappearingTimer: Hashable, Sendable {
    /// The time from reading until removal.
    ///
    /// Units: seconds; 0 for never.
    package private(set) var seconds: UInt32 = 0
    /// The revision of the setting; nil while no member has set one.
    package private(set) var revision: Revision?

    package init() {}

    package init(seconds: UInt32, _ revision: Revision?) {
        self.seconds = seconds
        self.revision = revision
    }

    /// Rounds a duration up to whole seconds; only zero gives zero.
    static func seconds(_ duration: Duration) throws -> UInt32 {
        let (seconds, rest) = duration.components
        let whole = rest > 0 ? seconds + 1 : seconds
        guard (0...Int64(ContentLimits.timerSeconds)).contains(whole) else {
            var error = ChatError(.tooLarge, "The disappearing-messages timer takes 1 second to 365 days.")
            error.limit = Int(ContentLimits.timerSeconds)
            throw error
        }
        return UInt32(whole)
    }

    /// Applies a setting, or that of another copy.
    ///
    /// - Parameter isBounded: Whether it comes from a member other than this node's user and the group's owner. Its
    ///   number is then at most ``ContentLimits/timerStep`` above the known one, so that no member uses up all numbers.
    package mutating func merge(_ other: DisappearingTimer, isBounded: Bool = false) {
        guard let theirs = other.revision else { return }
        let known = revision?.number ?? 0
        if isBounded, theirs.number > known, theirs.number - known > ContentLimits.timerStep { return }
        if let own = revision, own >= theirs { return }
        self = other
    }

    /// The number of the next setting.
    package var nextNumber: UInt32 {
        let newest = revision?.number ?? 0
        return newest < .max ? newest + 1 : newest
    }
}
