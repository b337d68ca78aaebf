/// The intervals and limits of discovery.
///
/// Source: PROTOCOL §4, and §12 for the constants.
package struct DiscoveryConfiguration: Sendable, Equatable {
    // MARK: Beacons

    /// The times of the soliciting beacons after an interface came up.
    package var burst: [Duration] = [0, 30, 90, 200, 400, 800, 1600].map { .milliseconds($0) }
    /// The shortest interval of steady beacons.
    package var shortestInterval: Duration = .seconds(2)
    /// The interval on a segment without recent changes.
    package var restInterval: Duration = .seconds(10)
    /// The time without changes after which the rest interval applies.
    package var restAfter: Duration = .seconds(30)
    /// The interval on a segment on which the last link was lost.
    package var searchInterval: Duration = .seconds(1)
    /// The duration of the search for a lost link at that interval.
    package var searchTime: Duration = .seconds(120)
    /// The delay of a tick that shows that the machine has slept.
    package var sleepTime: Duration = .seconds(5)
    /// The longest interval of steady beacons: the one for a full neighbour table.
    package var longestInterval: Duration = .seconds(150)
    /// The rate of steady beacons of all nodes of one segment together.
    ///
    /// A segment carries at most eight per second; one of them is left for jitter and answers. Units: beacons per
    /// second.
    package var segmentRate = 7
    /// The jitter of a steady interval, as a fraction of it.
    package var intervalJitter = 0.25
    /// The number of its own intervals without a beacon after which a neighbour is removed.
    package var expiryIntervals = 3.5
    /// The average number of neighbours that answer one solicit.
    package var answersPerSolicit = 8
    /// The longest delay of an answer, so that answers do not collide.
    package var answerDelay: Duration = .milliseconds(50)

    // MARK: Limits

    /// The largest number of neighbours on one interface.
    package var neighbourLimit = 1_024
    /// The rate of unknown nodes accepted into one interface's table, which is also the burst.
    ///
    /// Units: nodes per second.
    package var newNeighbourRate = 50
    /// The rate of beacons accepted from one neighbour.
    ///
    /// Units: beacons per second.
    package var beaconRate = 2
    /// The number of beacons accepted at once from one neighbour after a pause.
    ///
    /// A soliciting burst just passes.
    package var beaconBurst = 4
    /// The largest number of answers that wait on one interface.
    package var answerLimit = 64
    /// The largest number of interfaces in use at the same time.
    package var interfaceLimit = 64
    /// The largest number of static peers.
    package var staticPeerLimit = 64

    // MARK: Overlay

    /// The number of links that a node aims for on its own.
    package var linkTarget = 4
    /// The number of links on each segment that a node aims for on its own.
    package var linksPerSegment = 2
    /// The largest number of visible nodes at which all of them are linked.
    package var fullMeshLimit = 8
    /// The time after the start at which the node begins to link all of a few visible nodes.
    package var settleTime: Duration = .seconds(3)
    /// The number of links up to which other nodes' dials are accepted (24 for a relay box).
    package var acceptLimit = 12
    /// The number of links beyond `acceptLimit` that are accepted while two components are being joined.
    package var bridgeAllowance = 4
    /// The rate of dials, static peers included, which is also the burst.
    ///
    /// Units: dials per second.
    package var dialRate = 20
    /// The time after which an unanswered dial is given up.
    package var dialTimeout: Duration = .seconds(4)
    /// The first pause after a failed dial or a lost link.
    ///
    /// Each failure doubles the pause.
    package var firstBackoff: Duration = .seconds(1)
    /// The longest pause after failed dials.
    package var longestBackoff: Duration = .seconds(60)
    /// The jitter of a pause, as a fraction of it.
    package var backoffJitter = 0.3
    /// The shortest time between two dials to one endpoint, independent of their result and of requests from there.
    package var dialSpacing: Duration = .seconds(2)
    /// The interval at which a dialled link is replaced by one to a random neighbour.
    package var rotationInterval: Duration = .seconds(60)
    /// The jitter of the time between two replacements, as a fraction of it.
    package var rotationJitter = 0.5
    /// The number of oldest links, which are never replaced.
    package var oldestKept = 3

    // MARK: Component root

    /// The interval at which the root raises its counter.
    package var rootInterval: Duration = .seconds(10)
    /// The longest delay of the announcement of a raised counter.
    ///
    /// With it, of two neighbours mostly only one notifies the other.
    package var rootAnnouncementDelay: Duration = .milliseconds(50)
    /// The time for which a root is accepted without a higher counter.
    package var rootLife: Duration = .seconds(35)
    /// The largest number of known roots, expired ones included.
    package var rootLimit = 64
    /// The time for which the own root must have been stable before a different one is examined.
    package var rootStability: Duration = .seconds(3)
    /// The shortest uptime of the node before it examines a different root.
    package var bridgeMinimumUptime: Duration = .seconds(5)
    /// The time without a new link before a different root is examined.
    package var bridgeQuietTime: Duration = .seconds(2)
    /// The longest wait before the neighbour with the different root is asked.
    package var bridgeWait: Duration = .seconds(2)
    /// The time for which the node waits for the neighbour's answer.
    package var bridgeAnswerTime: Duration = .seconds(1)
    /// The time for which a node that was asked accepts links beyond its limit.
    package var bridgeOpenTime: Duration = .seconds(5)

    // MARK: Identity

    /// The lifetime of a node id, drawn again for each id.
    package var nodeIDLife: ClosedRange<Duration> = .seconds(30 * 60) ... .seconds(60 * 60)

    /// The longest lifetime of a node id, if the node still needs it.
    package var longestNodeIDLife: Duration = .seconds(2 * 60 * 60)
    /// The interval at which the node checks whether it still needs the id.
    package var nodeIDPatience: Duration = .seconds(30)

    /// Creates the configuration of an ordinary node.
    package init() {}
}
