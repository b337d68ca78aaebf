import Foundation
import MeshDoctor

extension Finding.Cause {
    /// The time of day.
    static let clock = Self("clock", in: .clock)
    /// The clock is before what has happened already.
    static let clockBehind = Self("clockBehind", in: .clock)
    /// The clock is long after the last thing that happened.
    static let clockAhead = Self("clockAhead", in: .clock)
    /// The clock was set while it was looked at.
    static let clockSet = Self("clockSet", in: .clock)
}

/// What can be known of the clock without asking another.
struct ClockFacts: Hashable, Sendable {
    /// What it says.
    var now: Date
    /// When this program was built or installed.
    var built: Date?
    /// When a file of the home was changed last.
    var lastChange: Date?
    /// How much further the clock went during the look than a clock that nobody can set.
    var jump = Duration.zero
}

/// Tells whether the clock can be right.
enum ClockJudgement {
    /// When there was no Earshot yet: 2026-01-01T00:00:00Z.
    static let beginning = Date(timeIntervalSince1970: 1_767_225_600)
    /// What makes nothing go wrong: identities are given a day of tolerance (PROTOCOL §6.2).
    static let tolerance: TimeInterval = 86_400
    /// Above this a clock was set back, and not just written files' times rounded.
    static let smallestStep: TimeInterval = 120
    /// Above this the clock may be wrong, or nobody was here for long.
    static let longAbsence: TimeInterval = 366 * 86_400
    /// Above this the clock was set, and not just slowed down.
    static let smallestJump = Duration.seconds(1)

    private static let why =
        "Beyond a day, others take this node's identity for expired or not valid yet, and messages for too old."
    private static let mend = "Set it by `timedatectl set-ntp true`, or by `date -s` with the right time."

    /// One finding for each thing that cannot be, or one that says all is well.
    static func findings(_ facts: ClockFacts) -> [Finding] {
        let odd = [set(facts), behindProgram(facts), behindFiles(facts), ahead(facts)].compactMap { $0 }
        return odd.isEmpty ? [.ok(.clock, "clock", "It says \(TimeText.moment(facts.now)).")] : odd
    }

    private static func set(_ facts: ClockFacts) -> Finding? {
        guard facts.jump > smallestJump || facts.jump < .zero - smallestJump else { return nil }
        let direction = facts.jump < .zero ? "back" : "forward"
        return .hint(
            .clockSet,
            "clock",
            "It was set \(direction) while it was looked at.",
            why: why,
            mend: "Let one program alone set it, and smoothly."
        )
    }

    private static func behindProgram(_ facts: ClockFacts) -> Finding? {
        let built = max(facts.built ?? beginning, beginning)
        guard built.timeIntervalSince(facts.now) > tolerance else { return nil }
        return .problem(
            .clockBehind,
            "clock",
            "It says \(TimeText.moment(facts.now)), but this program is from \(TimeText.moment(built)).",
            why: why,
            mend: mend
        )
    }

    private static func behindFiles(_ facts: ClockFacts) -> Finding? {
        guard let last = facts.lastChange else { return nil }
        let step = last.timeIntervalSince(facts.now)
        guard step > smallestStep else { return nil }
        let what =
            "It says \(TimeText.moment(facts.now)), but the home was changed at \(TimeText.moment(last)): "
            + "it went back."
        guard step > tolerance else {
            return .hint(.clockBehind, "clock", what, why: "New messages are shown before older ones.", mend: mend)
        }
        return .problem(.clockBehind, "clock", what, why: why, mend: mend)
    }

    private static func ahead(_ facts: ClockFacts) -> Finding? {
        // Packages give their files round times of long ago, which say nothing.
        let times = [facts.lastChange, facts.built].compactMap { $0 }.filter { $0 >= beginning }
        guard let last = times.max(), facts.now.timeIntervalSince(last) > longAbsence
        else { return nil }
        return .hint(
            .clockAhead,
            "clock",
            "It says \(TimeText.moment(facts.now)), more than a year after anything happened here "
                + "(\(TimeText.moment(last))).",
            why: why,
            mend: "Nothing if that is the date. \(mend)"
        )
    }
}
