/// The intervals and limits of discovery.
///
/// Source: PROTOCOL §4, and §12 for the constants.
package struct DiscoveryConfiguration: Sendable, Equatable {
    // MARK: Beacons

    /// When the soliciting beacons leave after an interface came up, counted from there.
    package var burst: [Duration] = [0, 30, 90, 200, 400, 800, 1600].map { .milliseconds($0) }
    /// The shortest interval of steady beacons.
    package var shortestInterval: Duration = .seconds(2)
    /// The interval on a segment where nothing has changed for a while.
    package var restInterval: Duration = .seconds(10)
    /// How long nothing must have changed.
    package var restAfter: Duration = .seconds(30)
    /// The interval on a segment where the last link has been lost.
    package var searchInterval: Duration = .seconds(1)
    /// How long a lost link is searched for at that interval.
    package var searchTime: Duration = .seconds(120)
    /// A tick that comes so late shows that the machine has slept.
    package var sleepTime: Duration = .seconds(5)
    /// The longest interval of steady beacons: what a full neighbour table asks for.
    package var longestInterval: Duration = .seconds(150)
    /// Units: steady beacons a second of all nodes of one segment together; one of the eight that a segment is to
    /// carry at most is left for jitter and answers.
    package var segmentRate = 7
    /// How far a steady interval is spread, as a fraction of it.
    package var intervalJitter = 0.25
    /// A neighbour is forgotten after this many of its own intervals without a beacon.
    package var expiryIntervals = 3.5
    /// How many neighbours are to answer one solicit, on average.
    package var answersPerSolicit = 8
    /// The longest an answer is held back, so that answers do not collide.
    package var answerDelay: Duration = .milliseconds(50)
    /// The beacon of a fresh node id is said again after this time.
    package var renameRepeat: Duration = .milliseconds(400)

    // MARK: Limits

    /// Neighbours remembered on one interface.
    package var neighbourLimit = 1_024
    /// Unknown nodes taken into one interface's table in a second; as many at once after a rest.
    package var newNeighbourRate = 50
    /// Beacons a second listened to from one neighbour.
    package var beaconRate = 2
    /// Beacons at once from one neighbour after a rest: a soliciting burst just passes.
    package var beaconBurst = 4
    /// Answers waiting to be sent on one interface.
    package var answerLimit = 64
    /// Interfaces used at the same time.
    package var interfaceLimit = 64
    /// Static peers.
    package var staticPeerLimit = 64

    // MARK: Overlay

    /// Links that a node strives for on its own.
    package var linkTarget = 4
    /// Links on each segment that a node strives for on its own.
    package var linksPerSegment = 2
    /// With at most this many visible nodes, all of them are linked.
    package var fullMeshLimit = 8
    /// How long after the start all of a few visible nodes are linked.
    package var settleTime: Duration = .seconds(3)
    /// Links up to which others' dials are accepted (24 for a relay box).
    package var acceptLimit = 12
    /// Links beyond `acceptLimit` that are accepted while two components are being joined.
    package var bridgeAllowance = 4
    /// Dials a second, static peers included; as many at once after a rest.
    package var dialRate = 20
    /// A dial that nothing was heard of after this time is given up.
    package var dialTimeout: Duration = .seconds(4)
    /// The first pause after a failed dial or a lost link; doubled with each failure.
    package var firstBackoff: Duration = .seconds(1)
    /// The longest pause after failed dials.
    package var longestBackoff: Duration = .seconds(60)
    /// How far a pause is spread, as a fraction of it.
    package var backoffJitter = 0.3
    /// The shortest time between two dials to one endpoint, however they end and whoever asks there to be dialled.
    package var dialSpacing: Duration = .seconds(2)
    /// How often a dialled link is replaced by one to a random neighbour.
    package var rotationInterval: Duration = .seconds(60)
    /// How far the time between two replacements is spread, as a fraction of it.
    package var rotationJitter = 0.5
    /// The oldest links, which are never replaced.
    package var oldestKept = 3

    // MARK: Component root

    /// How often the root raises its counter.
    package var rootInterval: Duration = .seconds(10)
    /// The longest that word of a raised counter is held back: of two neighbours mostly one tells the other then.
    package var rootTellingDelay: Duration = .milliseconds(50)
    /// How long a root is believed in without a higher counter.
    package var rootLife: Duration = .seconds(35)
    /// Roots remembered, dead ones included.
    package var rootLimit = 64
    /// How long the own root must have been stable before a strange one is looked into.
    package var rootStability: Duration = .seconds(3)
    /// How long the node must have been up before it looks into a strange root.
    package var bridgeMinimumUptime: Duration = .seconds(5)
    /// How long no link may have come up before a strange root is looked into.
    package var bridgeQuietTime: Duration = .seconds(2)
    /// The longest wait before the neighbour with the strange root is asked.
    package var bridgeWait: Duration = .seconds(2)
    /// How long the neighbour's answer is waited for.
    package var bridgeAnswerTime: Duration = .seconds(1)
    /// How long a node that was asked accepts links beyond its limit.
    package var bridgeOpenTime: Duration = .seconds(5)

    // MARK: Identity

    /// How long a node keeps one node id, drawn anew each time.
    package var nodeIDLife: ClosedRange<Duration> = .seconds(30 * 60) ... .seconds(60 * 60)

    /// How long a node keeps one node id at most, if there is something against another.
    package var longestNodeIDLife: Duration = .seconds(2 * 60 * 60)
    /// How long after that it looks again whether there still is.
    package var nodeIDPatience: Duration = .seconds(30)

    /// Makes the configuration of an ordinary node.
    package init() {}
}
