import Bytes
import Testing

@testable import MeshCore

@Suite("Discovery: limits")
struct DiscoveryLimitTests {
    /// A driver that dials nobody.
    private static func driver(_ change: (inout DiscoveryConfiguration) -> Void = { _ in }) -> DiscoveryDriver {
        var configuration = DiscoveryConfiguration()
        configuration.linkTarget = 0
        configuration.linksPerSegment = 0
        configuration.fullMeshLimit = 0
        change(&configuration)
        var driver = DiscoveryDriver(configuration)
        driver.up()
        return driver
    }

    private static func newNeighbour(_ number: Int) -> Beacon { .sample(node: UInt64(number)) }

    /// The address of the host with this number.
    private static func address(_ number: Int) -> IPAddress { ipv4(10, 0, UInt8(number >> 8), UInt8(number & 0xFF)) }

    private static func endpoint(_ number: Int) -> Endpoint {
        Endpoint(interface: DiscoveryDriver.lan, address: address(number), port: 4_000)
    }

    @Test("A full table evicts at random, but nobody with a link")
    func neighbourLimit() {
        var driver = Self.driver { $0.newNeighbourRate = 5_000 }
        for number in 1...1_024 { driver.receive(Self.newNeighbour(number), from: Self.address(number)) }
        driver.link(1, to: NodeID(1), at: Self.endpoint(1))
        for number in 1_025...1_100 {
            #expect(driver.receive(Self.newNeighbour(number), from: Self.address(number)) == [])
        }
        let nodes = driver.machine.neighbours.map(\.node.value)
        #expect(nodes.count == 1_024)
        #expect(nodes.contains(1) && nodes.contains(1_100))
        #expect(nodes.count { $0 <= 1_024 } > 940)
    }

    @Test("In a crowd larger than the table few get in, and the interval follows the whole crowd")
    func crowd() {
        var driver = Self.driver {
            $0.newNeighbourRate = 5_000
            $0.neighbourLimit = 64
            $0.burst = []
        }
        func hear(_ numbers: ClosedRange<Int>, sequence: UInt16) -> Int {
            numbers.count { number in
                let beacon = Beacon.sample(node: UInt64(number), sequence: sequence, interval: 400)
                return driver.receive(beacon, from: Self.address(number)).contains(.dropped(.neighbourLimit))
            }
        }
        driver.machine.askWhoIsThere(on: 0, now: driver.now)
        var refused = 0
        for round in UInt16(1)...12 {
            refused = hear(1...280, sequence: round)
            driver.machine.planSteadyBeacon(on: 0, now: driver.now)
            driver.now = driver.now.advanced(by: .seconds(40))
            _ = driver.act { $0.tick(now: $1, into: &$2) }
        }
        // One of a table's length in the crowd gets in.
        #expect((120...200).contains(refused))
        let interval = driver.machine.steadyInterval(on: 0, now: driver.now)
        #expect(interval >= .seconds(32) && interval <= .seconds(48))
    }

    @Test("A table of linked nodes takes nobody in")
    func allLinked() {
        var driver = Self.driver { $0.neighbourLimit = 2 }
        for number in 1...2 {
            driver.receive(Self.newNeighbour(number), from: Self.address(number))
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number))
        }
        #expect(driver.receive(Self.newNeighbour(3)) == [.dropped(.neighbourLimit)])
        #expect(driver.machine.neighbours.map(\.node.value) == [1, 2])
    }

    @Test("An address has sixteen places for nodes that were never linked, and on loopback any number")
    func perAddress() {
        var driver = Self.driver()
        driver.receive(.sample(node: 1, port: 1))
        driver.link(1, to: NodeID(1), at: DiscoveryDriver.endpoint(7, port: 1))
        for number in UInt16(2)...40 { driver.receive(.sample(node: UInt64(number), port: number)) }
        let nodes = driver.machine.neighbours.map(\.node.value)
        #expect(nodes.count == 17)
        #expect(nodes.contains(1) && nodes.contains(40))
        let loopback = InterfaceID(index: 1, family: .v4)
        let prefix = Prefix(address: ipv4(127, 0, 0, 1), length: 8)
        _ = driver.act { $0.interfaceUp(loopback, prefixes: [prefix], unicastPort: 9, now: $1, into: &$2) }
        for number in UInt16(1)...40 {
            driver.receive(.sample(node: 100 + UInt64(number), port: number), from: prefix.address, on: loopback)
        }
        #expect(driver.machine.neighbours.count == 57)
    }

    @Test("Link-local addresses share 64 places for nodes that were never linked")
    func linkLocal() throws {
        let six = InterfaceID(index: 2, family: .v6)
        var driver = Self.driver { $0.newNeighbourRate = 5_000 }
        driver.up(six)
        for number in 1...200 {
            let bytes = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [UInt8(number)]
            let address = try #require(IPAddress(bytes: bytes))
            driver.receive(Self.newNeighbour(number), from: address, on: six)
            guard number == 1 else { continue }
            driver.link(1, to: NodeID(1), at: Endpoint(interface: six, address: address, port: 4_000))
        }
        let nodes = driver.machine.neighbours.map(\.node.value)
        #expect(nodes.count == 65 && nodes.contains(1) && nodes.contains { $0 > 150 })
    }

    @Test("The dials of 1,024 hosts are remembered")
    func dialHistory() {
        var history = DialHistory(limit: 1_024)
        for number in 1...1_025 { history.noteDial(at: Self.endpoint(number), spacing: .seconds(2), now: .zero) }
        #expect(history.count == 1_024)
        #expect(history.earliestDial(at: Self.endpoint(1)) == .zero)
        #expect(history.earliestDial(at: Self.endpoint(2)) == MeshInstant.zero.advanced(by: .seconds(2)))
    }

    @Test("Fifty newcomers are taken in at once, and fifty a second later")
    func newNeighbours() {
        var driver = Self.driver()
        func hear(_ number: Int) -> [DiscoveryEffect] {
            driver.receive(Self.newNeighbour(number), from: Self.address(number))
        }
        for number in 1...50 { #expect(hear(number) == []) }
        #expect(hear(51) == [.dropped(.beaconRate)])
        driver.now = driver.now.advanced(by: .seconds(1))
        for number in 101...150 { #expect(hear(number) == []) }
        #expect(hear(151) == [.dropped(.beaconRate)])
    }

    @Test("Of one neighbour two beacons a second are listened to, after four at once")
    func beaconRate() {
        var driver = Self.driver()
        driver.receive(.sample(sequence: 0))
        for sequence in UInt16(1)...4 { #expect(driver.receive(.sample(sequence: sequence)) == []) }
        #expect(driver.receive(.sample(sequence: 5)) == [.dropped(.beaconRate)])
        driver.now = driver.now.advanced(by: .seconds(1))
        for sequence in UInt16(6)...7 { #expect(driver.receive(.sample(sequence: sequence)) == []) }
        #expect(driver.receive(.sample(sequence: 8)) == [.dropped(.beaconRate)])
    }

    @Test("Sixty-four answers wait at most")
    func answers() {
        var driver = Self.driver {
            $0.newNeighbourRate = 1_000
            $0.answersPerSolicit = 1_000
        }
        for number in 1...100 {
            var beacon = Self.newNeighbour(number)
            beacon.flags.insert(.solicit)
            driver.receive(beacon, from: Self.address(number))
        }
        #expect(driver.run(for: .milliseconds(50)).effects.answers.count == 64)
    }

    @Test("Twenty dials go at once, then twenty a second")
    func dialRate() {
        var configuration = DiscoveryConfiguration()
        configuration.linkTarget = 100
        var driver = DiscoveryDriver(configuration)
        driver.up()
        var dialled = 0
        for number in 1...50 {
            dialled += driver.receive(Self.newNeighbour(number), from: Self.address(number)).dials.count
        }
        #expect(dialled == 20)
        #expect(driver.run(for: .seconds(1)).effects.dials.count == 20)
    }

    @Test("Sixty-four interfaces are used, not more")
    func interfaces() {
        var driver = DiscoveryDriver()
        for index in UInt32(1)...64 {
            #expect(driver.up(InterfaceID(index: index, family: .v4)).multicasts.count == 1)
        }
        #expect(driver.up(InterfaceID(index: 65, family: .v4)) == [])
    }

    @Test("Sixty-four static peers are kept, not more")
    func staticPeers() {
        var driver = DiscoveryDriver()
        for port in UInt16(1)...65 {
            _ = driver.act {
                $0.addStaticPeer(DiscoveryDriver.endpoint(9, port: port), now: $1, into: &$2)
            }
        }
        #expect(driver.machine.overlay.staticPeers.map(\.endpoint.port) == Array(1...64))
    }

    @Test("A token bucket gives its burst at once and then its rate")
    func tokenBucket() {
        var bucket = TokenBucket(rate: 4, burst: 3)
        func taken(at milliseconds: Int, _ bucket: inout TokenBucket) -> Int {
            let now = MeshInstant.zero.advanced(by: .milliseconds(milliseconds))
            return (0..<10).count { _ in bucket.take(now: now) }
        }
        #expect(taken(at: 0, &bucket) == 3)
        #expect(taken(at: 249, &bucket) == 0)
        #expect(bucket.nextToken == MeshInstant.zero.advanced(by: .milliseconds(250)))
        #expect(taken(at: 250, &bucket) == 1)
        #expect(taken(at: 800, &bucket) == 2)
        #expect(taken(at: 60_000, &bucket) == 3)
    }
}
