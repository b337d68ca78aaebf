import Bytes

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

    // MARK: The tree

    /// Whether the neighbour is sent every new envelope, or only told of it.
    var isEager = true
    /// What the neighbour is to be told of.
    var announcements: [Announcement] = []
    /// When it is told.
    var announceDue = MeshInstant.distantFuture
    /// When the neighbour was last told to send no more unasked, while the link is lazy.
    var lastPrune: MeshInstant?
    /// When an envelope last came.
    var lastEnvelope: MeshInstant

    // MARK: Limits

    /// What the neighbour may bring without having been asked.
    var inbound: InboundBudget
    /// What may be sent to the neighbour without having been asked for.
    private var push: EnvelopeBudget
    /// The first messages of it.
    private var pushedFirstMessages: TokenBucket

    // MARK: Watching

    /// Own envelopes, of those whose way is reported, that the neighbour has acknowledged on this link.
    var acknowledged: Set<UInt64> = []
    /// The neighbour's digest and count, as it told them last.
    var remote: StoreSummary?
    /// Where the comparison with the neighbour's store stands.
    var comparison: LinkComparison

    /// An envelope to be told of.
    struct Announcement: Sendable {
        let shortID: UInt64
        /// Whether it came just from its author and not from somebody's store.
        let isFresh: Bool
    }

    init(id: LinkID, node: NodeID, dialledHere: Bool, configuration: RouterConfiguration, now: MeshInstant) {
        self.id = id
        self.node = node
        requestProgress = now
        comparison = LinkComparison(asks: dialledHere, configuration: configuration, now: now)
        lastEnvelope = now
        inbound = InboundBudget(configuration)
        push = EnvelopeBudget(configuration.pushRate)
        // Less than the neighbour takes, for packets bunch on their way.
        pushedFirstMessages = TokenBucket(
            rate: max(1, configuration.firstMessageRate - 1),
            burst: max(1, configuration.firstMessageBurst * 4 / 5)
        )
    }

    /// Whether the neighbour may be sent an envelope without having asked for it; if so, it is counted.
    mutating func takePush(of message: [UInt8], isCostly: Bool, now: MeshInstant) -> Bool {
        guard !isCostly || pushedFirstMessages.nextToken <= now, push.take(byteCount: message.count, now: now) else {
            return false
        }
        if isCostly { pushedFirstMessages.spend(now: now) }
        return true
    }

    /// The neighbour need not be told of an envelope any more.
    mutating func withdrawAnnouncement(of shortID: UInt64) {
        guard !announcements.isEmpty else { return }
        announcements.removeAll { $0.shortID == shortID }
        if announcements.isEmpty { announceDue = .distantFuture }
    }

    /// Makes the link a part of the tree.
    mutating func becomeEager() {
        isEager = true
        lastPrune = nil
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
