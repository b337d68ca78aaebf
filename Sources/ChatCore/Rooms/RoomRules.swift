/// The limits of a node's rooms; PROTOCOL §12 lists them with their reasons.
package enum RoomRules {
    /// Rooms of one node at a time, those it is on its way into counted in: every envelope is tried in each.
    package static let roomCount = 16
    /// Newest messages of rooms that a node finds without asking the rooms.
    package static let recentCount = 4_096
    /// Rooms of imported lists.
    package static let listCount = 256
    /// Units: seconds of the longest room (365 days).
    package static let longestLife: UInt32 = 365 * 86_400
    /// How often a host tells of its room.
    package static let beaconPause = Duration.seconds(30)
    /// Units: ticks of 10 s that a beacon lives in the mesh (120 s).
    package static let beaconLife: UInt16 = 12
    /// Units: ticks of 10 s that a flight of a join lives in the mesh (60 s).
    package static let flightLife: UInt16 = 6
    /// How long a room is looked for.
    package static let lookTime = Duration.seconds(20)
    /// How long a host may take to answer a knock before the next.
    package static let answerTime = Duration.seconds(10)
    /// How long a host may take to decide.
    package static let decisionTime = Duration.seconds(30)
    /// Knocks at one host that gives no answer.
    package static let knockCount = 3
    /// Hosts that one way into a room knows of.
    package static let heardCount = 64
    /// Bundles in one note to a member.
    package static let bundleCount = 48
    /// Units: seconds of life that a host gives a room in order to close it.
    package static let closingLife: UInt32 = 1
}
