import Foundation
import MeshCore
import MeshSimulation

extension SimLinks {
    /// A mesh whose tree has taken shape: some envelopes have gone by, and are not counted.
    static func warm(
        _ overlay: SimOverlay,
        seed: UInt64,
        loss: Double = 0,
        configuration: MeshConfiguration = MeshConfiguration()
    ) -> SimLinks {
        var net = SimLinks(overlay, seed: seed, quality: SimLinkQuality(loss: loss), configuration: configuration)
        net.write(8, first: 1_000_000, every: .milliseconds(300))
        net.run(for: .seconds(1))
        net.forgetCounts()
        return net
    }

    /// Lets hosts all over the mesh write one envelope after another.
    mutating func write(_ count: Int, first: Int = 0, every interval: Duration) {
        for number in first..<(first + count) {
            // A stride without common divisors with the numbers of hosts used: far from each other, in the end all.
            submit(body: SimNet.body(number), from: number * 617 % hostNumbers.count)
            run(for: interval)
        }
    }

    /// How many of the spreads from `first` on came to each host but the author exactly once.
    func completeCount(from first: Int) -> Int {
        spreads.dropFirst(first).count { $0.arrivalCount == hostNumbers.count - 1 }
    }
}

/// The meshes that the bars are measured on.
enum BarsMesh {
    /// A thousand hosts strewn over a square, each hearing twelve others on average.
    static let thousand = SimOverlay(.randomGeometric(1_000, degree: 12, seed: 1), seed: 1)

    /// Whether the environment asks for the long runs: `EARSHOT_FULL_BARS=1`, best with a release build.
    static let isFull = ProcessInfo.processInfo.environment["EARSHOT_FULL_BARS"] != nil
}
