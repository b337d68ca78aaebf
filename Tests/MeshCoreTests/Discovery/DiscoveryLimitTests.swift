import Bytes
import Testing

@testable import MeshCore

@Suite("Discovery: limits")
struct DiscoveryLimitTests {
    private static func newNeighbour(_ number: Int) -> Beacon {
        .sample(node: UInt64(number), flags: .full, port: UInt16(1_000 + number))
    }

    @Test("A full table evicts at random, but nobody with a link")
    func neighbourLimit() {
        var configuration = DiscoveryConfiguration()
        configuration.newNeighbourRate = 5_000
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for number in 1...1_024 { driver.receive(Self.newNeighbour(number)) }
        driver.link(1, to: NodeID(1), at: DiscoveryDriver.endpoint(7, port: 1_001))
        for number in 1_025...1_100 {
            #expect(driver.receive(Self.newNeighbour(number)) == [.dropped(.neighbourLimit)])
        }
        let nodes = driver.machine.neighbours.map(\.node.value)
        #expect(nodes.count == 1_024)
        #expect(nodes.contains(1) && nodes.contains(1_100))
        #expect(nodes.count { $0 <= 1_024 } > 940)
    }

    @Test("A table of linked nodes takes nobody in")
    func allLinked() {
        var configuration = DiscoveryConfiguration()
        configuration.neighbourLimit = 2
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for number in 1...2 {
            driver.receive(Self.newNeighbour(number))
            driver.link(
                UInt64(number),
                to: NodeID(UInt64(number)),
                at: DiscoveryDriver.endpoint(7, port: UInt16(1_000 + number))
            )
        }
        #expect(driver.receive(Self.newNeighbour(3)) == [.dropped(.neighbourLimit)])
        #expect(driver.machine.neighbours.map(\.node.value) == [1, 2])
    }

    @Test("Fifty newcomers are taken in at once, and fifty a second later")
    func newNeighbours() {
        var driver = DiscoveryDriver()
        driver.up()
        for number in 1...50 { #expect(driver.receive(Self.newNeighbour(number)) == []) }
        #expect(driver.receive(Self.newNeighbour(51)) == [.dropped(.beaconRate)])
        driver.now = driver.now.advanced(by: .seconds(1))
        for number in 101...150 { #expect(driver.receive(Self.newNeighbour(number)) == []) }
        #expect(driver.receive(Self.newNeighbour(151)) == [.dropped(.beaconRate)])
    }

    @Test("Of one neighbour two beacons a second are listened to, after four at once")
    func beaconRate() {
        var driver = DiscoveryDriver()
        driver.up()
        func beacon(_ sequence: UInt16) -> Beacon { .sample(sequence: sequence, flags: .full) }
        driver.receive(beacon(0))
        for sequence in UInt16(1)...4 { #expect(driver.receive(beacon(sequence)) == []) }
        #expect(driver.receive(beacon(5)) == [.dropped(.beaconRate)])
        driver.now = driver.now.advanced(by: .seconds(1))
        for sequence in UInt16(6)...7 { #expect(driver.receive(beacon(sequence)) == []) }
        #expect(driver.receive(beacon(8)) == [.dropped(.beaconRate)])
    }

    @Test("Sixty-four answers wait at most")
    func answers() {
        var configuration = DiscoveryConfiguration()
        configuration.newNeighbourRate = 1_000
        configuration.burst = []
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for number in 1...100 {
            var beacon = Self.newNeighbour(number)
            beacon.flags.insert(.solicit)
            driver.receive(beacon, multicast: false)
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
            dialled += driver.receive(.sample(node: UInt64(number), port: UInt16(1_000 + number))).dials.count
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
