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
    /// The longest interval of steady beacons.
    ///
    /// Beacons of nodes that do not exist lengthen it. It bounds the time for which a node stays hidden by them.
    package var longestInterval: Duration = .seconds(300)
    /// The rate of steady beacons of all nodes of one segment together.
    ///
    /// A segment of up to 2,100 nodes carries at most eight per second; one of them is left for jitter and answers.
    /// Units: beacons per second.
    package var segmentRate = 7
    /// The jitter of a steady interval, as a fraction of it.
    package var intervalJitter = 0.25
    /// The number of its own intervals without a beacon after which a neighbour is removed.
    package var expiryIntervals = 3.5
    /// The number of its own intervals without a beacon after which a neighbour that was never linked does not count.
    package var unlinkedIntervals = 1.5
    /// The average number of neighbours that answer one solicit.
    package var answersPerSolicit = 8
    /// The longest delay of an answer, so that answers do not collide.
    package var answerDelay: Duration = .milliseconds(50)
    /// The time after a question for which beacons to this node alone count as answers.
    package var answerPatience: Duration = .seconds(1)

    // MARK: Limits

    /// The largest number of neighbours on one interface.
    package var neighbourLimit = 1_024
    /// The largest number of neighbours that were never linked at one address, except on loopback.
    package var neighboursPerAddress = 16
    /// The largest number of neighbours that were never linked with link-local addresses on one interface.
    package var linkLocalLimit = 64
    /// The rate of checks of beacons with the tag of another day or mesh on one interface, which is also the burst.
    ///
    /// Units: checks per second.
    package var otherTagRate = 1_000
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

    /// The number of links that a node dials.
    package var linkTarget = 4
    /// The number of links on each segment that a node aims for on its own.
    package var linksPerSegment = 2
    /// The largest number of visible nodes at which all of them are linked.
    package var fullMeshLimit = 8
    /// The number of visible nodes from which posts are pushed to all nodes of a segment.
    package var pushNeighbourCount = 16
    /// The most links, beside all others, that the node makes because a path or trail leads to the other one; one more
    /// ends the least useful one.
    package var pathLinkLimit = 12
    /// The time for which such a link stays in any case.
    package var youngestPathLink: Duration = .seconds(30)
    /// The most links and dials in all; `linkTarget` of these places are not for paths.
    package var maximumLinkCount = 40
    /// The most dials at a time to nodes whose pushes are answered.
    package var trailDialLimit = 4
    /// The number of visible nodes for which the crowd factor grows by one.
    package var crowdSize = 25
    /// The largest crowd factor.
    package var largestCrowdFactor = 10
    /// The time after the start at which the node begins to link all of a few visible nodes.
    package var settleTime: Duration = .seconds(3)
    /// The number of links up to which other nodes' dials are accepted (32 for a relay box).
    package var acceptLimit = 16
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
    /// The number of failed dials in a row after which a host that was never linked is left alone for the longest pause.
    package var restFailureCount = 2
    /// The largest number of hosts whose dials are remembered.
    package var dialHistoryLimit = 1_024
    /// The jitter of a pause, as a fraction of it.
    package var backoffJitter = 0.3
    /// The shortest time between two dials to one endpoint, independent of their result and of requests from there.
    package var dialSpacing: Duration = .seconds(2)
    /// The rate of rotations of all nodes of one segment together.
    ///
    /// Units: rotations per second.
    package var rotationRate = 2
    /// The shortest average time between two rotations of a node.
    package var shortestRotation: Duration = .seconds(15)
    /// The longest average time between two rotations of a node.
    package var longestRotation: Duration = .seconds(300)
    /// The jitter of the time between two rotations, as a fraction of it.
    package var rotationJitter = 0.5
    /// The most links at a time that the node makes to read shelves.
    package var shelfLinkLimit = 8
    /// The age from which on such a link does not count any more.
    package var shelfLinkLife: Duration = .seconds(40)
    /// The time after a link for which a node is not dialled to read its shelf.
    package var shelfRest: Duration = .seconds(600)
    /// The number of oldest links that rotation keeps.
    package var oldestKept = 3

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
