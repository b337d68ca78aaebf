import MeshCore
import MeshSimulation
import Testing

/// Tests of the traffic of idle nodes; one address family is simulated, and the beacons of the other are added.
@Suite("Bars of idle nodes")
struct BarsIdleTests {
    /// The sizes of the IPv4 header and of the IPv6 header, each with the UDP header.
    ///
    /// Units: bytes.
    private static let headers = (v4: 28, v6: 48)

    /// Returns the traffic that each host of an idle mesh sends, in whole IP packets, with links over IPv6.
    ///
    /// Units: bytes per second.
    private static func rates(of net: inout SimNet, over duration: Duration) -> [Double] {
        net.run(for: .seconds(120))
        let before = net.hostNumbers.map { net.sentTraffic(of: $0) }
        net.run(for: duration)
        return net.hostNumbers.map { host in
            let sent = net.sentTraffic(of: host) - before[host]
            let beacons = 2 * sent.beaconByteCount + sent.beaconCount * (headers.v4 + headers.v6)
            let links = sent.linkByteCount + sent.linkDatagramCount * headers.v6
            return Double(beacons + links) / Double(duration.components.seconds)
        }
    }

    @Test("Two idle nodes send less than 40 bytes a second each", arguments: 1...5)
    func pair(seed: UInt64) {
        var net = SimNet.linked(.clique(2), seed: seed)
        let rates = Self.rates(of: &net, over: .seconds(600))
        #expect(rates.allSatisfy { $0 < 40 })
        print("FIGURE idle with 1 link: \(rates) B/s")
    }

    @Test("Thirteen idle nodes with twelve links each send less than 150 bytes a second each", arguments: 1...3)
    func twelve(seed: UInt64) {
        var configuration = MeshConfiguration.simulated
        // Every node links to every other, and no node looks for better links.
        configuration.discovery.fullMeshLimit = 12
        var net = SimNet.linked(.clique(13), seed: seed, configuration: configuration)
        let rates = Self.rates(of: &net, over: .seconds(300))
        #expect(net.neighbourhoods.allSatisfy { $0.count == 12 })
        #expect(rates.allSatisfy { $0 < 150 })
        print("FIGURE idle with 12 links: \(rates.map { Int($0) }) B/s")
    }
}
