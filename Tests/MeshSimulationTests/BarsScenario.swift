import Foundation
import MeshCore
import MeshSimulation

extension SimLinks {
    /// A mesh whose tree has taken shape: some envelopes have gone by, and are not counted.
    static func warm(
        _ overlay: SimOverlay,
        seed: UInt64,
        loss: Double = 0,
        envelopes: Int = 10,
        configuration: MeshConfiguration = MeshConfiguration()
    ) -> SimLinks {
        var net = SimLinks(overlay, seed: seed, quality: SimLinkQuality(loss: loss), configuration: configuration)
        net.write(envelopes, first: 1_000_000, every: .milliseconds(300))
        net.run(for: .seconds(1))
        net.forgetCounts()
        return net
    }

    /// Lets hosts all over the mesh write one envelope after another.
    mutating func write(_ count: Int, first: Int = 0, every interval: Duration) {
        for number in first..<(first + count) {
            // A stride prime to the number of hosts: far from each other, and in the end everybody.
            submit(body: SimNet.body(number), from: number * 617 % hostNumbers.count)
            run(for: interval)
        }
    }

    /// The spreads since `first` that did not come exactly once to everybody else.
    func incomplete(from first: Int) -> [Int] {
        spreads.indices.dropFirst(first).filter { spreads[$0].arrivalCount != hostNumbers.count - 1 }
    }
}

/// The meshes that the bars are measured on, made once.
enum BarsMesh {
    /// A thousand hosts strewn over a square, each hearing twelve others.
    static let thousand = SimOverlay(.randomGeometric(1_000, degree: 12, seed: 12), seed: 1)

    /// Whether the environment asks for the long runs.
    static let isFull = ProcessInfo.processInfo.environment["EARSHOT_FULL_BARS"] != nil
}
