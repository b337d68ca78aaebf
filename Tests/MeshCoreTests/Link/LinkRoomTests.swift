import Testing

@testable import MeshCore

@Suite("Room for links")
struct LinkRoomTests {
    /// Builds a star whose node 0 accepts 10 links and has them, each a second younger than the one before.
    private static func full(newcomers: Int) -> LinkNetwork {
        var network = LinkNetwork(nodes: (1...(11 + newcomers)).map { NodeID(UInt64($0)) })
        network.tables[0].acceptLimit = 10
        for node in 1...10 {
            network.dial(node, to: 0)
            network.run(for: .seconds(1))
        }
        network.run(for: .seconds(60))
        return network
    }

    /// The hosts that node 0 has links with.
    private static func hosts(_ network: LinkNetwork) -> [Int] {
        network.tables[0].links.map { Int($0.endpoint.address.bytes[3]) - 1 }
    }

    /// Lets envelopes come first by the link with a host.
    private static func deliver(_ count: Int, from host: Int, in network: inout LinkNetwork) {
        guard let link = network.tables[0].links.first(where: { $0.endpoint == network.endpoints[host] }) else {
            return
        }
        for _ in 0..<count {
            network.call(0) { table, now, _ in table.noteFirstDelivery(on: link.id, now: now) }
        }
    }

    @Test("A full node gives a newcomer the place of the youngest of its useless links")
    func youngest() {
        var network = Self.full(newcomers: 1)
        network.dial(11, to: 0)
        network.run(for: .seconds(1))
        #expect(Self.hosts(network) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
        #expect(network.effects(of: 10).contains(.down(LinkID(1), node: NodeID(1), reason: .left)))
    }

    @Test("The link that brought the fewest envelopes first goes, and what it brought long ago counts less")
    func useful() {
        var network = Self.full(newcomers: 1)
        for host in 1...10 { Self.deliver(host == 6 ? 20 : 100, from: host, in: &network) }
        network.run(for: .seconds(1_210))
        for host in 1...10 where host != 6 { Self.deliver(host == 5 ? 2 : 10, from: host, in: &network) }
        // Of the envelopes long ago a quarter counts, so host 6 has the fewest again.
        network.dial(11, to: 0)
        network.run(for: .seconds(1))
        #expect(Self.hosts(network) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
    }

    @Test("The three oldest links, the three best, and one that is young stay")
    func kept() {
        var network = Self.full(newcomers: 8)
        for host in 8...10 { Self.deliver(1, from: host, in: &network) }
        for host in 11...18 {
            network.dial(host, to: 0)
            network.run(for: .seconds(6))
        }
        // Only hosts 4 to 7 could go. The newcomers are less than half a minute old then, or host 11 is the first to go.
        #expect(Set(Self.hosts(network)).isSuperset(of: [1, 2, 3, 8, 9, 10]))
        #expect(!Self.hosts(network).contains { (4...7).contains($0) })
    }

    /// Lets a payload come by the link with a host and go on.
    private static func carry(from host: Int, in network: inout LinkNetwork) {
        guard let link = network.tables[0].links.first(where: { $0.endpoint == network.endpoints[host] }) else {
            return
        }
        network.call(0) { table, now, _ in table.noteUse(of: link.id, now: now) }
        network.run(for: .milliseconds(10))
    }

    @Test("The four links over which the latest payloads came stay, and no others")
    func inUse() {
        var network = Self.full(newcomers: 1)
        for host in [6, 10, 9, 8, 7] { Self.carry(from: host, in: &network) }
        let unused = network.tables[0].unusedLinks(now: network.now)
        #expect(unused.count == 6)
        network.dial(11, to: 0)
        network.run(for: .seconds(1))
        #expect(Self.hosts(network) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
    }

    @Test("A link over which no payload came for a minute may go")
    func formerlyInUse() {
        var network = Self.full(newcomers: 1)
        Self.carry(from: 10, in: &network)
        network.run(for: .seconds(61))
        network.dial(11, to: 0)
        network.run(for: .seconds(1))
        #expect(!Self.hosts(network).contains(10))
    }

    @Test("Room is made once in five seconds")
    func interval() {
        var network = Self.full(newcomers: 2)
        network.dial(11, to: 0)
        network.run(for: .milliseconds(500))
        network.dial(12, to: 0)
        network.run(for: .seconds(4))
        #expect(Self.hosts(network).contains(11) && !Self.hosts(network).contains(12))
        network.dial(12, to: 0)
        network.run(for: .seconds(3))
        #expect(Self.hosts(network).contains(12))
    }

    @Test("No room is made for who was linked in the last ten minutes")
    func former() {
        var network = Self.full(newcomers: 1)
        network.dial(11, to: 0)
        network.run(for: .seconds(10))
        network.dial(10, to: 0)
        network.run(for: .seconds(5))
        #expect(!Self.hosts(network).contains(10))
        network.run(for: .seconds(595))
        network.dial(10, to: 0)
        network.run(for: .seconds(5))
        #expect(Self.hosts(network).contains(10))
    }

    @Test("Room is made for who shows a cookie and proves its key, and for nobody before")
    func proof() throws {
        var network = Self.full(newcomers: 1)
        network.isRecording = true
        network.dial(11, to: 0)
        network.run(for: .milliseconds(1))
        #expect(network.sent.filter { $0.node == 0 }.map { $0.bytes.first } == [0x11])
        // The newcomer shows the cookie, is answered, and leaves without a proof.
        network.run(for: .milliseconds(2))
        #expect(network.sent.filter { $0.node == 0 }.map { $0.bytes.first } == [0x11, 0x12])
        network.dead = [11]
        network.dropFlights()
        network.run(for: .seconds(5))
        #expect(Self.hosts(network) == Array(1...10))
    }

    @Test("Links that the node dialled do not make room")
    func dialled() {
        var network = LinkNetwork(nodes: (1...8).map { NodeID(UInt64($0)) })
        network.tables[0].acceptLimit = 0
        for node in 1...6 { network.dial(0, to: node) }
        network.run(for: .seconds(60))
        network.dial(7, to: 0)
        network.run(for: .seconds(5))
        #expect(Self.hosts(network) == Array(1...6))
    }

    @Test("An address with four links gets no room for more")
    func address() {
        var network = Self.full(newcomers: 1)
        for host in 7...11 {
            network.endpoints[host].address = network.endpoints[7].address
            network.endpoints[host].port = UInt16(6_000 + host)
        }
        var crowded = network.tables[0]
        #expect(crowded.hasAddressCapacity(for: NodeID(99), at: network.endpoints[1]))
        var effects: [LinkEffect] = []
        _ = crowded.makeRoom(for: NodeID(99), now: network.now, into: &effects)
        #expect(crowded.links.count == 9)
    }

    @Test("256 peers of ended links are remembered")
    func formerPeers() {
        var peers = FormerPeers(LinkConfiguration())
        for number in 1...300 { peers.add(NodeID(UInt64(number)), at: LinkNetwork.endpoint(number), now: .zero) }
        #expect(peers.count == 256)
        #expect(!peers.contains(NodeID(44), now: .zero) && peers.contains(NodeID(45), now: .zero))
        #expect(peers.contains(LinkNetwork.endpoint(300), now: .zero))
        let later = MeshInstant.zero.advanced(by: .seconds(600))
        #expect(!peers.contains(NodeID(300), now: later) && !peers.contains(LinkNetwork.endpoint(300), now: later))
        peers.add(NodeID(301), at: LinkNetwork.endpoint(301), now: later)
        #expect(peers.count == 1)
    }
}
