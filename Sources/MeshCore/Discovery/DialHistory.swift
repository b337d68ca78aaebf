/// The dials and links of each host, which decide when it may be dialled again.
///
/// It is kept by address, because anybody can send a beacon with any node id and port that claims to come from there.
/// Source: PROTOCOL §4.
struct DialHistory: Sendable {
    /// The signs that a host is no invention.
    enum Standing: Sendable {
        /// It never answered a dial, so its address may be a victim's.
        case unknown
        /// It answered a dial, but never had a link: the answer came too late or was another node's.
        case answered
        /// It had a link.
        case linked
    }

    /// The record of one host.
    private struct Entry: Sendable {
        /// The number of failed dials since the last link.
        var failureCount = 0
        var standing = Standing.unknown
        /// The time before which the host is not dialled.
        var notBefore = MeshInstant.zero
        /// The time before which it is not dialled even if it asks for it.
        var strictlyNotBefore = MeshInstant.zero
        /// The time at which the host was last dialled, or a link with it came up or ended.
        var lastUse = MeshInstant.zero
    }

    private var entries: [HostAddress: Entry] = [:]
    /// The hosts in the order in which they came.
    private var hosts = Fifo<HostAddress>()
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// The number of hosts with a record.
    var count: Int { entries.count }

    /// Returns the number of failed dials to the host since the last link with it.
    func failureCount(at endpoint: Endpoint) -> Int { entries[HostAddress(endpoint)]?.failureCount ?? 0 }

    /// Returns the signs that the host is no invention.
    func standing(of endpoint: Endpoint) -> Standing { entries[HostAddress(endpoint)]?.standing ?? .unknown }

    /// Returns the time from which the host may be dialled.
    func earliestDial(at endpoint: Endpoint) -> MeshInstant { entries[HostAddress(endpoint)]?.notBefore ?? .zero }

    /// Returns the time at which the host was last dialled or linked; zero if it never was.
    func lastUse(of endpoint: Endpoint) -> MeshInstant { entries[HostAddress(endpoint)]?.lastUse ?? .zero }

    /// Records a dial, after which there is none for a while, whatever becomes of it.
    mutating func noteDial(at endpoint: Endpoint, spacing: Duration, now: MeshInstant) {
        let next = now.advanced(by: spacing)
        change(endpoint) { ($0.notBefore, $0.strictlyNotBefore, $0.lastUse) = (next, next, now) }
    }

    /// Records a failed dial, and a pause.
    ///
    /// - Parameter isStrict: Whether the pause lasts even if the host asks for a dial.
    mutating func noteFailure(at endpoint: Endpoint, pause: Duration, isStrict: Bool, now: MeshInstant) {
        let next = now.advanced(by: pause)
        change(endpoint) {
            $0.failureCount += 1
            $0.notBefore = max($0.notBefore, next)
            if isStrict { $0.strictlyNotBefore = max($0.strictlyNotBefore, next) }
        }
    }

    /// Records a link.
    mutating func noteLink(at endpoint: Endpoint, now: MeshInstant) {
        change(endpoint) { ($0.failureCount, $0.standing, $0.lastUse) = (0, .linked, now) }
    }

    /// Records the end of a link, and the time from which the host may be dialled again.
    mutating func noteLinkEnd(at endpoint: Endpoint, again: MeshInstant, now: MeshInstant) {
        change(endpoint) {
            $0.notBefore = max($0.notBefore, again)
            $0.lastUse = now
        }
    }

    /// Records that the host answered a dial, but without a link: its first answer ends a rest at this time.
    mutating func noteAnswer(at endpoint: Endpoint, again: MeshInstant) {
        guard standing(of: endpoint) == .unknown else { return }
        change(endpoint) {
            $0.standing = .answered
            $0.notBefore = min($0.notBefore, again)
            $0.strictlyNotBefore = min($0.strictlyNotBefore, again)
        }
    }

    /// Ends the pause of a host that asks for dials, unless it is a strict one.
    mutating func endPause(at endpoint: Endpoint, now: MeshInstant) {
        guard let entry = entries[HostAddress(endpoint)] else { return }
        change(endpoint) { $0.notBefore = min(entry.notBefore, max(entry.strictlyNotBefore, now)) }
    }

    /// Changes the record of a host.
    ///
    /// For a new one the record of the host that came first makes room.
    private mutating func change(_ endpoint: Endpoint, _ change: (inout Entry) -> Void) {
        let host = HostAddress(endpoint)
        if entries[host] == nil {
            if hosts.count >= limit, let first = hosts.first {
                entries[first] = nil
                hosts.removeFirst()
            }
            hosts.append(host)
        }
        change(&entries[host, default: Entry()])
    }
}
