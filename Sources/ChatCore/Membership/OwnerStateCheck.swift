import MeshCore

/// The doubt of a group's owner, or of its successor, whether a member knows operations that this node lacks.
///
/// A data directory may be an earlier copy of itself, or the successor may have taken over during a long absence. An
/// operation signed upon an old state is the second one of its epoch, and freezes the group for all members.
struct OwnerStateCheck: Sendable {
    private enum Phase: Hashable {
        /// Nobody was asked since the start.
        case open
        /// Members were asked; without an answer, the owner continues at this moment, or later if a member was seen.
        case asked(until: MeshInstant, isLast: Bool)
        /// An answer, an own operation or the end of the wait settles it; the time is in seconds since 1970.
        case settled(at: UInt32, isAnswered: Bool)
    }

    private var phase = Phase.open
    /// Whether a member has named an epoch since the start that the owner does not know.
    private var wasRaised = false

    /// Whether members were asked and the wait is not over.
    var isAsking: Bool { end < .distantFuture }

    /// Whether members have to be asked; no longer than ``ChatLimits/ownerCertainty`` after the doubt was settled.
    func isOpen(at now: UInt32) -> Bool { !isAsking && !isSettled(at: now) }

    /// Whether the owner may sign.
    func isSettled(at now: UInt32) -> Bool {
        guard case .settled(let time, _) = phase else { return false }
        return UInt64(now) < UInt64(time) + ChatLimits.ownerCertainty
    }

    /// Whether a member has answered within ``ChatLimits/answerAge``.
    func isAnswered(at now: UInt32) -> Bool {
        guard case .settled(let time, true) = phase else { return false }
        return UInt64(now) < UInt64(time) + ChatLimits.answerAge
    }

    /// The time until which the owner waits for members to answer.
    var end: MeshInstant { if case .asked(let end, _) = phase { end } else { .distantFuture } }

    /// Whether this is the last time that the owner waits.
    var isLast: Bool { if case .asked(_, let isLast) = phase { isLast } else { false } }

    mutating func noteAsked(until end: MeshInstant, isLast: Bool = false) { phase = .asked(until: end, isLast: isLast) }

    mutating func settle(at now: UInt32, isAnswered: Bool = false) {
        phase = .settled(at: now, isAnswered: isAnswered)
    }

    /// Begins the doubt again, unless members are being asked.
    mutating func reopen() { if !isAsking { phase = .open } }

    /// Notes that a member names an epoch that this node does not know, once after each start, so that members cannot
    /// delay an owner for longer.
    mutating func raise() {
        guard !wasRaised else { return }
        wasRaised = true
        reopen()
    }
}
