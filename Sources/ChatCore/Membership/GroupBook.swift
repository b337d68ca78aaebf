package import ChatCrypto
import MeshCore

/// All that the engine holds of groups.
package struct GroupBook: Sendable {
    /// The sessions of all groups that one is or was in.
    package var table = GroupTable()
    package var states: [GroupID: GroupState] = [:]
    /// Who was told of for two contents in one place, so that it is told once.
    struct Accusation: Hashable {
        let group: GroupID
        let member: PeerID
    }

    var accused: Set<Accusation> = []
    /// What newcomers are told of what was said before they came.
    package var history = HistoryBook()
    /// When what the mesh holds is tried once more, because keys have come.
    var recallAt = MeshInstant.distantFuture
    /// Whether what sessions bring is to be tried as well: a note was left unopened, because it came too early.
    var recallsNotes = false
    /// Whether a note was left unopened since the last time.
    var hasUnopened = false

    /// When `tick` has something to do.
    var nextDeadline: MeshInstant {
        let askAt = states.values.map { min($0.askAt, $0.doubtEnd) }.min() ?? .distantFuture
        return min(recallAt, askAt, history.nextDeadline)
    }

    /// The session of a group that one is in.
    package func membership(_ group: GroupID) -> GroupSession? {
        table[group].flatMap { $0.isMember ? $0 : nil }
    }

    /// Whether somebody is in a group that one is in too.
    func isFellow(_ peer: PeerID) -> Bool {
        table.groupIDs.contains { membership($0)?.log.member(peer) != nil }
            || states.values.contains { $0.welcome != nil && !$0.record.request && $0.inviter == peer }
    }

    /// Plans to try once more what the mesh holds.
    mutating func recall(at instant: MeshInstant) {
        recallAt = min(recallAt, instant)
        if hasUnopened { recallsNotes = true }
    }
}
