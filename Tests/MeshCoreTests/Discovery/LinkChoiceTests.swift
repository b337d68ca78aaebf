import Testing

@testable import MeshCore

@Suite("Link choice")
struct LinkChoiceTests {
    private static func endpoint(_ number: Int) -> Endpoint {
        DiscoveryDriver.endpoint(UInt8(number))
    }

    private static func address(_ number: Int) -> IPAddress { ipv4(10, 0, 0, UInt8(number)) }

    private static func beacon(_ number: Int, flags: Beacon.Flags = []) -> Beacon {
        .sample(node: UInt64(number), flags: flags, interval: 1_500)
    }

    /// Returns the numbers of the hosts that are dialled.
    private static func numbers(_ dials: [Endpoint]) -> [UInt8] { dials.map { $0.address.bytes[3] } }

    /// Makes a machine that has discovered nodes 1 to `count`.
    private static func driver(hearing count: Int, configuration: DiscoveryConfiguration? = nil) -> DiscoveryDriver {
        var driver = DiscoveryDriver(configuration ?? DiscoveryConfiguration())
        driver.up()
        for number in 1...count { driver.receive(beacon(number), from: address(number)) }
        return driver
    }

    @Test("The first four heard are dialled")
    func firstFour() {
        var driver = DiscoveryDriver()
        driver.up()
        let effects = (1...20).flatMap { driver.receive(Self.beacon($0), from: Self.address($0)) }
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

    @Test("Two links are wanted on each segment, however many there are elsewhere")
    func perSegment() {
        let other = InterfaceID(index: 3, family: .v4)
        var driver = Self.driver(hearing: 10)
        driver.up(other)
        let effects = (11...20).flatMap { driver.receive(Self.beacon($0), from: Self.address($0), on: other) }
        #expect(Self.numbers(effects.dials) == [11, 12])
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

    /// Lets the dial of host 1 fail; returns the time to the next one.
    private static func pause(of driver: inout DiscoveryDriver) -> Duration {
        let failed = driver.now
        #expect(driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) } == [])
        // The host is heard all the time; its beacons make no difference.
        for step in UInt16(1)... {
            driver.receive(.sample(node: 1, sequence: step, interval: 1_500), from: Self.address(1))
            if !driver.run(for: .milliseconds(500)).effects.dials.isEmpty || !driver.machine.overlay.dials.isEmpty {
                break
            }
        }
        return failed.duration(to: driver.now)
    }

    @Test(
        "A host whose dial failed is dialled again after a second, and if it was never linked from then on after a minute"
    )
    func backoff() {
        var driver = Self.driver(hearing: 1)
        let pauses = (0..<4).map { _ in Self.pause(of: &driver) }
        #expect(pauses[0] <= .milliseconds(2_500))
        #expect(pauses[1...].allSatisfy { $0 >= .seconds(42) && $0 <= .milliseconds(78_500) })
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.act { $0.linkDown(LinkID(1), node: NodeID(1), reason: .left, now: $1, into: &$2) }
        while driver.machine.overlay.dials.isEmpty { driver.run(for: .milliseconds(10)) }
        let known = (0..<7).map { _ in Self.pause(of: &driver) }
        let limits: [Double] = [2.5, 3.2, 5.8, 11, 21.4, 42.2, 78.5]
        #expect(zip(known, limits).allSatisfy { $0 <= .seconds($1) })
        #expect(known[5] >= .seconds(22) && known[6] >= .seconds(42))
    }

    @Test("A dial that fails makes another node be dialled at once")
    func another() {
        var driver = Self.driver(hearing: 5)
        let effects = driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        #expect(Self.numbers(effects.dials) == [5])
    }

    @Test("A node heard on two interfaces is dialled at the first, and at the second when that fails")
    func fallback() throws {
        let six = InterfaceID(index: 2, family: .v6)
        let address = try #require(IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14)))
        var driver = DiscoveryDriver()
        driver.up()
        driver.up(six)
        #expect(driver.receive(Self.beacon(1), from: Self.address(1)).dials == [Self.endpoint(1)])
        #expect(driver.receive(Self.beacon(1), from: address, on: six).dials == [])
        let effects = driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        #expect(effects == [.dial(NodeID(1), Endpoint(interface: six, address: address, port: 4_000))])
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

    @Test(
        "Who asks to be linked is dialled after one failed dial, but not within two seconds, and not after two failed"
    )
    func asked() {
        var driver = Self.driver(hearing: 1)
        func ask(_ sequence: UInt16) -> [DiscoveryEffect] {
            driver.receive(
                .sample(node: 1, sequence: sequence, flags: .solicit, interval: 1_500),
                from: Self.address(1)
            )
        }
        driver.run(for: .milliseconds(500))
        #expect(ask(100) == [.retryNow(Self.endpoint(1), isAnswer: false)])
        driver.run(for: .milliseconds(1_400))
        driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        #expect(ask(101).dials == [])
        // Without the question the pause would last until 2.6 s at least.
        driver.run(for: .milliseconds(100))
        #expect(!driver.machine.overlay.dials.isEmpty)
        driver.run(for: .milliseconds(3_000))
        driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        #expect(ask(102).dials == [])
        #expect(driver.run(for: .seconds(40)).effects.dials == [])
    }

    @Test("A host that answers without a link does not rest, but is dialled ever more rarely, whoever asks for it")
    func answers() {
        var driver = Self.driver(hearing: 1)
        func fail() {
            while driver.machine.overlay.dials.isEmpty { driver.run(for: .milliseconds(10)) }
            driver.run(for: .milliseconds(100))
            driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        }
        for _ in 0..<2 { fail() }
        driver.act { machine, now, _ in machine.answered(Self.endpoint(1), now: now) }
        #expect(driver.run(for: .milliseconds(1_900)).effects.dials == [])
        #expect(driver.run(for: .milliseconds(800)).effects.dials == [Self.endpoint(1)])
        for (sequence, least) in [(3, 2), (4, 5), (5, 11), (6, 22), (7, 42)] {
            fail()
            driver.act { machine, now, _ in machine.answered(Self.endpoint(1), now: now) }
            driver.run(for: .seconds(2))
            let beacon = Beacon.sample(node: 1, sequence: UInt16(sequence), flags: .solicit, interval: 6_000)
            #expect(driver.receive(beacon, from: Self.address(1)).dials == [])
            #expect(driver.run(for: .seconds(least) - .seconds(2)).effects.dials == [])
        }
        var dials: [Endpoint] = []
        for sequence in 8...10 {
            driver.receive(Beacon.sample(node: 1, sequence: UInt16(sequence), interval: 6_000), from: Self.address(1))
            dials += driver.run(for: .seconds(14)).effects.dials
        }
        #expect(dials == [Self.endpoint(1)])
    }

    @Test("Who was linked and asks is dialled whatever became of earlier dials")
    func knownAsks() {
        var driver = Self.driver(hearing: 1)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.act { $0.linkDown(LinkID(1), node: NodeID(1), now: $1, into: &$2) }
        for _ in 0..<5 {
            while driver.machine.overlay.dials.isEmpty { driver.run(for: .milliseconds(10)) }
            driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        }
        driver.run(for: .seconds(2))
        let beacon = Beacon.sample(node: 1, sequence: 99, flags: .solicit, interval: 1_500)
        #expect(driver.receive(beacon, from: Self.address(1)).dials == [Self.endpoint(1)])
    }

    @Test("Any beacon ends the pause of a node that has lost its last link")
    func searching() {
        var driver = Self.driver(hearing: 1)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        driver.act { $0.linkDown(LinkID(1), node: NodeID(1), reason: .timedOut, now: $1, into: &$2) }
        for _ in 0..<4 {
            while driver.machine.overlay.dials.isEmpty { driver.run(for: .milliseconds(10)) }
            driver.run(for: .seconds(2))
            driver.act { $0.dialFailed(NodeID(1), Self.endpoint(1), now: $1, into: &$2) }
        }
        let beacon = Beacon.sample(node: 1, sequence: 99, interval: 1_500)
        #expect(driver.receive(beacon, from: Self.address(1)).dials == [Self.endpoint(1)])
    }

    @Test("A host that nobody finds at one node id and port is no better at others")
    func victim() {
        var driver = Self.driver(hearing: 1)
        for number in 2...20 {
            driver.act { $0.dialFailed(nil, Self.endpoint(1), now: $1, into: &$2) }
            driver.run(for: .seconds(2))
            let beacon = Beacon.sample(node: UInt64(number), flags: .solicit, port: UInt16(number), interval: 1_500)
            #expect(driver.receive(beacon, from: Self.address(1)).dials == [])
        }
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

    /// A driver that hears 20 hosts and has these links, each a millisecond younger than the one before.
    private static func linked(_ dialled: [Bool], configuration: DiscoveryConfiguration? = nil) -> DiscoveryDriver {
        var driver = driver(hearing: 20, configuration: configuration)
        for (index, isDialled) in dialled.enumerated() {
            let number = index + 1
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: endpoint(number), dialledHere: isDialled)
            driver.now = driver.now.advanced(by: .milliseconds(1))
        }
        return driver
    }

    /// Runs until the next rotation; returns its dials.
    private static func rotation(of driver: inout DiscoveryDriver) -> [Endpoint] {
        var dials: [Endpoint] = []
        while dials.isEmpty {
            dials = driver.run(for: .milliseconds(100)).effects.dials
        }
        return dials
    }

    @Test("Now and then the youngest dialled link gives way to one to another node, but never the three oldest")
    func rotation() {
        var driver = Self.linked([true, true, true, true, false])
        let start = driver.now
        let dials = Self.rotation(of: &driver)
        #expect(start.duration(to: driver.now) > .seconds(7) && start.duration(to: driver.now) < .seconds(23))
        #expect(dials.count == 1 && (6...20).contains(Self.numbers(dials)[0]))
        let effects = driver.link(6, to: NodeID(UInt64(Self.numbers(dials)[0])), at: dials[0])
        #expect(effects == [.close(LinkID(4))])
    }

    @Test("The link that brought the most is not the one that gives way")
    func useful() {
        var driver = Self.linked([true, true, true, true, true])
        let dials = Self.rotation(of: &driver)
        let info = LinkInfo(
            id: LinkID(6),
            node: NodeID(6),
            endpoint: dials[0],
            dialledHere: true,
            since: driver.now,
            roundTrip: nil
        )
        let order = [1, 4, 2, 5, 3].map { LinkID($0) }
        let effects = driver.act { $0.linkUp(info, leastUseful: order, now: $1, into: &$2) }
        #expect(effects == [.close(LinkID(4))])
    }

    @Test("Rotation takes all nodes in turn, also when no dial succeeds")
    func turns() {
        var driver = Self.linked([true, true, true, true])
        var seen: [UInt8] = []
        for step in UInt16(1)...16 {
            for number in 1...20 {
                let beacon = Beacon.sample(node: UInt64(number), sequence: step, interval: 1_500)
                driver.receive(beacon, from: Self.address(number))
            }
            let dials = Self.rotation(of: &driver)
            seen += Self.numbers(dials)
            driver.act { $0.dialFailed(nil, dials[0], now: $1, into: &$2) }
        }
        #expect(Set(seen) == Set(5...20))
    }

    @Test("The larger the segment, the rarer are rotations of a node", arguments: [(10, 15), (100, 50), (1_000, 300)])
    func rotationInterval(visible: Int, seconds: Int) {
        var configuration = DiscoveryConfiguration()
        configuration.rotationJitter = 0
        var driver = Self.driver(hearing: 1, configuration: configuration)
        driver.machine.interfaces[0].visibleCount = visible
        driver.act { discovery, now, _ in discovery.planRotation(now: now) }
        #expect(driver.now.duration(to: driver.machine.nextRotation) == .seconds(seconds))
    }

    @Test(
        "The crowd factor grows with the segment, up to 10",
        arguments: [(0, 1), (49, 1), (50, 2), (249, 9), (1_000, 10)]
    )
    func crowdFactor(visible: Int, factor: Int) {
        var driver = Self.driver(hearing: 1)
        driver.machine.interfaces[0].visibleCount = visible
        #expect(driver.machine.crowdFactors == [driver.machine.interfaces[0].id.index: factor])
    }

    @Test("Where the segment has grown since a rotation was planned, it comes later")
    func grown() {
        var configuration = DiscoveryConfiguration()
        configuration.rotationJitter = 0
        var driver = Self.linked([true, true, true, true], configuration: configuration)
        driver.machine.interfaces[0].visibleCount = 100
        let start = driver.now
        let due = driver.machine.nextRotation
        driver.now = due
        #expect(driver.act { $0.rotate(now: $1, into: &$2) }.dials == [])
        #expect(driver.machine.nextRotation > start.advanced(by: .seconds(49)))
    }

    @Test("Without a link that may go none goes")
    func oldestKept() {
        var driver = Self.linked([true, true, true, false, false])
        let dials = Self.rotation(of: &driver)
        #expect(driver.link(6, to: NodeID(UInt64(Self.numbers(dials)[0])), at: dials[0]) == [])
    }

    @Test("Inbound links are accepted up to sixteen in all")
    func inboundLimit() {
        var driver = Self.driver(hearing: 1)
        #expect(driver.machine.inboundLimit == 15)
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        #expect(driver.machine.inboundLimit == 15)
    }
}
