/// Two meshes without a link between them, called islands, with gateways to one hub.
///
/// The hosts of the first island have the lowest numbers.
struct IslandPlan: Sendable, Equatable {
    /// A time in which the hub is gone.
    struct Outage: Sendable, Equatable {
        /// The beginning, counted from the first message.
        var begin: Duration
        /// The end, counted in the same way.
        var end: Duration
        /// Whether the hub has lost all mail when it comes back.
        var losesMail = false

        /// Returns whether the hub is gone at a time, or was so little before that gateways do not know each other.
        func unsettles(_ time: Duration) -> Bool { begin <= time && time < end + Self.settlingTime }

        /// The longest wait for the next attempt to connect, and the minute in which a gateway announces itself once.
        private static let settlingTime = Duration.seconds(75)
    }

    /// The number of hosts.
    let hostCount: Int
    /// The number of hosts of the first island.
    let firstCount: Int
    /// The hosts that are gateways, ascending.
    var gateways: [Int]
    /// The time that a message takes between a gateway and the hub; each further gateway is a tenth of it farther away.
    var latency = Duration.milliseconds(20)
    /// The time in which the hub is gone; nil for a hub that stays.
    var outage: Outage?

    /// Divides hosts into two islands, each with at most three gateways.
    init(hostCount: Int) {
        (self.hostCount, firstCount) = (hostCount, hostCount / 2)
        let islands = [0..<firstCount, firstCount..<hostCount]
        gateways = islands.flatMap { hosts in
            let count = min(Self.mostGateways, max(1, hosts.count / Self.hostsPerGateway))
            return (0..<count).map { hosts.lowerBound + (2 * $0 + 1) * hosts.count / (2 * count) }
        }
    }

    /// Returns the island of a host.
    func island(of host: Int) -> Int { host < firstCount ? 0 : 1 }

    /// Returns the hosts of an island.
    func hosts(of island: Int) -> Range<Int> { island == 0 ? 0..<firstCount : firstCount..<hostCount }

    private static let mostGateways = 3
    private static let hostsPerGateway = 4
}
