/// What the router remembers of one link.
struct RouterLink: Sendable {
    let id: LinkID
    let node: NodeID

    // MARK: This node's offers to the neighbour

    /// The place in the store from which envelopes are yet to be offered; nil when all were.
    var offerCursor: UInt64?
    /// The place in the store of the first envelope that the full link refused.
    var firstRefused: UInt64?
    /// The places in the store of what the neighbour wants, ascending.
    var wanted: [UInt64] = []

    // MARK: The neighbour's offers

    /// What the neighbour offered, not asked for yet.
    var offered: [UInt64] = []
    /// How much of what the neighbour was asked for has not come.
    var requestedCount = 0
    /// When something that was asked for last came, or was asked for.
    var requestProgress: MeshInstant

    // MARK: Watching

    /// Own envelopes, of those whose way is reported, that the neighbour has acknowledged on this link.
    var acknowledged: Set<UInt64> = []
    /// The neighbour's digest and count, as it told them last.
    var remote: StoreSummary?
    /// Where the comparison with the neighbour's store stands.
    var comparison: LinkComparison
    var allowance: TokenBucket

    init(id: LinkID, node: NodeID, dialledHere: Bool, configuration: RouterConfiguration, now: MeshInstant) {
        self.id = id
        self.node = node
        requestProgress = now
        comparison = LinkComparison(asks: dialledHere, configuration: configuration, now: now)
        allowance = TokenBucket(rate: configuration.envelopeRate, burst: configuration.envelopeBurst)
    }
}

/// A store in 12 bytes: equal stores have equal summaries.
package struct StoreSummary: Equatable, Sendable {
    /// The exclusive or of a mix of the ids.
    package let digest: UInt64
    /// How many there are.
    package let count: Int

    /// Makes a summary.
    package init(digest: UInt64, count: Int) {
        self.digest = digest
        self.count = count
    }
}
