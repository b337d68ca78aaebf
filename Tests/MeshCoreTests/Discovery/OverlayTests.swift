import Testing

@testable import MeshCore

/// Tests of whole segments of machines; the effects of handshakes and queues are not covered here.
@Suite("Overlay")
struct OverlayTests {
    private static func still() -> DiscoveryConfiguration {
        var configuration = DiscoveryConfiguration()
        configuration.shortestRotation = .seconds(100_000)
        configuration.longestRotation = .seconds(100_000)
        return configuration
    }

    private static let barbell = (0..<100).map { $0 == 0 ? [0, 2] : $0 == 50 ? [1, 2] : [$0 / 50] }

    @Test("Fifty on one segment become one component of few links, and few beacons", arguments: [UInt64(1), 2])
    func fifty(seed: UInt64) {
        let network = DiscoveryNetwork(segmentsOf: Array(repeating: [0], count: 50), seed: seed)
        network.run(for: .seconds(2))
        #expect(network.componentCount == 1)
        network.run(for: .seconds(58))
        let before = network.beaconCounts[0]
        network.run(for: .seconds(60))
        #expect(network.beaconCounts[0] - before <= 8 * 60)
        #expect(network.componentCount == 1)
        #expect(network.largestLinkCount <= 16)
        #expect((7.5...8.5).contains(network.meanLinkCount))
    }

    @Test("Three hundred on one segment become one component of few links, and few beacons")
    func threeHundred() {
        // Two soliciting beacons instead of seven keep the test quick.
        var configuration = DiscoveryConfiguration()
        configuration.burst = [.zero, .milliseconds(400)]
        let network = DiscoveryNetwork(
            segmentsOf: Array(repeating: [0], count: 300),
            configuration: configuration,
            seed: 1
        )
        network.run(for: .seconds(2))
        #expect(network.componentCount == 1)
        network.run(for: .seconds(43))
        let before = network.beaconCounts[0]
        network.run(for: .seconds(15))
        #expect(network.beaconCounts[0] - before <= 8 * 15)
        #expect(network.componentCount == 1)
        #expect(network.largestLinkCount <= 16)
        #expect((7.5...8.5).contains(network.meanLinkCount))
    }

    @Test("At thirty percent loss the segment is one component too")
    func loss() {
        let network = DiscoveryNetwork(segmentsOf: Array(repeating: [0], count: 50), loss: 0.3, seed: 1)
        network.run(for: .seconds(15))
        #expect(network.componentCount == 1)
        #expect(network.largestLinkCount <= 16)
    }

    @Test("Two crowds joined by one pair of hosts become one component", arguments: [UInt64(1), 2])
    func barbell(seed: UInt64) {
        let network = DiscoveryNetwork(segmentsOf: Self.barbell, seed: seed)
        network.run(for: .seconds(3))
        #expect(network.componentCount == 1)
    }

    @Test(
        "Two crowds of which one pair hears each other join by rotation; without it they stay apart",
        arguments: [UInt64(1), 2, 0]
    )
    func rotation(seed: UInt64) {
        var configuration = seed == 0 ? Self.still() : DiscoveryConfiguration()
        configuration.linksPerSegment = 0
        let hosts = (0..<20).map { [$0 / 10] }
        let network = DiscoveryNetwork(segmentsOf: hosts, spareSegments: 1, configuration: configuration, seed: seed)
        network.run(for: .seconds(5))
        network.join(0, 2)
        network.join(10, 2)
        var time = 0
        while network.componentCount > 1, time < 300 {
            network.run(for: .seconds(1))
            time += 1
        }
        #expect(network.componentCount == (seed == 0 ? 2 : 1))
    }

    @Test("Two halves of one segment that are not linked join within half a minute", arguments: [UInt64(1), 2, 3])
    func halves(seed: UInt64) {
        let hosts = (0..<60).map { [$0 / 30] }
        let network = DiscoveryNetwork(segmentsOf: hosts, spareSegments: 1, seed: seed)
        network.run(for: .seconds(60))
        for host in 0..<60 { network.join(host, 2) }
        network.run(for: .seconds(30))
        #expect(network.componentCount == 1)
    }

    @Test("Forty segments in a row, each joined to the next by one host, become one component")
    func chain() {
        var configuration = DiscoveryConfiguration()
        configuration.burst = [.zero, .milliseconds(400)]
        let network = DiscoveryNetwork(
            segmentsOf: (0..<1_000).map { $0 % 25 == 0 && $0 > 0 ? [$0 / 25 - 1, $0 / 25] : [$0 / 25] },
            configuration: configuration,
            seed: 1
        )
        network.run(for: .seconds(2))
        #expect(network.componentCount == 1)
        #expect(network.largestLinkCount <= 16)
    }

    @Test("Node ids that change leave all links as they were", arguments: [2, 12])
    func nodeIDs(count: Int) {
        var configuration = Self.still()
        configuration.nodeIDLife = .seconds(60) ... .seconds(120)
        let hosts = Array(repeating: [0, 1], count: count)
        let network = DiscoveryNetwork(segmentsOf: hosts, configuration: configuration, seed: 3)
        network.run(for: .seconds(10))
        let dials = network.dialCount
        let links = network.linkCounts
        network.run(for: .seconds(240))
        #expect(network.dialCount == dials)
        #expect(network.linkCounts == links)
        #expect(network.renameCount >= 2 * count)
        #expect(network.hosts.allSatisfy { $0.neighbours.count == 2 * (count - 1) })
    }

    @Test("Node ids that change while beacons are lost leave one component and no storm of dials")
    func nodeIDsAtLoss() {
        var configuration = Self.still()
        configuration.nodeIDLife = .seconds(60) ... .seconds(120)
        let hosts = Array(repeating: [0], count: 20)
        let network = DiscoveryNetwork(segmentsOf: hosts, configuration: configuration, loss: 0.3, seed: 5)
        network.run(for: .seconds(20))
        let dials = network.dialCount
        network.run(for: .seconds(300))
        #expect(network.componentCount == 1)
        #expect(network.largestLinkCount <= 16)
        #expect(network.dialCount - dials <= network.renameCount)
    }

    @Test("The same seed gives the same links")
    func repeatable() {
        func trace() -> [Int] {
            let network = DiscoveryNetwork(segmentsOf: Self.barbell, loss: 0.1, seed: 9)
            network.run(for: .seconds(2))
            return network.linkCounts + [network.dialCount] + network.beaconCounts
        }
        #expect(trace() == trace())
    }
}
