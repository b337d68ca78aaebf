@testable import MeshCore

/// Many `Discovery` machines on segments, with links that come up 1 ms after a dial.
///
/// Covered: the decisions of discovery. Not covered: handshakes, keep-alives and queues. A dial or a beacon is lost as
/// a whole.
final class DiscoveryNetwork {
    private enum Event {
        case start(Int)
        case wake(Int)
        case multicast([UInt8], from: Int, segment: Int)
        case unicast([UInt8], from: Int, to: Int, segment: Int)
        case dialled(Int, Endpoint, node: NodeID?)
        case failed(Int, Endpoint, node: NodeID?)
        case down(pair: Int, to: Int)
    }

    /// Two hosts with a link; each side's link id is the pair's number plus one.
    private struct Pair {
        let dialler: Int
        let acceptor: Int
        var isUp = true
    }

    private(set) var hosts: [Discovery] = []
    private(set) var isAlive: [Bool] = []
    private var nodeIDs: [NodeID] = []
    private let segmentsOf: [[Int]]
    private var membersOf: [[Int]]
    private var pairs: [Pair] = []
    private var pairsOf: [[Int]]
    private var wakeAt: [MeshInstant]
    private var queue = EventQueue<Event>()
    private var random: MeshRandom
    private var effects: [DiscoveryEffect] = []

    let loss: Double
    private(set) var now = MeshInstant.zero
    private(set) var beaconCounts: [Int]
    private(set) var dialCount = 0
    private(set) var renameCount = 0
    private(set) var largestLinkCount = 0

    /// Makes a host per entry, on the segments it names, started at random within `spread`; spare segments are empty.
    init(
        segmentsOf: [[Int]],
        spareSegments: Int = 0,
        configuration: DiscoveryConfiguration = DiscoveryConfiguration(),
        loss: Double = 0,
        spread: Duration = .seconds(1),
        seed: UInt64
    ) {
        self.segmentsOf = segmentsOf
        self.loss = loss
        random = MeshRandom(seed: seed)
        let segmentCount = (segmentsOf.joined().max() ?? 0) + 1 + spareSegments
        membersOf = Array(repeating: [], count: segmentCount)
        beaconCounts = Array(repeating: 0, count: segmentCount)
        pairsOf = Array(repeating: [], count: segmentsOf.count)
        wakeAt = Array(repeating: .distantFuture, count: segmentsOf.count)
        for (host, segments) in segmentsOf.enumerated() {
            for segment in segments { membersOf[segment].append(host) }
            let start = MeshInstant.zero.advanced(by: spread * Double.random(in: 0...1, using: &random))
            let node = NodeID(random.next())
            hosts.append(
                Discovery(
                    nodeID: node,
                    configuration: configuration,
                    cryptography: StubCryptography(),
                    random: MeshRandom(seed: random.next()),
                    now: start
                )
            )
            nodeIDs.append(node)
            isAlive.append(false)
            queue.push(.start(host), at: start)
        }
    }

    // MARK: Measurements

    var linkCounts: [Int] {
        pairsOf.indices.filter { isAlive[$0] }.map { pairsOf[$0].count }
    }

    var meanLinkCount: Double { Double(linkCounts.reduce(0, +)) / Double(linkCounts.count) }

    /// The number of connected components that the live hosts form by their links.
    var componentCount: Int {
        var seen = Set<Int>()
        var count = 0
        for first in hosts.indices where isAlive[first] && seen.insert(first).inserted {
            count += 1
            var open = [first]
            while let host = open.popLast() {
                for pair in pairsOf[host] {
                    let other = peer(of: host, in: pair)
                    if isAlive[other], seen.insert(other).inserted { open.append(other) }
                }
            }
        }
        return count
    }

    // MARK: Actions

    func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while let (time, event) = queue.pop(until: end) {
            now = time
            handle(event)
        }
        now = end
    }

    /// Attaches a running host to one more segment.
    func join(_ host: Int, _ segment: Int) {
        membersOf[segment].append(host)
        plug(host, into: segment)
    }

    /// Switches a host off without a goodbye; its links end when the other hosts notice, after `notice`.
    func kill(_ host: Int, notice: Duration) {
        isAlive[host] = false
        for pair in pairsOf[host] {
            queue.push(.down(pair: pair, to: peer(of: host, in: pair)), at: now.advanced(by: notice))
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .start(let host): start(host)
        case .wake(let host):
            guard wakeAt[host] == now else { return }
            wakeAt[host] = .distantFuture
            drive(host) { $0.tick(now: $1, into: &$2) }
        case .multicast(let bytes, let from, let segment):
            for host in membersOf[segment] where host != from {
                deliver(bytes, from: from, to: host, segment: segment)
            }
        case .unicast(let bytes, let from, let to, let segment):
            deliver(bytes, from: from, to: to, segment: segment)
        case .dialled(let host, let endpoint, let node): connect(host, endpoint, node: node)
        case .failed(let host, let endpoint, let node):
            drive(host) { $0.dialFailed(node, endpoint, now: $1, into: &$2) }
        case .down(let pair, let host): disconnect(pair, at: host)
        }
    }

    private func start(_ host: Int) {
        isAlive[host] = true
        for segment in segmentsOf[host] { plug(host, into: segment) }
    }

    private func plug(_ host: Int, into segment: Int) {
        let prefix = Prefix(address: Self.address(of: host, on: segment), length: 16)
        drive(host) {
            $0.interfaceUp(
                Self.interface(segment),
                prefixes: [prefix],
                unicastPort: 4_000,
                now: $1,
                into: &$2
            )
        }
    }

    private func deliver(_ bytes: [UInt8], from: Int, to host: Int, segment: Int) {
        guard loss == 0 || Double.random(in: 0..<1, using: &random) >= loss else { return }
        let source = Self.endpoint(of: from, on: segment)
        drive(host) { $0.receiveBeacon(bytes, from: source, multicast: true, now: $1, into: &$2) }
    }

    private func connect(_ host: Int, _ endpoint: Endpoint, node: NodeID?) {
        let other = Int(endpoint.address.bytes[2]) << 8 | Int(endpoint.address.bytes[3])
        guard isAlive[host], !pairsOf[host].contains(where: { peer(of: host, in: $0) == other }) else { return }
        let inbound = pairsOf[other].count { pairs[$0].acceptor == other }
        let isLost = loss > 0 && Double.random(in: 0..<1, using: &random) < loss
        guard isAlive[other], inbound < hosts[other].inboundLimit, !isLost else {
            return queue.push(.failed(host, endpoint, node: node), at: now.advanced(by: .seconds(3)))
        }
        let pair = pairs.count
        pairs.append(Pair(dialler: host, acceptor: other))
        for end in [host, other] {
            pairsOf[end].append(pair)
            largestLinkCount = max(largestLinkCount, pairsOf[end].count)
        }
        let segment = Int(endpoint.interface.index) - 1
        for (end, far) in [(host, other), (other, host)] {
            let info = LinkInfo(
                id: Self.linkID(pair),
                node: nodeIDs[far],
                endpoint: Self.endpoint(of: far, on: segment),
                dialledHere: end == host,
                since: now,
                roundTrip: nil
            )
            let youngestFirst = pairsOf[end].reversed().map { Self.linkID($0) }
            drive(end) { $0.linkUp(info, leastUseful: youngestFirst, now: $1, into: &$2) }
        }
    }

    private func disconnect(_ pair: Int, at host: Int) {
        let far = peer(of: host, in: pair)
        pairsOf[host].removeAll { $0 == pair }
        if pairs[pair].isUp, isAlive[far] {
            queue.push(.down(pair: pair, to: far), at: now.advanced(by: .milliseconds(1)))
        }
        pairs[pair].isUp = false
        drive(host) { $0.linkDown(Self.linkID(pair), node: nodeIDs[far], now: $1, into: &$2) }
    }

    private func drive(_ host: Int, _ step: (inout Discovery, MeshInstant, inout [DiscoveryEffect]) -> Void) {
        guard isAlive[host] else { return }
        var produced = effects
        effects = []
        produced.removeAll(keepingCapacity: true)
        step(&hosts[host], now, &produced)
        for effect in produced { carryOut(effect, of: host) }
        effects = produced
        let deadline = hosts[host].nextDeadline
        guard deadline < wakeAt[host] else { return }
        wakeAt[host] = max(deadline, now)
        queue.push(.wake(host), at: wakeAt[host])
    }

    private func carryOut(_ effect: DiscoveryEffect, of host: Int) {
        switch effect {
        case .multicast(let bytes, let interface):
            let segment = Int(interface.index) - 1
            beaconCounts[segment] += 1
            queue.push(.multicast(bytes, from: host, segment: segment), at: now.advanced(by: .microseconds(500)))
        case .send(let bytes, let endpoint):
            let segment = Int(endpoint.interface.index) - 1
            beaconCounts[segment] += 1
            let to = Int(endpoint.address.bytes[2]) << 8 | Int(endpoint.address.bytes[3])
            let arrival = now.advanced(by: .microseconds(500))
            queue.push(.unicast(bytes, from: host, to: to, segment: segment), at: arrival)
        case .dial(let node, let endpoint):
            dialCount += 1
            queue.push(.dialled(host, endpoint, node: node), at: now.advanced(by: .milliseconds(1)))
        case .close(let link): disconnect(Int(link.value) - 1, at: host)
        case .nodeIDExpired:
            let node = NodeID(random.next())
            nodeIDs[host] = node
            renameCount += 1
            drive(host) { $0.takeNodeID(node, now: $1, into: &$2) }
        case .retryNow, .dropped: break
        }
    }

    private func peer(of host: Int, in pair: Int) -> Int {
        pairs[pair].dialler == host ? pairs[pair].acceptor : pairs[pair].dialler
    }

    private static func linkID(_ pair: Int) -> LinkID { LinkID(UInt64(pair) + 1) }

    private static func interface(_ segment: Int) -> InterfaceID {
        InterfaceID(index: UInt32(segment) + 1, family: .v4)
    }

    private static func address(of host: Int, on segment: Int) -> IPAddress {
        ipv4(10, UInt8(segment), UInt8(host >> 8), UInt8(host & 0xFF))
    }

    private static func endpoint(of host: Int, on segment: Int) -> Endpoint {
        Endpoint(interface: interface(segment), address: address(of: host, on: segment), port: 4_000)
    }
}

/// Makes an IPv4 address of four numbers.
func ipv4(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> IPAddress {
    guard let address = IPAddress(bytes: [first, second, third, fourth]) else {
        preconditionFailure("four bytes are an address")
    }
    return address
}
