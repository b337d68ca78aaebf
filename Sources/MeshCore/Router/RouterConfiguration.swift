/// The limits and intervals of flooding and synchronisation.
///
/// Source: PROTOCOL §5 flooding and store, §12 constants.
package struct RouterConfiguration: Sendable, Equatable {
    /// Whether changes of the store are reported, for a log.
    package var reportsStoreChanges = false
    /// The treatment of each kind of envelope.
    package var kinds = KindPolicy([:])
    /// The limits of the store.
    package var store = StoreLimits()

    // MARK: The tree

    /// The number of links that begin eager in a crowd, besides half of the others.
    package var crowdEagerCount = 2
    /// The time for which announcements are collected before they are sent to a neighbour.
    package var announceDelay: Duration = .milliseconds(5)
    /// The time, in addition to two round trips, that an announced envelope may take to arrive on the tree before it is
    /// requested.
    package var graftDelay: Duration = .milliseconds(60)
    /// The time, in addition to a round trip, for which a neighbour may send nothing that was requested before another
    /// is asked.
    package var graftRetry: Duration = .milliseconds(30)
    /// The time for which the last neighbour that has an envelope may take to send it.
    package var graftPatience: Duration = .seconds(2)
    /// The assumed round trip of a link without a measurement.
    package var assumedRoundTrip: Duration = .milliseconds(30)
    /// The time, in addition to a round trip, by which a neighbour must have announced an envelope before another
    /// delivered it to replace the other in the tree.
    package var treeGain: Duration = .milliseconds(10)
    /// The largest number of envelopes that neighbours have named and that have not arrived.
    package var namedLimit = 16_384
    /// The largest number of them that one neighbour has announced, and that this node remembers to have announced to one.
    package var announcedLimit = 1_024
    /// The largest number of envelopes requested from one neighbour at a time.
    package var graftLimit = 256
    /// The largest number of envelopes kept briefly although the store does not take them.
    package var unstoredCount = 1_024
    /// The largest size of such envelopes.
    ///
    /// Units: bytes.
    package var unstoredByteCount = 4_194_304

    // MARK: Pushes

    /// The number of times that a post is pushed.
    package var multicastRepeats = 2
    /// The time between them: longer than a burst of losses.
    package var multicastInterval: Duration = .milliseconds(30)
    /// The longest time that a node waits for another to push what a link brought.
    package var multicastDelay: Duration = .milliseconds(40)
    /// The neighbours on a segment that get an own post in order to push it in this node's place.
    package var neighborPushCount = 2
    /// The time after which a node pushes an own post that none of these neighbours has pushed.
    package var neighborPushPatience: Duration = .milliseconds(250)
    /// The time without any multicast after which a node pushes nothing on a segment.
    package var multicastSilence: Duration = .seconds(5)
    /// The number of links on a segment without which a node pushes nothing there.
    package var pushLinkCount = 4
    /// The time for which a node collects what it announces of what was pushed; it grows with the crowd.
    package var pushedAnnounceDelay: Duration = .seconds(1)
    /// The life that a copy may have less than another and still count as heard.
    package var shorterLife: Duration = .seconds(20)
    /// The pushes on one segment in a second to which a node adds its own, while half of them are left.
    package var multicastCount = 120
    /// The size of these pushes.
    ///
    /// Units: bytes.
    package var multicastByteCount = 98_304
    /// The pushes that a node reads on one segment in a second.
    package var heardCount = 400
    /// The size of these pushes.
    ///
    /// Units: bytes.
    package var heardByteCount = 262_144
    /// The time for which probes are not pushed after one was pushed that was one too many.
    package var probePushRest: Duration = .seconds(5)
    /// The most pushes that wait for their time.
    package var multicastQueueLimit = 256
    /// The number of pushed posts that a node remembers.
    package var multicastMemory = 4_096

    // MARK: Rates

    /// The rate at which a node forwards for others.
    ///
    /// Its own envelopes are not counted.
    package var relayRate = EnvelopeRate(count: 400, countBurst: 1_000, bytes: 2_097_152, byteBurst: 4_194_304)
    /// The largest number of envelopes from one link that wait for forwarding.
    package var relayQueueLimit = 4_096
    /// The rate at which a node sends unrequested envelopes to one neighbour.
    ///
    /// It only announces the rest.
    package var pushRate = EnvelopeRate(count: 400, countBurst: 1_000, bytes: 2_097_152, byteBurst: 4_194_304)
    /// The rate at which one neighbour may send unrequested envelopes.
    ///
    /// It is more than `pushRate`, so that a neighbour that keeps to that rate loses nothing when packets bunch in
    /// transit.
    ///
    /// Neither is less than `relayRate`: with a lower limit, honest relays would lose other nodes' envelopes.
    package var inboundRate = EnvelopeRate(count: 500, countBurst: 2_000, bytes: 2_621_440, byteBurst: 8_388_608)
    /// The rate at which all neighbours together may send unrequested envelopes, copies included.
    ///
    /// Links share it fairly, so that whoever has many of them brings no more. It is more than all honest nodes may pass
    /// on.
    package var intakeRate = EnvelopeRate(count: 1_000, countBurst: 4_000, bytes: 5_242_880, byteBurst: 16_777_216)
    /// The time whose share of `inboundRate` a neighbour has at once on a new link.
    package var inboundStart: Duration = .milliseconds(500)
    /// The time whose share of `pushRate` a node sends at once on a new link.
    package var pushStart: Duration = .milliseconds(50)
    /// The rate of probes that a node takes from others and sends itself, which its links share fairly.
    package var probeRate = EnvelopeRate(count: 20, countBurst: 20, bytes: 65_536, byteBurst: 65_536)
    /// The largest number of probes from one link that wait.
    package var probeQueueLimit = 16
    /// The time for which a probe waits at most: its sender has sent another by then.
    package var probePatience: Duration = .seconds(2)
    /// The rate of unrequested first messages, which are expensive, from one link.
    ///
    /// A node sends a neighbour one less. Units: first messages per second.
    ///
    /// The rest is announced, so that an honest burst only takes another round trip.
    package var firstMessageRate = 5
    /// The largest number of unrequested first messages from one link at once.
    package var firstMessageBurst = 20
    /// The rate of unrequested first messages from all links together.
    ///
    /// Units: first messages per second.
    package var nodeFirstMessageRate = 50
    /// The largest number of unrequested first messages from all links together at once: as many as from twelve links.
    package var nodeFirstMessageBurst = 240

    /// The size of the posts to neighbours in a minute from which on the node is busy: half of what it may send for
    /// others.
    ///
    /// Units: bytes.
    package var busyPostByteCount = 7_864_320
    /// The pushes in a minute from which on the node is busy: half of those to which it would add.
    package var busyPushCount = 1_800

    // MARK: Comparing stores

    /// The largest number of outstanding requests on one link.
    package var requestLimit = 1_000
    /// The rate at which a node asks all neighbours together for what they offered.
    ///
    /// Units: envelopes per second.
    package var askRate = 2_000
    /// The number that it asks for at once after a pause.
    package var askBurst = 300
    /// The time until it asks again when that rate is used up, so that it asks for many at once.
    package var askPause: Duration = .milliseconds(25)
    /// The largest number of envelopes that a neighbour wants and that wait to be sent.
    package var servedLimit = 4_096
    /// The rate at which a node sends all neighbours together what they want; each envelope counts as 512 at least.
    ///
    /// Units: bytes per second.
    package var servedRate = 2_097_152
    /// The size that goes to all neighbours at once after a pause.
    ///
    /// Units: bytes.
    package var servedBurst = 4_194_304
    /// The time without any requested data after which a request is given up.
    package var requestTimeout: Duration = .seconds(30)
    /// The number of introductions that are offered on a new link, including this node's own.
    package var firstOfferLimit = 16
    /// The time from the start of a link to the comparison of its ends' stores.
    package var comparisonDelay: Duration = .milliseconds(200)
    /// The time for which stores must have differed and rested before a later comparison.
    package var comparisonPatience: Duration = .seconds(2)
    /// The shortest time between two comparisons on a link.
    ///
    /// It doubles with each, until one is known to have brought something that lasts.
    package var comparisonInterval: Duration = .seconds(5)
    /// The time after which an envelope that a comparison brought must still be stored for the comparison to count.
    package var lastingTime: Duration = .seconds(60)
    /// The age of a link up to which the tree passes on what a comparison on it brought.
    ///
    /// On a young link two parts of a mesh may have met. Later, neighbours learn by their status.
    package var meetingTime: Duration = .seconds(600)
    /// The longest time between two comparisons on a link whose ends differ.
    package var maximumComparisonInterval: Duration = .seconds(300)
    /// The shortest time between two comparisons that a neighbour begins.
    package var answerInterval: Duration = .seconds(2)
    // MARK: Coming back

    /// The time without a neighbour whose store is full after which a node has been away.
    package var absence: Duration = .seconds(60)
    /// The time that a node may have run without such a neighbour before it stopped, of which it has no record.
    package var loneTime: Duration = .seconds(28_800)
    /// The time for which a node that comes back reads the shelves of new neighbours.
    package var catchUpTime: Duration = .seconds(600)
    /// The time between two looks for shelves to read, with one dial each.
    package var catchUpInterval: Duration = .milliseconds(500)
    /// The number of neighbours at which it reads each place: one may lie, or have come back itself.
    package var catchUpCount = 3
    /// The most envelopes that it reads outside its own shelf in that time.
    package var catchUpLimit = 65_536
    /// The most shelves of neighbours that it dialled that it reads at a time.
    package var readingLimit = 6
    /// The time from the start of a link until the node reads there, so that it knows the neighbour's shelf.
    package var readingDelay: Duration = .seconds(1)
    /// The longest time that one reading takes.
    package var readingTime: Duration = .seconds(30)
    /// The time for which nothing that was asked for comes after which the neighbour no longer has it.
    package var readingSilence: Duration = .seconds(5)
    /// The most readings on one link, while there is no room for all that is offered.
    package var readingRepeats = 6

    // MARK: Reports

    /// The largest number of own envelopes whose progress is reported.
    package var submissionLimit = 32_768

    /// Creates the defaults of the protocol.
    package init() {}
}
