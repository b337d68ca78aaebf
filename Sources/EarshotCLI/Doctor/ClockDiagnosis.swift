import Foundation
import MeshDoctor

extension Finding.Cause {
    /// The time of day.
    static let clock = Self("clock", in: .clock)
    /// The clock is behind something that has happened already.
    static let clockBehind = Self("clockBehind", in: .clock)
    /// The clock is far ahead of the last thing that happened.
    static let clockAhead = Self("clockAhead", in: .clock)
    /// The clock was set during the check.
    static let clockSet = Self("clockSet", in: .clock)
}

/// The facts about the clock that are known without asking another machine.
struct ClockFacts: Hashable, Sendable {
    /// The time of the clock.
    var now: Date
    /// The time at which this program was built or installed.
    var built: Date?
    /// The time of the last change of a file in the home.
    var lastChange: Date?
    /// The amount by which the clock moved further during the check than a clock that cannot be set.
    var jump = Duration.zero
}

/// The check of the clock.
enum ClockDiagnosis {
    /// A time before Earshot existed: 2026-01-01T00:00:00Z.
    static let beginning = Date(timeIntervalSince1970: 1_767_225_600)
    /// The error that does no harm: identities have a day of tolerance (PROTOCOL §6.2).
    static let tolerance: TimeInterval = 86_400
    /// The difference above which the clock was set back; a smaller one may be the rounding of file times.
    static let smallestStep: TimeInterval = 120
    /// The difference above which the clock may be wrong, or the home was unused for long.
    static let longAbsence: TimeInterval = 366 * 86_400
    /// The difference above which the clock was set, and not only slewed.
    static let smallestJump = Duration.seconds(1)

    private static let why =
        """
        Beyond a day, other nodes take the identity of this node for expired or not yet valid, and refuse its \
        messages.
        """
    private static let mend = "Set it by `timedatectl set-ntp true`, or by `date -s` with the right time."

    /// Returns one finding for each problem or doubt, or one that says all is well.
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
            "It was set \(direction) during the check.",
            why: why,
            mend: "Let only one program set it, in small steps."
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
            "It says \(TimeText.moment(facts.now)), but the data directory was changed at \(TimeText.moment(last)): "
            + "it went back."
        guard step > tolerance else {
            return .hint(.clockBehind, "clock", what, why: "New messages are shown before older ones.", mend: mend)
        }
        return .problem(.clockBehind, "clock", what, why: why, mend: mend)
    }

    private static func ahead(_ facts: ClockFacts) -> Finding? {
        // Packages give their files round times in the distant past, which say nothing.
        let times = [facts.lastChange, facts.built].compactMap { $0 }.filter { $0 >= beginning }
        guard let last = times.max(), facts.now.timeIntervalSince(last) > longAbsence
        else { return nil }
        return .hint(
            .clockAhead,
            "clock",
            "It says \(TimeText.moment(facts.now)), more than a year after anything happened here "
                + "(\(TimeText.moment(last))).",
            why: why,
            mend: "Nothing, if the date is right. \(mend)"
        )
    }
}
