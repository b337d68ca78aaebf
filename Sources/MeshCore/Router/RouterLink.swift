import Bytes

/// The router's state of one link.
struct RouterLink: Sendable {
    let id: LinkID
    let node: NodeID
    /// The time at which the link came up.
    let since: MeshInstant
    /// The state of the own store at that time.
    let firstSummary: StoreSummary

    // MARK: This node's offers to the neighbour

    /// The store position from which envelopes are not offered yet; nil when all have been offered.
    var offerCursor: UInt64?
    /// The places of what is offered.
    var offerRange = Shelf.everything
    /// The salt of the question to which the offers are the answer; nil if there is none.
    var offerSalt: UInt64?
    /// The store position of the first envelope that the full link refused.
    var firstRefused: UInt64?
    /// The envelopes that the neighbour wants.
    var served = Served()
    /// Whether they wait for the rate of all that this node sends so.
    var awaitsServing = false

    // MARK: The neighbour's offers

    /// The time at which an envelope that it offered and was asked for last arrived, or was requested.
    var requestProgress: MeshInstant
    /// Whether the full link refused the last request, so that nothing is requested until it has room.
    var isWantRefused = false

    // MARK: The tree

    /// Whether the neighbour is sent every new envelope.
    ///
    /// Otherwise envelopes are only announced to it.
    var isEager = true
    /// The segment of the neighbour; nil if a router or a stream is between.
    var segment: InterfaceID?
    /// The crowd factor of the segment.
    var crowdFactor = 1
    /// Whether the tree of a crowd begins without the link; both ends agree on it.
    var isSpare = false
    /// Whether an envelope was announced to the neighbour, or a probe sent, while the link was lazy.
    var wasAnnounced = false
    /// The pending announcements for the neighbour.
    var announcements: [Announcement] = []
    /// The time at which the announcements are sent.
    var announceDue = MeshInstant.distantFuture
    /// The envelopes that were announced to it, which it may fetch.
    var announced: AnnouncedIDs
    /// The time at which the neighbour was last asked to stop sending unrequested envelopes, while the link is lazy.
    var lastPrune: MeshInstant?
    /// The time at which an envelope last arrived.
    var lastEnvelope: MeshInstant

    // MARK: Limits

    /// The limit on the neighbour's unrequested envelopes.
    var inbound: InboundBudget
    /// The limit on unrequested envelopes to the neighbour.
    private var push: EnvelopeBudget
    /// The limit on first messages among them.
    private var pushedFirstMessages: TokenBucket

    // MARK: Watching

    /// The own envelopes with reported progress that the neighbour has acknowledged on this link.
    var acknowledged: Set<UInt64> = []
    /// The state of its store that the neighbour last sent.
    var remote: StoreSummary?
    /// The state of the comparison with the neighbour's store.
    var comparison: LinkComparison
    /// The reading of the neighbour's shelf; nil if it was not read.
    var reading: Reading?
    /// The number of readings on the link.
    var readingCount = 0
    /// The time before which it is not read again.
    var readAgain = MeshInstant.zero

    /// The reading of a neighbour's shelf.
    struct Reading: Sendable {
        /// The number of the question.
        let salt: UInt64
        /// The neighbour's shelf at that time.
        let range: Shelf
        let begin: MeshInstant
        /// Whether it goes on.
        var isOpen = true
        /// Whether the neighbour has offered everything.
        var isOffered = false
        /// Whether it took too long, so that some of what was offered may still come.
        var isLate = false
    }

    /// An announced envelope.
    struct Announcement: Sendable {
        let shortID: UInt64
        /// Whether it arrived directly from its author and not from a store.
        let isFresh: Bool
        /// Whether the neighbour may fetch it once without its counting.
        let isGift: Bool
    }

    init(
        id: LinkID,
        node: NodeID,
        dialledHere: Bool,
        summary: StoreSummary,
        configuration: RouterConfiguration,
        now: MeshInstant
    ) {
        self.id = id
        firstSummary = summary
        self.node = node
        since = now
        requestProgress = now
        comparison = LinkComparison(asks: dialledHere, configuration: configuration, now: now)
        lastEnvelope = now
        announced = AnnouncedIDs(limit: configuration.announcedLimit)
        inbound = InboundBudget(configuration, now: now)
        push = EnvelopeBudget(configuration.pushRate, saved: configuration.pushStart, now: now)
        // The rate is lower than the neighbour's limit, because packets bunch in transit.
        pushedFirstMessages = TokenBucket(
            rate: max(1, configuration.firstMessageRate - 1),
            burst: max(1, configuration.firstMessageBurst * 4 / 5)
        )
        pushedFirstMessages.leaveGain(
            of: configuration.pushStart,
            least: configuration.firstMessageBurst * 2 / 5,
            now: now
        )
    }

    /// Returns whether the neighbour may be sent an unrequested envelope.
    ///
    /// If so, the envelope is counted.
    mutating func takePush(of message: [UInt8], isCostly: Bool, now: MeshInstant) -> Bool {
        guard !isCostly || pushedFirstMessages.nextToken <= now, push.take(byteCount: message.count, now: now) else {
            return false
        }
        if isCostly { pushedFirstMessages.spend(now: now) }
        return true
    }

    /// Removes a pending announcement.
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
