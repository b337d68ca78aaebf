package import ChatCrypto
import MeshCore

/// What is kept of one group besides its log and keys.
///
/// A group goes through: invited (a welcome that waits for the user), joining (a welcome with operations missing), member,
/// and out of it (left, put out, or turned down).
package struct GroupState: Sendable {
    package var record: ProtoGroupRecord
    /// While one is no member yet.
    package var welcome: GroupWelcome?
    /// The operations known to be missing, up to this epoch.
    var wanted: UInt32 = 0
    /// Who is known to have them.
    var source: PeerID?
    /// When they are asked for next.
    var askAt = MeshInstant.distantFuture
    var askPause = ChatLimits.groupAskPause
    /// How often they were asked for since they were first missed.
    var askCount = 0
    /// How sure an owner is that it has lost no operation.
    var doubt = OwnerDoubt.open
    /// Whether a member has named an epoch since the start that the owner does not know.
    var wasDoubted = false

    package init(_ group: GroupID) {
        record = ProtoGroupRecord()
        record.id = .bytes(group.bytes)
    }

    init(restoring record: ProtoGroupRecord) { self.record = record }

    /// When the owner waits no longer for members to answer.
    var doubtEnd: MeshInstant {
        if case .asked(let end, _) = doubt { end } else { .distantFuture }
    }

    /// Who sent the welcome.
    var inviter: PeerID? { PeerID(bytes: record.inviter) }

    /// Notes that operations up to an epoch are missing; what is on its way may still come by itself.
    mutating func want(_ epoch: UInt32, from source: PeerID, at instant: MeshInstant) {
        guard epoch > wanted else { return }
        wanted = epoch
        self.source = source
        guard askAt == .distantFuture else { return }
        askAt = instant
        askPause = ChatLimits.groupAskPause
        askCount = 0
    }

    /// Notes that nothing is missing any more.
    mutating func haveAll() {
        wanted = 0
        source = nil
        askAt = .distantFuture
    }
}
