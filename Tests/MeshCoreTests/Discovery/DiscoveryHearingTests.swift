import Testing

@testable import MeshCore

@Suite("Discovery: hearing")
struct DiscoveryHearingTests {
    private static let node = NodeID(0x7000)

    @Test("A neighbour is remembered with its unicast port, and dialled")
    func neighbour() {
        var driver = DiscoveryDriver()
        driver.up()
        let effects = driver.receive(.sample(port: 999))
        let endpoint = DiscoveryDriver.endpoint(7, port: 999)
        #expect(effects == [.dial(Self.node, endpoint)])
        #expect(
            driver.machine.neighbours == [
                NeighbourInfo(node: Self.node, endpoint: endpoint, isLinked: false, lastSeen: driver.now)
            ]
        )
    }

    @Test("The own echo is ignored, on any interface")
    func echo() {
        var driver = DiscoveryDriver()
        driver.up()
        #expect(driver.receive(.sample(node: DiscoveryDriver.nodeID.value)) == [])
        #expect(driver.machine.neighbours == [])
    }

    @Test("A source that is not on the interface's subnets is refused")
    func offLink() {
        var driver = DiscoveryDriver()
        driver.up()
        #expect(driver.receive(.sample(), from: ipv4(10, 1, 0, 7)) == [.dropped(.offLink)])
        let other = InterfaceID(index: 9, family: .v4)
        #expect(driver.receive(.sample(), on: other) == [.dropped(.noSuchInterface)])
        #expect(driver.machine.neighbours == [])
    }

    @Test("A link-local source is on every interface of its family")
    func linkLocal() throws {
        var driver = DiscoveryDriver()
        let six = InterfaceID(index: 2, family: .v6)
        driver.up(six)
        let address = try #require(IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14)))
        #expect(driver.receive(.sample(), from: address, on: six).dials.count == 1)
        #expect(driver.receive(.sample(), from: address) == [.dropped(.noSuchInterface)])
    }

    @Test("Nodes of one machine tell each other apart by their ports")
    func loopback() {
        var driver = DiscoveryDriver()
        let loopback = InterfaceID(index: 1, family: .v4)
        let prefix = Prefix(address: ipv4(127, 0, 0, 1), length: 8)
        _ = driver.act { $0.interfaceUp(loopback, prefixes: [prefix], unicastPort: 4_000, now: $1, into: &$2) }
        for port in UInt16(1)...3 {
            driver.receive(.sample(node: UInt64(port), port: port), from: ipv4(127, 0, 0, 1), on: loopback)
        }
        #expect(driver.machine.neighbours.map(\.endpoint.port) == [1, 2, 3])
    }

    @Test("A copy of a beacon counts once")
    func duplicate() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        let heard = driver.now
        driver.now = driver.now.advanced(by: .milliseconds(10))
        #expect(driver.receive(.sample()) == [])
        #expect(driver.machine.neighbours.map(\.lastSeen) == [heard])
    }

    @Test("A beacon whose minutes fall is an old one")
    func minutes() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample(minutes: 7))
        #expect(driver.receive(.sample(sequence: 2, minutes: 6)) == [.dropped(.replayed)])
        #expect(driver.receive(.sample(sequence: 3, flags: .leaving, minutes: 6)) == [.dropped(.replayed)])
        #expect(driver.machine.neighbours.count == 1)
        #expect(
            driver.receive(.sample(sequence: 4, minutes: 7))
                == [.retryNow(DiscoveryDriver.endpoint(7), isAnswer: false)]
        )
    }

    @Test("A beacon to this node alone that comes within a second of its question is an answer")
    func answer() {
        var driver = DiscoveryDriver()
        func retry(_ beacon: Beacon, multicast: Bool = false) -> Bool? {
            guard case .retryNow(_, let isAnswer) = driver.receive(beacon, multicast: multicast).first else {
                return nil
            }
            return isAnswer
        }
        driver.up()
        driver.receive(.sample())
        #expect(retry(.sample(sequence: 2)) == true)
        #expect(retry(.sample(sequence: 3), multicast: true) == false)
        #expect(retry(.sample(sequence: 4, flags: .solicit)) == false)
        driver.run(for: .milliseconds(2_601))
        #expect(retry(.sample(sequence: 5)) == false)
    }

    @Test("A goodbye removes the neighbour, but only from where it is known")
    func goodbye() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample(sequence: 1))
        driver.receive(.sample(sequence: 2, flags: .leaving), from: ipv4(10, 0, 0, 8))
        #expect(driver.machine.neighbours.count == 1)
        driver.receive(.sample(sequence: 3, flags: .leaving))
        #expect(driver.machine.neighbours == [])
    }

    @Test("A goodbye takes the neighbour away but not the link, and nobody is dialled when that ends")
    func goodbyeOfLinked() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: Self.node)
        #expect(driver.receive(.sample(sequence: 2, flags: .leaving)) == [])
        #expect(driver.machine.overlay.linkCount == 1)
        #expect(driver.act { $0.linkDown(LinkID(1), node: Self.node, now: $1, into: &$2) }.dials == [])
        #expect(driver.machine.neighbours == [])
    }

    @Test("An interface that goes down takes its neighbours and the node id along")
    func interfaceDown() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        let sequence = driver.machine.beaconSequence
        #expect(driver.act { $0.interfaceDown(DiscoveryDriver.lan, now: $1, into: &$2) }.first == .nodeIDExpired)
        #expect(driver.machine.nodeID != DiscoveryDriver.nodeID)
        #expect(driver.machine.beaconSequence != sequence)
        #expect(driver.machine.neighbours == [])
        #expect(driver.run(for: .seconds(9)).effects.multicasts == [])
    }

    @Test(
        "Nothing is said or heard on the interface-less sockets and on streams, and their end leaves the node id",
        arguments: [InterfaceID(index: 0, family: .v4), .stream(0), .stream(15)]
    )
    func routed(routed: InterfaceID) {
        var driver = DiscoveryDriver()
        #expect(driver.up(routed) == [])
        #expect(driver.receive(.sample(), on: routed) == [.dropped(.noSuchInterface)])
        #expect(driver.act { $0.interfaceDown(routed, now: $1, into: &$2) } == [])
    }

    @Test("Leaving is said on every interface, and then there is silence")
    func leave() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.up(InterfaceID(index: 3, family: .v4))
        let effects = driver.act { $0.leave(now: $1, into: &$2) }
        #expect(effects.multicasts.map(\.flags) == [.leaving, .leaving])
        #expect(driver.machine.nextDeadline == .distantFuture)
        #expect(driver.receive(.sample()) == [])
        #expect(driver.up() == [])
    }

    @Test("A node with a new id is not dialled where there is a link with it, and its link stays")
    func newID() {
        let other = InterfaceID(index: 3, family: .v4)
        var driver = DiscoveryDriver()
        driver.up()
        driver.up(other)
        driver.receive(.sample())
        driver.link(1, to: Self.node)
        driver.receive(.sample(sequence: 2), on: other)
        // The beacon on the interface without the link may come first.
        #expect(driver.receive(.sample(node: 0x8000, sequence: 3), on: other) == [])
        #expect(driver.receive(.sample(node: 0x8000, sequence: 4)) == [])
        #expect(driver.receive(.sample(sequence: 5, flags: .leaving)) == [])
        #expect(driver.machine.neighbours.map(\.node) == [NodeID(0x8000), NodeID(0x8000)])
        #expect(driver.machine.neighbours.map(\.isLinked) == [true, true])
        #expect(driver.receive(.sample(node: 0x8000, sequence: 6), on: other) == [])
        #expect(driver.run(for: .seconds(10)).effects.dials == [])
    }

    @Test("A beacon forged from a neighbour's endpoint changes no link")
    func forgedID() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: Self.node)
        driver.receive(.sample(node: 0x8000, sequence: 2))
        driver.receive(.sample(sequence: 3))
        #expect(driver.machine.overlay.links.map(\.info.node) == [Self.node])
        #expect(driver.machine.neighbours.map(\.node) == [Self.node])
    }

    @Test("A node that starts anew at the endpoint of a link dials by itself; it is dialled once the link has ended")
    func restart() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: Self.node)
        driver.run(for: .seconds(2))
        #expect(driver.receive(.sample(node: 0x8000, flags: .solicit)).dials == [])
        driver.act { $0.linkDown(LinkID(1), node: Self.node, now: $1, into: &$2) }
        let dials = driver.receive(.sample(node: 0x8000, sequence: 2, flags: .solicit)).dials
        #expect(dials == [DiscoveryDriver.endpoint(7)])
    }

    @Test("A node taking a new id says it, then says goodbye for the old one, and stays linked")
    func ownRename() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: Self.node)
        let effects = driver.act { $0.expireNodeIDIfFree(now: $1, into: &$2) }
        let node = driver.machine.nodeID
        #expect(effects.first == .nodeIDExpired)
        #expect(node != DiscoveryDriver.nodeID)
        #expect(effects.multicasts.map(\.node) == [node, DiscoveryDriver.nodeID])
        #expect(effects.multicasts.map(\.flags) == [[], .leaving])
        #expect(driver.machine.neighbours.map(\.isLinked) == [true])
        #expect(driver.receive(.sample(node: DiscoveryDriver.nodeID.value)) == [])
    }
}
