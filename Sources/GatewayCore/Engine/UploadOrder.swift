import Bytes
import MeshCore

/// The order in which envelopes go to a hub: those of this node first, then those of the links in turn.
///
/// A link beyond its rate rests until it may send again.
struct UploadOrder: Sendable {
    typealias Turn = Keyed<UInt64, EnvelopeID>

    private struct Lane: Sendable {
        var turns = SortedSet<Turn>()
        var bucket = TokenBucket(rate: GatewayLimits.linkRate, burst: GatewayLimits.linkBurst)
        /// The end of its rest; nil if it is ready.
        var rest: MeshInstant?
    }

    private var own = SortedSet<Turn>()
    private var ownBucket = TokenBucket(rate: GatewayLimits.ownRate, burst: GatewayLimits.ownRate)
    /// The end of the rest of own mail beyond its rate, after which a batch goes: that costs a hub less than half of the
    /// processor time of single envelopes.
    private var ownRest = MeshInstant.zero
    private var othersBucket = TokenBucket(rate: GatewayLimits.othersRate, burst: GatewayLimits.linkBurst)
    private var lanes: [LinkID: Lane] = [:]
    /// The links that have envelopes and may send them.
    private var ready = SortedSet<LinkID>()
    /// The links beyond their rate, and those without envelopes whose bucket is not full.
    private var resting = SortedSet<Keyed<MeshInstant, LinkID>>()
    private var lastLink: LinkID?

    /// Adds an envelope.
    mutating func insert(_ turn: Turn, of link: LinkID?, now: MeshInstant) {
        guard let link else { return own.insert(turn) }
        lanes[link, default: Lane()].turns.insert(turn)
        settle(link, now: now)
    }

    /// Removes an envelope if it is present.
    mutating func remove(_ turn: Turn, of link: LinkID?, now: MeshInstant) {
        guard let link else { return own.remove(turn) }
        guard lanes[link] != nil else { return }
        lanes[link]?.turns.remove(turn)
        settle(link, now: now)
    }

    /// Removes all envelopes; what the links have sent still counts.
    mutating func removeAll(now: MeshInstant) {
        own = SortedSet()
        for link in lanes.keys.sorted() {
            lanes[link]?.turns = SortedSet()
            settle(link, now: now)
        }
    }

    /// Takes the envelope whose turn it is; nil if none may be sent now.
    mutating func next(now: MeshInstant) -> Turn? {
        if let turn = own.first, ownRest <= now {
            if ownBucket.take(now: now) {
                own.remove(turn)
                return turn
            }
            ownRest = ownBucket.nextTokens(GatewayLimits.ownBatch)
        }
        wake(now: now)
        guard let link = nextLink, let turn = lanes[link]?.turns.first, othersBucket.take(now: now) else { return nil }
        lastLink = link
        lanes[link]?.turns.remove(turn)
        lanes[link]?.bucket.spend(now: now)
        settle(link, now: now)
        return turn
    }

    /// The instant at which the next envelope may be sent; nil if there is none.
    var deadline: MeshInstant? {
        let ownTime = own.isEmpty ? nil : max(ownRest, ownBucket.nextToken)
        let othersTime = ready.isEmpty ? nil : othersBucket.nextToken
        return [ownTime, othersTime, resting.first?.key].compactMap { $0 }.min()
    }

    private var nextLink: LinkID? {
        guard let lastLink else { return ready.first }
        return ready.first { lastLink < $0 } ?? ready.first
    }

    /// Ends the rests whose time is over.
    private mutating func wake(now: MeshInstant) {
        while let end = resting.first, end.key <= now { settle(end.value, now: now) }
    }

    /// Puts a link where it belongs: among those that are ready or at rest, or nowhere.
    private mutating func settle(_ link: LinkID, now: MeshInstant) {
        guard var lane = lanes[link] else { return }
        if let rest = lane.rest { resting.remove(Keyed(key: rest, value: link)) }
        ready.remove(link)
        lane.rest = nil
        if lane.turns.isEmpty {
            guard !lane.bucket.isFull(now: now) else {
                lanes[link] = nil
                return
            }
            lane.rest = lane.bucket.nextTokens(lane.bucket.burst)
        } else if lane.bucket.nextToken > now {
            lane.rest = lane.bucket.nextToken
        }
        if let rest = lane.rest { resting.insert(Keyed(key: rest, value: link)) } else { ready.insert(link) }
        lanes[link] = lane
    }
}
