/// The limits of a node's rooms; PROTOCOL §12 lists them with their reasons.
package enum RoomRules {
    /// The most rooms of one node at a time, including those that it is joining: every envelope is tried in each.
    package static let roomCount = 16
    /// The number of newest messages of rooms that a node finds without a query to the rooms.
    package static let recentCount = 4_096
    /// The most rooms of imported lists.
    package static let listCount = 256
    /// The longest life of a room (365 days).
    ///
    /// Units: seconds.
    package static let longestLife: UInt32 = 365 * 86_400
    /// The interval of a host's beacons.
    package static let beaconPause = Duration.seconds(30)
    /// The life of a beacon in the mesh (120 s).
    ///
    /// Units: ticks of 10 s.
    package static let beaconLife: UInt16 = 12
    /// The life of a join message in the mesh (60 s).
    ///
    /// Units: ticks of 10 s.
    package static let joinMessageLife: UInt16 = 6
    /// The time for which a node searches for a room.
    package static let searchTime = Duration.seconds(20)
    /// The time that a host may take to answer a join request before the next.
    package static let answerTime = Duration.seconds(10)
    /// The time that a host may take to decide.
    package static let decisionTime = Duration.seconds(30)
    /// The most join requests to one host that gives no answer.
    package static let joinRequestCount = 3
    /// The most hosts that one joining remembers.
    package static let discoveredCount = 64
    /// The most prekey bundles in one control message to a member.
    package static let bundleCount = 10
    /// The most bytes of the prekey bundles that one control message is made with, so that it fits a prekey message.
    ///
    /// Units: bytes.
    package static let bundlesByteCount = 14_000
    /// The life that a host gives a room in order to close it.
    ///
    /// Units: seconds.
    package static let closingLife: UInt32 = 1
}
