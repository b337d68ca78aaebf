/// The limits and intervals of flooding and synchronisation.
///
/// Source: PROTOCOL §5 flooding and store, §12 constants.
package struct RouterConfiguration: Sendable, Equatable {
    /// Whether the store's changes are told, for a log.
    package var reportsStoreChanges = false
    /// How each kind of envelope is treated.
    package var kinds = KindPolicy([:])
    /// What the store holds.
    package var store = StoreLimits()
    /// The number of envelopes in one generation of those seen without being stored.
    package var seenGenerationCount = 65_536
    /// The longest a generation lasts.
    package var seenGenerationLifetime: Duration = .seconds(600)

    // MARK: The tree

    /// How long word of envelopes is collected before a neighbour is told.
    package var announceDelay: Duration = .milliseconds(5)
    /// How long, besides two round trips, an announced envelope may take to come by the tree before it is fetched.
    package var graftDelay: Duration = .milliseconds(60)
    /// How long, besides a round trip, a neighbour may send nothing that was fetched before another is asked.
    package var graftRetry: Duration = .milliseconds(30)
    /// How long the last neighbour that has an envelope may take.
    package var graftPatience: Duration = .seconds(2)
    /// The round trip of a link on which none has been measured.
    package var assumedRoundTrip: Duration = .milliseconds(30)
    /// How much sooner, besides a round trip, a neighbour must have announced an envelope than another brought it to
    /// take that one's place in the tree.
    package var treeGain: Duration = .milliseconds(10)
    /// The number of envelopes that one neighbour has announced and that have not come.
    package var announcedLimit = 4_096
    /// The number of envelopes fetched from one neighbour at a time.
    package var graftLimit = 256
    /// The number of envelopes kept for a while although their kind is not stored.
    package var passingCount = 256
    /// Units: bytes of such envelopes.
    package var passingByteCount = 1_048_576

    // MARK: Rates

    /// What a node passes on for others; what it writes itself is not counted.
    package var relayRate = EnvelopeRate(count: 400, countBurst: 1_000, bytes: 2_097_152, byteBurst: 4_194_304)
    /// The number of envelopes that came by one link and wait to be passed on.
    package var relayQueueLimit = 4_096
    /// What a node sends to one neighbour unasked; the rest it only announces.
    package var pushRate = EnvelopeRate(count: 400, countBurst: 1_000, bytes: 2_097_152, byteBurst: 4_194_304)
    /// What one neighbour may send unasked: more than `pushRate`, so that whoever keeps to that loses nothing when
    /// packets bunch on their way.
    ///
    /// Neither is less than `relayRate`: a lower limit would have honest relays parted
    /// from for what others wrote.
    package var inboundRate = EnvelopeRate(count: 500, countBurst: 2_000, bytes: 2_621_440, byteBurst: 8_388_608)
    /// How long a neighbour may send more than `inboundRate` without a pause before the link is ended.
    package var excessLimit: Duration = .seconds(10)
    /// How long a pause is.
    package var excessPause: Duration = .seconds(1)
    /// Units: probes a second that one link may bring.
    package var probeRate = 2
    /// The number of probes that one link may bring at once.
    package var probeBurst = 10
    /// Units: probes a second that a node passes on, and at once.
    package var nodeProbeRate = 10
    /// Units: first messages, which are costly, a second that one link may bring unasked, and a neighbour is sent one less.
    ///
    /// The rest is announced, so that an honest burst only takes another round trip.
    package var firstMessageRate = 5
    /// The number of first messages that one link may bring at once unasked.
    package var firstMessageBurst = 20
    /// Units: first messages a second that all links together may bring unasked.
    package var nodeFirstMessageRate = 50
    /// The number of first messages that all links together may bring at once unasked: what twelve may.
    package var nodeFirstMessageBurst = 240

    // MARK: Comparing stores

    /// The number of envelopes asked for on one link and not come yet.
    package var requestLimit = 1_000
    /// The number of envelopes a neighbour has offered that wait to be asked for.
    package var offeredLimit = 20_000
    /// The number of envelopes a neighbour wants that wait to be sent.
    package var wantedLimit = 4_096
    /// How long nothing that was asked for may come before it is given up.
    package var requestTimeout: Duration = .seconds(30)
    /// The number of introductions that are offered with a new link, the own one among them.
    package var firstOfferLimit = 16
    /// How long after a link came up its ends' stores are compared.
    package var comparisonDelay: Duration = .milliseconds(200)
    /// How long stores must have differed and rested before they are compared later on.
    package var comparisonPatience: Duration = .seconds(2)
    /// The shortest time between two comparisons on a link; doubles while they move nothing.
    package var comparisonInterval: Duration = .seconds(5)
    /// The longest time between two comparisons on a link whose ends differ.
    package var maximumComparisonInterval: Duration = .seconds(300)
    /// The shortest time between two comparisons that a neighbour may begin.
    package var answerInterval: Duration = .seconds(2)
    /// The number of own envelopes whose way is reported.
    package var submissionLimit = 32_768

    /// The defaults of the protocol.
    package init() {}
}
