package import ChatCrypto
package import MeshCore

/// What makes an engine that of one room, with an identity, sessions and a store that are used for it alone.
///
/// The room itself is a group of that engine. Source: PROTOCOL §17.
package struct RoomPart: Sendable {
    /// The room; nil until this node is let into one.
    package var id: GroupID?
    /// When it ends, by this node's clock.
    package var end: MeshInstant
    /// Who gets in, as the host's beacons tell it; nil while none was heard, and for the host, whose door knows it.
    var admission: RoomAdmission?
    /// The host's side of the door; nil for everybody else.
    package var host: RoomHost?
    /// When the host tells of the room next.
    var nextBeacon = MeshInstant.zero
    /// The way in, until this node is in.
    var entrance: RoomEntrance?
    /// The highest sequence among the host's beacons that were heard.
    var beaconSequence: UInt32 = 0
    /// Whether nothing goes on in it any more.
    package var isOver = false

    /// A room that is known, or one that this node is on its way into.
    package init(id: GroupID? = nil, end: MeshInstant = .distantFuture, admission: RoomAdmission? = nil) {
        self.id = id
        self.end = end
        self.admission = admission
    }

    /// When `tick` has something to do.
    var nextDeadline: MeshInstant {
        guard !isOver else { return .distantFuture }
        return min(end, host == nil ? .distantFuture : nextBeacon, entrance?.deadline ?? .distantFuture)
    }

    /// How long the room lasts; 0 for one without end.
    ///
    /// Units: seconds.
    func remainingSeconds(at now: MeshInstant) -> UInt32 {
        guard end != .distantFuture else { return 0 }
        let left = now < end ? now.duration(to: end).components.seconds : 0
        return UInt32(clamping: left + 1)
    }

    /// How long an envelope of the room lives in the mesh: no longer than the room.
    ///
    /// Units: ticks of 10 s.
    package func clamped(_ life: UInt16, at now: MeshInstant) -> UInt16 {
        let remaining = remainingSeconds(at: now)
        guard remaining > 0 else { return life }
        return min(life, UInt16(clamping: remaining / 10 + 1))
    }

    /// Brings the end forward to so many seconds from now, never back; true if that moved it by more than a moment.
    mutating func endNoLater(than seconds: UInt32, after now: MeshInstant) -> Bool {
        let earlier = now.advanced(by: .seconds(Int64(seconds)))
        guard earlier < end else { return false }
        let isNotable = end == .distantFuture || earlier.duration(to: end) > .seconds(2)
        end = earlier
        return isNotable
    }

    /// Whether a group is the one that this engine is for.
    func expects(_ group: GroupID) -> Bool { id == group }

    /// Whether somebody may speak to this engine who is no member: who waits at its door, or at whose it waits.
    func isAtDoor(_ peer: PeerID) -> Bool {
        entrance?.waitsFor?.id == peer || host?.pending.contains { $0.bundle.identity.id == peer } == true
    }
}
