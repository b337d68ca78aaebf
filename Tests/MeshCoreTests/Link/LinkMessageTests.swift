import MeshCore
import Testing

@Suite("Messages on a link")
struct LinkMessageTests {
    @Test(
        "Every message arrives exactly once, whatever the network loses, doubles and reorders",
        arguments: [0.0, 0.1, 0.3],
        [1, 2, 3] as [UInt64]
    )
    func exactlyOnce(loss: Double, seed: UInt64) {
        let conditions = LinkNetwork.Conditions(
            loss: loss,
            duplication: 0.1,
            delay: .milliseconds(2),
            jitter: .milliseconds(3)
        )
        var network = LinkNetwork.linked(seed: seed, conditions: conditions)
        var random = SplitMix64(seed: seed)
        var expected: [[[UInt8]]] = [[], []]
        for index in 0..<60 {
            let size = index % 10 == 0 ? 24 << 10 : Int.random(in: 1...3000, using: &random)
            let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
            let lane = Lane.allCases[index % 4]
            let sender = index % 2
            let isTaken = network.send(message, from: sender, lane: lane, tag: UInt64(index) + 1)
            #expect(isTaken)
            expected[1 - sender].append(message)
            network.run(for: .milliseconds(2))
        }
        network.run(for: .seconds(20)) { network in
            network.log.count { if case .acknowledged = $0.effect { true } else { false } } == 60
        }
        for node in 0...1 {
            #expect(network.messages(at: node).sorted(by: order) == expected[node].sorted(by: order))
        }
        let tags = network.log.compactMap { entry -> UInt64? in
            if case .acknowledged(let tag, _) = entry.effect { tag } else { nil }
        }
        #expect(tags.sorted() == Array(1...60))
        let started = network.log.compactMap { entry -> UInt64? in
            if case .transmitted(let tag, _) = entry.effect { tag } else { nil }
        }
        #expect(started.sorted() == Array(1...60))
        #expect(!network.log.contains { if case .down = $0.effect { true } else { false } })
    }

    private func order(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }
}
