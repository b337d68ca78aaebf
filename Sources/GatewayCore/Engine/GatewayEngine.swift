import Bytes
package import Foundation
package import MeshCore

/// A gateway between a mesh and hubs, as a value: events go in, effects come out.
///
/// It fetches the mail of the tags that nodes of its mesh watch, and publishes the envelopes of its mesh at every hub.
/// An envelope that came from a hub never goes to one. Source: PROTOCOL §19.
package struct GatewayEngine: Sendable {
    var hubs: [HubState]
    var tags = TagTable()
    /// The envelopes that came from a hub.
    var fetched = RecentIDs<Void>(limit: GatewayLimits.fetchedCount)
    var others: OtherGateways
    var random: MeshRandom
    package internal(set) var allowance: DayAllowance
    var effects: [GatewayEffect] = []
    /// Whether a hub may lack mail that the store holds.
    var readsStore = false
    let hashes: GatewayHashes
    let hubHashes: [[UInt8]]

    /// Creates the engine of a gateway.
    ///
    /// - Parameters:
    ///   - urls: The hubs, at most 4; more are ignored.
    ///   - hashes: The hashes.
    ///   - random: The source of tags, canaries and jitter.
    ///   - date: The wall clock.
    ///   - allowance: The bytes of a day, beyond which only this node's own mail goes, and those that are used.
    package init(
        hubs urls: [HubURL],
        hashes: GatewayHashes,
        random: MeshRandom,
        date: Date,
        allowance: DayAllowance = DayAllowance(limit: nil)
    ) {
        self.allowance = allowance
        let urls = urls.prefix(GatewayLimits.hubCount)
        self.hashes = hashes
        self.random = random
        others = OtherGateways(hash: hashes.hash, random: &self.random)
        hubHashes = urls.map(others.hubHash)
        hubs = urls.map { HubState($0, hubCount: urls.count, since: date) }
    }

    /// The instant at which a tick is due; nil if there is nothing to wait for.
    package var nextDeadline: MeshInstant? {
        (hubs.map(\.deadline) + [tags.deadline, others.time(for: namedHubHashes)]).compactMap { $0 }.min()
    }

    /// The states of the hubs.
    package var statuses: [HubStatus] { hubs.map { $0.status(tags: tags.count, limit: spentLimit) } }

    private var spentLimit: HubStatus.Problem? {
        allowance.isSpent ? allowance.limit.map(HubStatus.Problem.limitReached) : nil
    }

    /// The counters of the hubs.
    package var counters: [HubCounters] { hubs.map(\.counters) }

    /// The number of other gateways in this network that have been announced in the last ten minutes.
    var otherGatewayCount: Int { others.count }

    /// Takes an event, and returns the effects in their order.
    ///
    /// - Parameter date: The wall clock.
    package mutating func handle(_ event: GatewayEvent, now: MeshInstant, date: Date) -> [GatewayEffect] {
        let time = GatewayTime(now: now, date: date)
        if allowance.begin(time.day) { readsStore = true }
        switch event {
        case .envelope(let envelope, let id, let link): take(envelope, id, from: link, at: time)
        case .opened(let hub, let role): if hubs.indices.contains(hub) { takeOpening(of: hub, role, at: time) }
        case .failed(let hub, let error):
            if hubs.indices.contains(hub), hubs[hub].phase == .connecting { end(hub, error, at: time) }
        case .hub(let hub, let event): if hubs.indices.contains(hub) { take(event, from: hub, at: time) }
        case .tick: tick(at: time)
        }
        for hub in hubs.indices where hubs[hub].isOpen { pump(hub, at: time) }
        announce(at: time)
        if readsStore { effects.append(.goThroughStore) }
        defer { (effects, readsStore) = ([], false) }
        return effects
    }

    // MARK: - Time

    private mutating func tick(at time: GatewayTime) {
        while let tag = tags.ended(by: time.now) {
            if hubs.contains(where: { $0.downloads.isFetching(tag) }) {
                tags.keep(tag, now: time.now)
            } else {
                forget(tag, wasSubscribed: tags.end(tag))
            }
        }
        fillUp(at: time)
        for hub in hubs.indices { tick(hub, at: time) }
    }

    private mutating func tick(_ hub: Int, at time: GatewayTime) {
        hubs[hub].forgetName(now: time.now)
        switch hubs[hub].phase {
        case .idle: connect(hub, at: time)
        case .waiting(let until), .refused(let until): if until <= time.now { connect(hub, at: time) }
        case .connecting: return
        case .checking, .catchingUp, .live:
            if hubs[hub].hasLost { noteLoss(hub, at: time) }
            examineInTime(hub, at: time)
            expireQuestions(of: hub, at: time)
        }
    }

    private mutating func connect(_ hub: Int, at time: GatewayTime) {
        hubs[hub].enter(.connecting, date: time.date)
        effects.append(.open(hub))
    }

    private mutating func expireQuestions(of hub: Int, at time: GatewayTime) {
        while let (number, topic) = hubs[hub].questions.expire(now: time.now) {
            switch topic {
            case .download(let question): hubs[hub].downloads.timeOut(question)
            case .publish(let id, _, _):
                hubs[hub].noteLate(number, id)
                hubs[hub].uploads.timeOut(id, now: time.now)
            case .look(let id, _): hubs[hub].uploads.proceed(id, now: time.now)
            }
            // A store that is gone shows in silence only.
            if hubs[hub].noteSilence(now: time.now) { return end(hub, .noStore(hubs[hub].url), at: time) }
        }
    }

    // MARK: - Other gateways

    var namedHubHashes: [[UInt8]] { hubs.indices.filter { hubs[$0].isNamed }.map { hubHashes[$0] } }

    private mutating func announce(at time: GatewayTime) {
        let load = UInt8(clamping: tags.otherCount * 255 / GatewayLimits.otherTagCount)
        let body = others.announcement(of: namedHubHashes, load: load, now: time.now, random: &random)
        guard let body else { return }
        effects.append(.submit(.gateway, body: body, life: GatewayLimits.announcementLife))
    }
}

/// The two clocks at one event.
struct GatewayTime: Sendable {
    let now: MeshInstant
    /// The wall clock.
    let date: Date

    /// The day, counted from 1970-01-01 UTC.
    var day: Int { Int(min(max(0, date.timeIntervalSince1970), Self.lastSecond) / Self.secondsOfDay) }
    /// The time to the next midnight.
    var restOfDay: Duration {
        let seconds = min(max(0, date.timeIntervalSince1970), Self.lastSecond)
        return .seconds(Self.secondsOfDay - seconds.truncatingRemainder(dividingBy: Self.secondsOfDay))
    }

    private static let secondsOfDay = 86_400.0
    private static let lastSecond = Double(UInt32.max)
}
