/// The limits and intervals of holders.
///
/// Source: PROTOCOL §5.5 holders, §12 constants.
package struct HolderConfiguration: Sendable, Equatable {
    // MARK: Handing over

    /// The holders that an object is handed to.
    package var holderCount = 8
    /// The holders that must confirm it, or it is handed over again.
    package var leastHolderCount = 3
    /// The bits by which the depth of a search may be less than that of the node that answers it.
    package var depthSlack = 2
    /// The time for which pieces are collected before a search.
    package var gatherDelay: Duration = .milliseconds(200)
    /// The time that answers to a search may take.
    package var answerPatience: Duration = .milliseconds(1_500)
    /// The time in which holders confirm an object.
    package var keepPatience: Duration = .seconds(20)
    /// The time after which an object that too few nodes hold is handed over again, doubling up to an hour.
    package var repeatDelay: Duration = .seconds(60)
    /// The time for which the nodes that answered a search get further objects without another.
    package var keeperLife: Duration = .seconds(10)
    /// The answers to one search that count.
    package var answerLimit = 64
    /// The answers among these that came by one link.
    package var answersPerLink = 4
    /// The objects that wait to be handed over: own ones, and as many of others.
    package var objectLimit = 256

    // MARK: Keeping

    /// The pieces of one object that a node takes to keep from one other.
    package var keptPieceCount = 64
    /// The searches that a node answers in a second.
    package var answerRate = 2
    /// The searches that a node answers at once.
    package var answerBurst = 8

    // MARK: Fetching

    /// The time without a piece after which an object is fetched.
    package var fetchDelay: Duration = .seconds(2)
    /// The same in a crowd, where pieces that few want do not come by themselves.
    package var crowdFetchDelay: Duration = .milliseconds(300)
    /// The pieces that put off a fetch.
    package var awaitedPieceCount = 64
    /// The objects that wait to be fetched.
    package var fetchLimit = 256
    /// The searches of this node under way.
    package var searchLimit = 4
    /// The sources from which one object is fetched, and the objects that a node is asked to keep at a time.
    package var sourceCount = 8
    /// The sources by one link.
    package var sourcesPerLink = 2

    // MARK: Pieces

    /// The pieces that one source is asked for at a time.
    package var windowCount = 3
    /// The time after which a piece is asked for again.
    package var pieceLatency: Duration = .seconds(3)
    /// The number of times that one source is asked for a piece.
    package var attemptCount = 3
    /// The time without any piece after which an exchange ends.
    package var silence: Duration = .seconds(20)
    /// The objects that are fetched, and those that are taken to keep, at a time.
    package var collectionLimit = 64
    /// The nodes that may ask for pieces at a time.
    package var giftLimit = 512
    /// The rate of pieces to others.
    ///
    /// Units: bytes per second.
    package var givenRate = 2_097_152
    /// The largest size of such pieces at once.
    ///
    /// Units: bytes.
    package var givenBurst = 4_194_304

    /// Creates the defaults of the protocol.
    package init() {}
}
