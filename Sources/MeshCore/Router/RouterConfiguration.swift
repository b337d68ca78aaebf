/// The limits and intervals of flooding and synchronisation.
///
/// Source: PROTOCOL §5 flooding and store, §12 constants.
package struct RouterConfiguration: Sendable, Equatable {
    /// Whether the store's changes are told, for a log.
    package var reportsStoreChanges = false
    /// What the store holds.
    package var store = StoreLimits()
    /// The number of envelopes in one generation of those seen without being stored.
    package var seenGenerationCount = 65_536
    /// The longest a generation lasts.
    package var seenGenerationLifetime: Duration = .seconds(600)
    /// Units: envelopes per second that one link may bring on average.
    package var envelopeRate = 2_000
    /// The number of envelopes that one link may bring at once.
    package var envelopeBurst = 4_000
    /// The number of envelopes asked for on one link and not come yet.
    package var requestLimit = 1_000
    /// The number of envelopes a neighbour has offered that wait to be asked for.
    package var offeredLimit = 20_000
    /// The number of envelopes a neighbour wants that wait to be sent.
    package var wantedLimit = 4_096
    /// How long nothing that was asked for may come before it is given up.
    package var requestTimeout: Duration = .seconds(30)
    /// How long after a link came up its ends' stores are compared.
    package var comparisonDelay: Duration = .milliseconds(200)
    /// How long stores must have differed before they are compared later on.
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
