import MeshCore

/// The doubt of a group's owner whether a member knows operations that this node has lost.
///
/// A data directory may be an earlier copy of itself. An operation signed upon such a copy is the second one of its
/// epoch, and freezes the group for all members.
struct OwnerStateCheck: Sendable {
    private enum Phase: Hashable {
        /// The owner has signed nothing since the start.
        case open
        /// Members were asked; without an answer, the owner continues at this moment, or later if a member was seen.
        case asked(until: MeshInstant, isLast: Bool)
        /// A member's answer, or an operation signed since the start, settles it.
        case settled
    }

    private var phase = Phase.open
    /// Whether a member has named an epoch since the start that the owner does not know.
    private var wasRaised = false

    var isOpen: Bool { phase == .open }
    var isSettled: Bool { phase == .settled }

    /// The time until which the owner waits for members to answer.
    var end: MeshInstant { if case .asked(let end, _) = phase { end } else { .distantFuture } }

    /// Whether this is the last time that the owner waits.
    var isLast: Bool { if case .asked(_, let isLast) = phase { isLast } else { false } }

    mutating func noteAsked(until end: MeshInstant, isLast: Bool = false) { phase = .asked(until: end, isLast: isLast) }

    mutating func settle() { phase = .settled }

    /// Notes that a member names an epoch that this node does not know, once after each start, so that members cannot
    /// delay an owner for longer.
    mutating func raise() {
        guard !wasRaised else { return }
        wasRaised = true
        if phase == .settled { phase = .open }
    }
}
