import MeshCore

/// One host in a mesh of simulated links: its router and its links.
struct SimLinkHost: Sendable {
    /// The far end of a link.
    struct Peer: Sendable {
        let host: Int
        /// The number of the link at the other host.
        let link: LinkID
        var isUp = true
        /// Whether the link will end soon, because the other host is off.
        var isDoomed = false
    }

    var router: Router
    var isOn = true
    /// The far ends of link 1, link 2 and so on.
    var peers: [Peer] = []
    /// The number of links that the first copy of each spread crossed to this host.
    var distances: [Int: Int] = [:]
    /// The time of the next valid tick.
    private(set) var wake = MeshInstant.distantFuture
    /// The times at which neighbours get the state of the store.
    private(set) var statuses: StatusSchedule
    /// The time of the next valid status.
    private var statusWake = MeshInstant.distantFuture
    private var ticks = (time: MeshInstant.zero, count: 0)

    init(router: Router) {
        self.router = router
        statuses = StatusSchedule(router.summary, configuration: LinkConfiguration(), random: MeshRandom(seed: 0))
    }

    subscript(link: LinkID) -> Peer {
        get { peers[Int(link.value) - 1] }
        set { peers[Int(link.value) - 1] = newValue }
    }

    /// The host's number for its next link.
    var nextLink: LinkID { LinkID(UInt64(peers.count) + 1) }

    /// The links that are up.
    var links: [LinkID] { peers.indices.filter { peers[$0].isUp }.map { LinkID(UInt64($0) + 1) } }

    /// Records a wake-up of the host.
    ///
    /// A router whose deadline stays in the past would stop time.
    mutating func noteTick(at now: MeshInstant) {
        wake = .distantFuture
        ticks = ticks.time == now ? (now, ticks.count + 1) : (now, 1)
        precondition(ticks.count <= Self.tickLimit, "a router never stops waking")
    }

    /// Returns the new wake-up time if it is earlier than the previous one.
    mutating func nextWake(now: MeshInstant) -> MeshInstant? {
        let deadline = router.nextDeadline
        guard deadline < wake else { return nil }
        wake = max(deadline, now)
        return wake
    }

    /// Returns the time of the next status if it was not returned before.
    mutating func nextStatus(now: MeshInstant) -> MeshInstant? {
        statuses.note(router.summary, now: now)
        guard statuses.due < statusWake else { return nil }
        statusWake = statuses.due
        return statusWake
    }

    /// Records that the present state of the store goes to neighbours.
    mutating func noteStatusSent(now: MeshInstant) {
        statusWake = .distantFuture
        statuses.noteAnnounced(now: now)
    }

    private static let tickLimit = 1_000
}

/// The messages that a router sends in one call.
struct SimLinkOutbox: LinkSending {
    struct Message: Sendable {
        let bytes: [UInt8]
        let lane: Lane
        let tag: UInt64
        let link: LinkID
    }

    let measuredRoundTrip: Duration
    var messages: [Message] = []

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        messages.append(Message(bytes: message, lane: lane, tag: tag, link: link))
        return true
    }

    /// Returns false: routers send no live datagrams.
    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool { false }

    func roundTrip(of link: LinkID) -> Duration? { measuredRoundTrip }
}

/// A future event in a mesh of simulated links.
enum SimLinkEvent: Sendable {
    case tick(host: Int)
    case message([UInt8], Lane, tag: UInt64, host: Int, link: LinkID)
    case acknowledgement(tag: UInt64, host: Int, link: LinkID)
    case status(StoreSummary, host: Int, link: LinkID)
    case sendStatus(host: Int)
    case linkDown(host: Int, link: LinkID)
}
