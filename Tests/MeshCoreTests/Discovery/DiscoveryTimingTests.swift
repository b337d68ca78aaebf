import Testing

@testable import MeshCore

@Suite("Discovery: times")
struct DiscoveryTimingTests {
    @Test("An interface that comes up is asked at once, and six times more within 1.6 s")
    func burst() {
        var driver = DiscoveryDriver()
        let start = driver.now
        let first = driver.up()
        #expect(first.multicasts.map(\.flags) == [.solicit])
        #expect(first.multicasts.first?.node == DiscoveryDriver.nodeID)
        #expect(first.multicasts.first?.unicastPort == 4_000)
        let later = driver.run(for: .seconds(3))
        #expect(later.map { start.duration(to: $0.time) } == [30, 90, 200, 400, 800, 1_600].map { .milliseconds($0) })
        #expect(later.effects.multicasts.map(\.flags) == Array(repeating: .solicit, count: 6))
    }

    @Test(
        "Alone, a node says a beacon every two seconds, give or take a quarter, and every ten after half a minute",
        arguments: [UInt64(1), 2, 3]
    )
    func steady(seed: UInt64) {
        var driver = DiscoveryDriver(seed: seed)
        let start = driver.now
        driver.up()
        driver.run(for: .milliseconds(1_600))
        var last = driver.now
        var interval: Duration = .seconds(2)
        for beacon in driver.run(for: .seconds(200)) {
            let gap = last.duration(to: beacon.time)
            #expect(gap >= interval * 0.75 && gap <= interval * 1.25)
            // A beacon announces the interval until the next one.
            interval = start.duration(to: beacon.time) < .seconds(30) ? .seconds(2) : .seconds(10)
            #expect([beacon.effect].multicasts.map(\.interval) == [interval == .seconds(2) ? 20 : 100])
            last = beacon.time
        }
        #expect(last > driver.now.advanced(by: .milliseconds(-12_500)))
    }

    @Test("A link, and the loss of who was linked, make beacons frequent again; strangers do not")
    func liveliness() {
        var driver = DiscoveryDriver()
        driver.up()
        func interval(_ driver: DiscoveryDriver) -> Duration { driver.machine.steadyInterval(on: 0, now: driver.now) }
        driver.run(for: .seconds(60))
        #expect(interval(driver) == .seconds(10))
        driver.receive(.sample())
        #expect(interval(driver) == .seconds(10))
        driver.run(for: .milliseconds(7_000))
        #expect(driver.machine.neighbours == [])
        #expect(interval(driver) == .seconds(10))
        driver.receive(.sample(sequence: 2, interval: 150))
        driver.link(1, to: NodeID(0x7000))
        #expect(interval(driver) == .seconds(2))
        driver.run(for: .milliseconds(34_999))
        #expect(driver.machine.neighbours.count == 1)
        #expect(interval(driver) == .seconds(10))
        driver.run(for: .seconds(20))
        #expect(driver.machine.neighbours == [])
        driver.run(for: .seconds(40))
        #expect(interval(driver) == .seconds(10))
    }

    @Test("Who no longer sends beacons after a link makes beacons frequent again")
    func lostLinked() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: NodeID(0x7000))
        driver.machine.interfaces[0].lastChange = .zero
        #expect(driver.machine.steadyInterval(on: 0, now: driver.now) == .seconds(10))
        driver.run(for: .seconds(7))
        #expect(driver.machine.neighbours == [])
        #expect(driver.machine.steadyInterval(on: 0, now: driver.now) == .seconds(2))
    }

    @Test("Where the last link was lost a node asks every second for two minutes, or until there is a link")
    func search() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample())
        driver.link(1, to: NodeID(0x7000))
        driver.run(for: .seconds(60))
        let start = driver.now
        let first = driver.act { $0.linkDown(LinkID(1), node: NodeID(0x7000), reason: .timedOut, now: $1, into: &$2) }
        #expect(first.multicasts == [])
        let questions = driver.run(for: .seconds(125)).filter { ![$0.effect].multicasts.isEmpty }
        #expect(questions.first?.time == start)
        let asking = questions.filter { [$0.effect].multicasts.contains { $0.flags == .solicit } }
        #expect((96...162).contains(asking.count))
        #expect(zip(asking, asking.dropFirst()).allSatisfy { $0.time.duration(to: $1.time) <= .milliseconds(1_250) })
        #expect(asking.last.map { $0.time <= start.advanced(by: .seconds(120)) } == true)
        #expect(questions.last?.effect != asking.last?.effect)

        driver.link(2, to: NodeID(0x7000))
        driver.act { $0.linkDown(LinkID(2), node: NodeID(0x7000), reason: .timedOut, now: $1, into: &$2) }
        driver.run(for: .seconds(5))
        driver.link(3, to: NodeID(0x7000))
        let later = driver.run(for: .seconds(5)).effects.multicasts
        #expect(later.allSatisfy { $0.flags.isEmpty })
    }

    @Test("Who was parted from in good order is not searched for, nor where another link is left")
    func noSearch() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.link(1, to: NodeID(0x7000))
        driver.act { $0.linkDown(LinkID(1), node: NodeID(0x7000), reason: .left, now: $1, into: &$2) }
        driver.link(2, to: NodeID(0x7001), at: DiscoveryDriver.endpoint(8))
        driver.link(3, to: NodeID(0x7002), at: DiscoveryDriver.endpoint(9))
        driver.act { $0.linkDown(LinkID(2), node: NodeID(0x7001), reason: .timedOut, now: $1, into: &$2) }
        #expect(driver.machine.interfaces[0].searchEnd == nil)
    }

    @Test(
        "The more neighbours, the rarer the beacons, down to one in 300 seconds",
        arguments: [(6, 2_000), (34, 5_000), (4_899, 300_000)]
    )
    func crowd(count: Int, milliseconds: Int) {
        var configuration = DiscoveryConfiguration()
        configuration.newNeighbourRate = 5_000
        configuration.neighbourLimit = 5_000
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for node in 0..<count {
            driver.receive(.sample(node: UInt64(node)), from: ipv4(10, 0, UInt8(node >> 8), UInt8(node & 0xFF)))
        }
        #expect(driver.machine.steadyInterval(on: 0, now: driver.now) == .milliseconds(milliseconds))
    }

    @Test("Nodes that send one beacon each and promise the next for much later do not make the own ones rare")
    func inventions() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.run(for: .seconds(60))
        for number in 0..<1_200 {
            let beacon = Beacon.sample(node: UInt64(number), interval: .max)
            driver.receive(beacon, from: ipv4(10, 0, UInt8(number >> 8), UInt8(number & 0xFF)))
            driver.run(for: .milliseconds(500))
        }
        #expect(driver.machine.steadyInterval(on: 0, now: driver.now) == .seconds(10))
        #expect(driver.machine.neighbours.count < 100)
    }

    @Test("In a crowd a new node believes the intervals that its linked neighbours show")
    func newInCrowd() {
        var driver = DiscoveryDriver()
        driver.up()
        for number in 1...5 {
            driver.receive(
                .sample(node: UInt64(number), interval: number < 3 ? .max : 700),
                from: ipv4(10, 0, 1, UInt8(number))
            )
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: DiscoveryDriver.endpoint(UInt8(number)))
        }
        driver.run(for: .seconds(10))
        #expect(driver.machine.interfaces[0].trustedInterval == .seconds(70))
    }

    @Test("Nothing is due before the deadline, and an early tick changes nothing")
    func earlyTick() {
        var driver = DiscoveryDriver()
        driver.up()
        let deadline = driver.machine.nextDeadline
        #expect(driver.act { $0.tick(now: $1, into: &$2) } == [])
        #expect(driver.machine.nextDeadline == deadline)
    }

    @Test("A tick that comes far too late says one beacon, not all that were missed, and asks again who is there")
    func lateTick() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.run(for: .seconds(10))
        let start = driver.now.advanced(by: .seconds(1_500))
        driver.now = start
        #expect(driver.act { $0.tick(now: $1, into: &$2) }.multicasts.map(\.flags) == [.solicit])
        #expect(driver.machine.nextDeadline > driver.now)
        let later = driver.run(for: .seconds(3)).filter { ![$0.effect].multicasts.isEmpty }
        #expect(later.map { start.duration(to: $0.time) } == [30, 90, 200, 400, 800, 1_600].map { .milliseconds($0) })
    }

    @Test("A question is answered within 50 ms by one beacon to the asker alone")
    func answer() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.run(for: .milliseconds(1_700))
        let asked = driver.now
        driver.machine.overlay.dialled(
            Overlay.Dial(
                node: NodeID(0x7000),
                endpoint: DiscoveryDriver.endpoint(9),
                purpose: .fill,
                expires: .distantFuture
            )
        )
        driver.receive(.sample(flags: .solicit))
        let answers = driver.run(for: .milliseconds(50))
        #expect(answers.count == 1)
        #expect(answers.allSatisfy { asked.duration(to: $0.time) <= .milliseconds(50) })
        #expect(answers.effects.answers.map(\.flags) == [[]])
    }

    @Test("In a crowd about eight answer a question to all")
    func answerShare() {
        var configuration = DiscoveryConfiguration()
        configuration.newNeighbourRate = 2_000
        configuration.burst = []
        configuration.linkTarget = 0
        configuration.linksPerSegment = 0
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for node in 1...80 {
            driver.receive(.sample(node: UInt64(node), interval: 1_500), from: ipv4(10, 0, 0, UInt8(node)))
        }
        driver.run(for: .seconds(1))
        var answers = 0
        for round in 1...500 {
            driver.receive(.sample(node: 1, sequence: UInt16(round), flags: .solicit), from: ipv4(10, 0, 0, 1))
            driver.machine.interfaces[0].visibleCount = 80
            answers += driver.run(for: .milliseconds(500)).effects.answers.count
        }
        #expect((30...75).contains(answers))
    }

    @Test("A neighbour is forgotten after three and a half of its intervals")
    func expiry() {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample(interval: 40))
        driver.run(for: .milliseconds(13_999))
        #expect(driver.machine.neighbours.count == 1)
        driver.run(for: .milliseconds(1))
        #expect(driver.machine.neighbours == [])
    }

    @Test("A forged interval of nothing or of hours is held to what is sensible", arguments: [(0, 7), (65_535, 35)])
    func forgedInterval(interval: UInt16, seconds: Int) {
        var driver = DiscoveryDriver()
        driver.up()
        driver.receive(.sample(interval: interval))
        #expect(driver.machine.interfaces[0].nextExpiry == driver.now.advanced(by: .seconds(seconds)))
    }

    @Test("A new node id comes after 30 to 60 minutes", arguments: [UInt64(1), 2, 3, 4])
    func nodeIDLife(seed: UInt64) throws {
        var driver = DiscoveryDriver(seed: seed)
        let start = driver.now
        let timed = driver.run(for: .seconds(3_600))
        let change = try #require(
            timed.first { $0.effect == .nodeIDExpired }
        )
        #expect(start.duration(to: change.time) >= .seconds(1_800))
        #expect(driver.machine.nodeID != DiscoveryDriver.nodeID)
    }
}
