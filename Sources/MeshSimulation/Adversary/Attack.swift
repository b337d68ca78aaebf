import MeshCore

/// A hostile machine while it acts.
struct Attack: Sendable {
    let adversary: SimAdversary
    var hosts: [HostileHost] = []
    var random: SplitMix64
    /// The number of messages, datagrams or handshakes of the attack so far.
    var sentCount = 0
    /// The ids of envelopes that were offered or passed on, with the numbers of their content.
    var numbers: [UInt64: Int] = [:]
    /// The hosts that have sent what comes before the attack proper.
    var preparedHosts: Set<Int> = []
    /// The envelopes to offer in the next message.
    var offered: [UInt64] = []
    /// Whether the current node id has sent its share.
    var isUsedUp = false
    private var isStarted = false
    private let honestCount: Int
    /// For each target the segment that it shares with the hostile hosts.
    private var targetSegments: [Int] = []
    /// The passing on of posts, in an attack that takes all else.
    var relay = PostRelay()
    /// The passing on under other labels, in an attack that claims them.
    var thief = LabelThief()
    /// The shelf that is flooded; nil if the attack floods none.
    private(set) var groundShelf: Shelf?
    /// The number of the last content that was tried for a place on that shelf.
    var groundNumber = 0
    private var credit = 0.0
    private var stepCount = 0

    /// Adds the hostile hosts to a network whose other hosts are honest.
    init(_ adversary: SimAdversary, in net: inout SimNet, seed: UInt64) {
        self.adversary = adversary
        random = SplitMix64(seed: seed &* 31 &+ 7)
        honestCount = net.hostNumbers.count
        let targets = 0..<min(adversary.links, honestCount)
        targetSegments = targets.map { target in
            guard adversary.isBetween, let quality = net.segments.first?.quality else { return Self.segment }
            let segment = net.addSegment(quality)
            net.attach(target, to: segment)
            return segment
        }
        for _ in 0..<adversary.ids {
            let number = net.addHost()
            for segment in adversary.isBetween ? targetSegments : [Self.segment] { net.attach(number, to: segment) }
            let node = NodeID(random.next())
            hosts.append(HostileHost(number: number, node: node, meshKey: adversary.meshKey))
        }
    }

    /// The number of payloads of ways that came to the hostile hosts instead of their ends.
    var interceptedCount: Int { relay.payloadCount + thief.takenCount }

    /// Switches the hostile hosts on.
    mutating func start(_ net: inout SimNet) {
        isStarted = true
        for index in hosts.indices { net.startRaw(hosts[index].number) }
        switch adversary.behaviour {
        case .ban:
            hosts[0].claimed = net.endpoint(of: 1, on: Self.segment)
            net.watch.listeners[1] = hosts[0].number
        case .offlink: hosts[0].claimed = Self.offLinkEndpoint
        case .shelfgrind: groundShelf = net.shelf(of: 0).map { Shelf(of: $0.place, depth: Self.groundDepth) }
        default: break
        }
        for endpoint in [Self.offLinkEndpoint, Self.victimEndpoint] {
            net.watch.traffic[endpoint.address] = SimTraffic()
        }
    }

    /// Acts for one step, if the attack lasts.
    mutating func step(_ net: inout SimNet, isActive: Bool) {
        guard isStarted else { return }
        let isTick = stepCount.isMultiple(of: Self.stepsPerTick)
        for index in hosts.indices { hosts[index].receive(from: &net, isTick: isTick) }
        if isActive {
            maintain(&net)
            credit = min(credit + adversary.rate * (Self.interval / .seconds(1)), max(1, adversary.rate))
            while credit >= 1 {
                credit -= 1
                act(&net)
            }
            react()
        }
        for index in hosts.indices { hosts[index].flush(into: &net) }
        stepCount += 1
    }

    /// The honest hosts that the attack concerns, which are on.
    func targets(_ net: SimNet) -> [(host: Int, endpoint: Endpoint)] {
        targetSegments.enumerated().compactMap { host, segment in
            net.endpoint(of: host, on: segment).map { (host, $0) }
        }
    }

    /// Dials the hosts without a link, and sends beacons.
    private mutating func maintain(_ net: inout SimNet) {
        if adversary.dialsSteadily, stepCount.isMultiple(of: Self.stepsPerDial) { dial(net) }
        guard adversary.isVisible, stepCount.isMultiple(of: Self.stepsPerBeacon) else { return }
        for index in hosts.indices {
            guard let heard = hosts[index].beacon,
                let endpoint = net.endpoint(of: hosts[index].number, on: Self.segment)
            else { continue }
            let sequence = UInt16(truncatingIfNeeded: stepCount / Self.stepsPerBeacon)
            let beacon = HostileMessage.beacon(
                like: heard,
                node: hosts[index].node,
                port: endpoint.port,
                sequence: sequence,
                .plain
            )
            net.multicast(beacon, ofHostile: hosts[index].number, claiming: endpoint, on: Self.segment)
        }
    }

    private mutating func dial(_ net: SimNet) {
        let targets = targets(net)
        for index in hosts.indices {
            let linked = Set(hosts[index].links.map(\.host))
            for target in targets where !linked.contains(target.host) {
                hosts[index].dial(target.endpoint, now: net.now)
            }
        }
    }

    /// The time between two steps.
    static let interval: Duration = .milliseconds(1)
    /// The segment of the hostile hosts.
    static let segment = 0
    /// An endpoint on the segment that belongs to no host.
    static let victimEndpoint = endpoint([10, 200, 0, 1])
    /// An endpoint that is not on the segment.
    static let offLinkEndpoint = endpoint([198, 51, 100, 1])

    /// Creates an endpoint on the segment with this address.
    static func endpoint(_ address: [UInt8]) -> Endpoint {
        guard let address = IPAddress(bytes: address) else { preconditionFailure("an address has 4 bytes") }
        return Endpoint(interface: SimSegment.interface(segment), address: address, port: 4_000)
    }

    static let stepsPerTick = 5
    static let stepsPerDial = 200
    private static let stepsPerBeacon = 1_000
    /// The number of bits that the places of flooded envelopes have in common.
    private static let groundDepth: UInt8 = 4
}
