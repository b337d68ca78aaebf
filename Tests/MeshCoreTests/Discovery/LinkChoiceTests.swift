import Testing

@testable import MeshCore

@Suite("Link choice")
struct LinkChoiceTests {
    private static func endpoint(_ number: Int) -> Endpoint {
        DiscoveryDriver.endpoint(7, port: UInt16(1_000 + number))
    }

    private static func beacon(_ number: Int, flags: Beacon.Flags = []) -> Beacon {
        .sample(node: UInt64(number), flags: flags, port: UInt16(1_000 + number), interval: 1_500)
    }

    /// Makes a machine that has discovered nodes 1 to `count`.
    private static func driver(hearing count: Int, configuration: DiscoveryConfiguration? = nil) -> DiscoveryDriver {
        var driver = DiscoveryDriver(configuration ?? DiscoveryConfiguration())
        driver.up()
        for number in 1...count { driver.receive(beacon(number)) }
        return driver
    }

    @Test("The first four heard are dialled")
    func firstFour() {
        var driver = DiscoveryDriver()
        driver.up()
        let effects = (1...20).flatMap { driver.receive(Self.beacon($0)) }
        #expect(effects == (1...4).map { .dial(NodeID(UInt64($0)), Self.endpoint($0)) })
    }

    @Test("The first link with a neighbour tells how long discovery took; a later one, or one by chance, does not")
    func discoveryTime() {
        var driver = Self.driver(hearing: 10)
        driver.run(for: .milliseconds(40))
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.run(for: .milliseconds(20))
        driver.link(2, to: NodeID(9), at: Self.endpoint(9), dialledHere: false)
        #expect(driver.machine.discoveryTimes == [.milliseconds(40), .milliseconds(60)])
        _ = driver.act { $0.linkDown(LinkID(1), node: NodeID(1), now: $1, into: &$2) }
        driver.link(3, to: NodeID(1), at: Self.endpoint(1))
        _ = driver.act { $0.linkDirectly(NodeID(8), now: $1, into: &$2) }
        driver.link(4, to: NodeID(8), at: Self.endpoint(8))
        #expect(driver.machine.discoveryTimes == [.milliseconds(60)])
    }

    @Test("A node that is full is not dialled")
    func full() {
        var driver = DiscoveryDriver()
        driver.up()
        #expect(driver.receive(Self.beacon(1, flags: .full)) == [])
    }

    @Test("Two links are wanted on each segment, however many there are elsewhere")
    func perSegment() {
        let other = InterfaceID(index: 3, family: .v4)
        var driver = Self.driver(hearing: 10)
        driver.up(other)
        let effects = (11...20).flatMap { driver.receive(Self.beacon($0), on: other) }
        #expect(effects.dials.map(\.port) == [1_011, 1_012])
    }

    @Test("With eight nodes in sight all are dialled after three seconds, with nine they are not")
    func linkToAll() {
        for (count, dialled) in [(8, 8), (9, 4)] {
            var driver = Self.driver(hearing: count)
            for number in 1...4 { driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number)) }
            #expect(driver.run(for: .milliseconds(2_999)).effects.dials == [])
            #expect(driver.run(for: .milliseconds(1)).effects.dials.count == dialled - 4)
        }
    }

    @Test("A dial that fails makes another node be dialled at once, and the same one after a pause that doubles")
    func backoff() {
        var driver = Self.driver(hearing: 1)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let failed = driver.now
            let node = NodeID(1)
            #expect(driver.act { $0.dialFailed(node, Self.endpoint(1), now: $1, into: &$2) } == [])
            while driver.run(for: .milliseconds(10)).effects.dials.isEmpty {}
            pauses.append(failed.duration(to: driver.now))
        }
        let expected: [(Double, Double)] = [
            (1, 2.1), (1.4, 2.7), (2.8, 5.3), (5.6, 10.5), (11, 21), (22, 42), (42, 79),
        ]
        for (pause, (low, high)) in zip(pauses, expected) {
            #expect(pause >= .seconds(low) && pause <= .seconds(high))
        }
        #expect(pauses.allSatisfy { $0 <= .seconds(79) })
    }

    @Test("A node heard on two interfaces is dialled at the first, and at the second when that fails")
    func fallback() throws {
        let six = InterfaceID(index: 2, family: .v6)
        let address = try #require(IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14)))
        var driver = DiscoveryDriver()
        driver.up()
        driver.up(six)
        #expect(driver.receive(Self.beacon(1)).dials == [Self.endpoint(1)])
        #expect(driver.receive(Self.beacon(1), from: address, on: six).dials == [])
        let effects = driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        #expect(effects == [.dial(NodeID(1), Endpoint(interface: six, address: address, port: 1_001))])
    }

    @Test("A dial without word is given up after four seconds and made again")
    func silentDial() {
        var driver = Self.driver(hearing: 1)
        #expect(driver.run(for: .seconds(4)).effects.dials == [])
        #expect(driver.machine.overlay.dials.isEmpty)
        #expect(driver.run(for: .seconds(2)).effects.dials == [Self.endpoint(1)])
    }

    @Test("A lost link is dialled again about a second later")
    func redial() {
        var driver = Self.driver(hearing: 1)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.run(for: .seconds(5))
        #expect(driver.act { $0.linkDown(LinkID(1), node: NodeID(1), now: $1, into: &$2) } == [])
        #expect(driver.run(for: .milliseconds(699)).effects.dials == [])
        #expect(driver.run(for: .milliseconds(602)).effects.dials == [Self.endpoint(1)])
    }

    @Test("Who asks to be linked is dialled whatever became of earlier dials, but not again within two seconds")
    func asked() {
        var driver = Self.driver(hearing: 1)
        func ask(_ sequence: UInt16) -> [DiscoveryEffect] {
            driver.receive(.sample(node: 1, sequence: sequence, flags: .solicit, port: 1_001, interval: 1_500))
        }
        driver.run(for: .milliseconds(500))
        #expect(ask(100) == [.retryNow(Self.endpoint(1))])
        for _ in 0..<5 {
            driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
            while driver.machine.overlay.dials.isEmpty { driver.run(for: .milliseconds(10)) }
        }
        driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        driver.run(for: .milliseconds(1_900))
        #expect(ask(101).dials == [])
        // Without the question the sixth pause would last at least 15 s.
        #expect(driver.run(for: .milliseconds(100)).effects.dials == [Self.endpoint(1)])
    }

    @Test("After the loss of the own interface there is no pause")
    func ownInterfaceLost() {
        var driver = Self.driver(hearing: 1)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.run(for: .seconds(5))
        let effects = driver.act {
            $0.linkDown(LinkID(1), node: NodeID(1), reason: .interfaceLost, now: $1, into: &$2)
        }
        #expect(effects.dials == [Self.endpoint(1)])
    }

    @Test("A lost link is replaced at once by one to another node")
    func refill() {
        var driver = Self.driver(hearing: 10)
        for number in 1...4 { driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number)) }
        let effects = driver.act { $0.linkDown(LinkID(1), node: NodeID(1), now: $1, into: &$2) }
        #expect(effects.dials.count == 1)
        #expect(effects.dials != [Self.endpoint(1)])
    }

    @Test("A static peer is dialled whoever it is, and again when its link is lost")
    func staticPeer() {
        let endpoint = Endpoint(interface: InterfaceID(index: 0, family: .v4), address: ipv4(192, 0, 2, 1), port: 5)
        var driver = DiscoveryDriver()
        #expect(driver.act { $0.addStaticPeer(endpoint, now: $1, into: &$2) } == [.dial(nil, endpoint)])
        #expect(driver.act { $0.addStaticPeer(endpoint, now: $1, into: &$2) } == [])
        #expect(driver.act { $0.dialFailed(nil, endpoint, now: $1, into: &$2) } == [])
        #expect(driver.run(for: .milliseconds(1_300)).effects.dials == [endpoint])
        driver.link(1, to: NodeID(9), at: endpoint)
        #expect(driver.run(for: .seconds(120)).effects.dials == [])
        #expect(driver.act { $0.linkDown(LinkID(1), node: NodeID(9), now: $1, into: &$2) } == [])
        #expect(driver.run(for: .milliseconds(1_300)).effects.dials == [endpoint])
    }

    @Test("A static peer that was taken out is not dialled again, others are")
    func removedStaticPeer() {
        let routed = InterfaceID(index: 0, family: .v4)
        let endpoints = [1, 2].map { Endpoint(interface: routed, address: ipv4(192, 0, 2, $0), port: 5) }
        var driver = DiscoveryDriver()
        for endpoint in endpoints {
            _ = driver.act { $0.addStaticPeer(endpoint, now: $1, into: &$2) }
            _ = driver.act { $0.dialFailed(nil, endpoint, now: $1, into: &$2) }
        }
        _ = driver.act { discovery, _, _ in discovery.removeStaticPeer(endpoints[0]) }
        #expect(driver.run(for: .milliseconds(1_300)).effects.dials == [endpoints[1]])
    }

    @Test("Sockets that open anew make a static peer be dialled without waiting")
    func staticPeerInterface() {
        let routed = InterfaceID(index: 0, family: .v4)
        let endpoint = Endpoint(interface: routed, address: ipv4(192, 0, 2, 1), port: 5)
        var driver = DiscoveryDriver()
        _ = driver.act { $0.addStaticPeer(endpoint, now: $1, into: &$2) }
        for _ in 0..<5 { _ = driver.act { $0.dialFailed(nil, endpoint, now: $1, into: &$2) } }
        #expect(driver.up(routed) == [.dial(nil, endpoint)])
    }

    @Test("Now and then the youngest dialled link gives way to one to a random node, but never the three oldest")
    func replacement() {
        var driver = Self.driver(hearing: 20)
        for number in 1...5 {
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number), dialledHere: number != 5)
            driver.now = driver.now.advanced(by: .milliseconds(1))
        }
        let start = driver.now
        var dials: [Endpoint] = []
        while dials.isEmpty { dials = driver.run(for: .milliseconds(100)).effects.dials }
        #expect(start.duration(to: driver.now) > .seconds(29) && start.duration(to: driver.now) < .seconds(91))
        #expect(dials.count == 1 && (1_006...1_020).contains(dials[0].port))
        let effects = driver.link(6, to: NodeID(UInt64(dials[0].port) - 1_000), at: dials[0])
        #expect(effects == [.close(LinkID(4))])
    }

    @Test("Nothing is replaced when only the three oldest could be")
    func oldestKept() {
        var driver = Self.driver(hearing: 20)
        for number in 1...5 {
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number), dialledHere: number <= 3)
            driver.now = driver.now.advanced(by: .milliseconds(1))
        }
        #expect(driver.run(for: .seconds(400)).effects.dials == [])
    }

    @Test("Inbound links are accepted up to twelve in all, four more while components are joined")
    func inboundLimit() {
        var driver = Self.driver(hearing: 1)
        #expect(driver.machine.inboundLimit == 11)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        #expect(driver.machine.inboundLimit == 11)
        driver.receive(.sample(flags: .solicit, root: NodeID(3)), multicast: false)
        #expect(driver.machine.inboundLimit == 14)
        driver.run(for: .seconds(10))
        #expect(driver.machine.inboundLimit == 11)
    }
}
