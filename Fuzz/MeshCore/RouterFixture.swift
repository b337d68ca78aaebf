#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Links that are sometimes full.
struct FickleSender: LinkSending {
    /// The bits that select, in turn, the messages to refuse.
    let refusals: UInt8
    private var count: UInt8 = 0
    private(set) var lastTag: UInt64 = 0

    init(refusals: UInt8) {
        self.refusals = refusals
    }

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        precondition(!message.isEmpty && message.count <= LinkProtocol.maximumMessageByteCount)
        count &+= 1
        if tag != 0 { lastTag = tag }
        return refusals >> (count % 8) & 1 == 0
    }

    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool {
        precondition(!bytes.isEmpty && bytes.count <= LinkProtocol.maximumLiveByteCount)
        count &+= 1
        return refusals >> (count % 8) & 1 == 0
    }

    func roundTrip(of link: LinkID) -> Duration? { link.value == 1 ? nil : .milliseconds(Int(link.value)) }
}

/// Limits that a short input reaches.
let limits: RouterConfiguration = {
    var limits = RouterConfiguration()
    limits.kinds = .simulated
    limits.store.envelopeCount = 6
    limits.store.byteCount = 2_200
    limits.store.seenCount = 8
    limits.namedLimit = 8
    limits.announcedLimit = 5
    limits.graftLimit = 2
    limits.unstoredCount = 3
    limits.unstoredByteCount = 30
    limits.relayRate = EnvelopeRate(count: 2, countBurst: 2, bytes: 400, byteBurst: 400)
    limits.relayQueueLimit = 3
    limits.pushRate = EnvelopeRate(count: 10, countBurst: 4, bytes: 1_000, byteBurst: 1_000)
    limits.inboundRate = EnvelopeRate(count: 10, countBurst: 32, bytes: 1_000, byteBurst: 1_000)
    limits.requestLimit = 2
    limits.servedLimit = 4
    limits.submissionLimit = 3
    return limits
}()

/// Performs the due work, which must end.
func tick(_ router: inout Router, now: MeshInstant, over sender: inout FickleSender) {
    var count = 0
    while router.nextDeadline <= now {
        var effects: [RouterEffect] = []
        router.tick(now: now, over: &sender, into: &effects)
        count += 1
        precondition(count < 100, "always something due")
    }
}

/// Checks that no table exceeds its limit, and that the counts match the content.
func check(_ router: Router) {
    let store = router.store
    precondition(store.foreign.count <= limits.store.envelopeCount && store.foreign.charge <= limits.store.byteCount)
    precondition(store.count - store.foreign.count <= limits.store.envelopeCount)
    precondition(store.ownCharge <= limits.store.byteCount)
    precondition(store.entries.values.allSatisfy { $0.origin == nil || store.shelf.covers($0.place) })
    precondition(router.store.byteCount == router.store.entries.values.reduce(0) { $0 + $1.byteCount })
    precondition(router.store.seen.count <= limits.store.seenCount)
    precondition(router.submissions.count <= limits.submissionLimit)
    precondition(router.unstored.count <= limits.unstoredCount && router.unstored.byteCount <= limits.unstoredByteCount)
    precondition(router.wanted.count <= limits.namedLimit)
    precondition(router.relay.count <= limits.relayQueueLimit * (router.links.count + 1))
    precondition(router.links.map(\.id) == router.links.map(\.id).sorted())
    for link in router.links {
        precondition(link.served.count <= limits.servedLimit)
        precondition(link.acknowledged.count <= limits.submissionLimit)
        precondition(router.wanted.askedCount(.offered, of: link.id) <= limits.requestLimit)
        precondition(link.comparison.asking?.early.count ?? 0 <= Router.earlyLimit)
        precondition(link.announcements.count < TreeMessage.idLimit)
        precondition(link.announcements.isEmpty == (link.announceDue == .distantFuture))
        precondition(router.wanted.askedCount(.announced, of: link.id) <= limits.graftLimit)
        precondition(router.wanted.namedCount(.announced, by: link.id) <= limits.announcedLimit)
        precondition(router.wanted.namedCount(.offered, by: link.id) <= limits.namedLimit)
    }
}
