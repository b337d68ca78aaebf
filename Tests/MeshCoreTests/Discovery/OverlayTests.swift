import Testing

@testable import MeshCore

@Suite("Overlay")
struct OverlayTests {
    @Test("A crowd on one segment becomes one component of few links", arguments: [0.0, 0.3])
    func fifty(loss: Double) {
        let network = DiscoveryNetwork(segmentsOf: Array(repeating: [0], count: 50), loss: loss, seed: 1)
        network.run(for: .seconds(3))
        print("50", loss, network.componentCount, network.meanLinkCount, network.largestLinkCount, network.dialCount)
        network.run(for: .seconds(60))
        let before = network.beaconCounts[0]
        network.run(for: .seconds(60))
        print(
            "50",
            loss,
            network.meanLinkCount,
            network.largestLinkCount,
            network.dialCount,
            Double(network.beaconCounts[0] - before) / 60
        )
    }
    @Test("300")
    func crowd() {
        let network = DiscoveryNetwork(segmentsOf: Array(repeating: [0], count: 300), seed: 1)
        network.run(for: .seconds(3))
        print("300", network.componentCount, network.meanLinkCount, network.largestLinkCount, network.dialCount)
        network.run(for: .seconds(60))
        let before = network.beaconCounts[0]
        network.run(for: .seconds(30))
        print(
            "300",
            network.componentCount,
            network.meanLinkCount,
            network.largestLinkCount,
            network.dialCount,
            Double(network.beaconCounts[0] - before) / 30
        )
    }
    @Test("barbell")
    func barbell() {
        for seed in UInt64(1)...5 {
            let network = DiscoveryNetwork(
                segmentsOf: (0..<100).map { host in
                    host == 0 ? [0, 2] : host == 50 ? [1, 2] : [host / 50]
                },
                seed: seed
            )
            for _ in 0..<15 {
                network.run(for: .seconds(1))
                if network.componentCount == 1 { break }
            }
            print(
                "barbell",
                network.now,
                network.componentCount,
                network.meanLinkCount,
                network.largestLinkCount,
                network.dialCount
            )
        }
    }
    @Test("lans")
    func lans() {
        let network = DiscoveryNetwork(
            segmentsOf: (0..<1000).map { host in
                host % 25 == 0 && host > 0 ? [host / 25 - 1, host / 25] : [host / 25]
            },
            seed: 1
        )
        for _ in 0..<15 {
            network.run(for: .seconds(1))
            if network.componentCount == 1 { break }
        }
        print(
            "lans",
            network.now,
            network.componentCount,
            network.meanLinkCount,
            network.largestLinkCount,
            network.dialCount
        )
    }
}
