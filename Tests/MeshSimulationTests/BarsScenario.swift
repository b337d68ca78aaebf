import Foundation
import MeshSimulation

/// The meshes that the bars are measured on.
enum BarsMesh {
    /// A thousand hosts strewn over a square, each hearing twelve others on average.
    static let thousand = SimOverlay(.randomGeometric(1_000, degree: 12, seed: 1), seed: 1)

    /// Whether the environment asks for the long runs: `EARSHOT_FULL_BARS=1`, best with a release build.
    static let isFull = ProcessInfo.processInfo.environment["EARSHOT_FULL_BARS"] != nil

    /// A scenario that has a name, as the command `earshot simulate` runs it.
    static func run(
        _ name: NamedScenario,
        nodes: Int,
        loss: Double = 0,
        seed: UInt64 = 1,
        messages: Int
    ) throws -> ScenarioResult {
        var settings = ScenarioSettings()
        settings.nodeCount = nodes
        settings.loss = loss
        settings.seed = seed
        settings.messageCount = messages
        return try name.scenario(settings).run()
    }
}

extension ScenarioResult {
    /// How many messages came to each host but the author exactly once.
    var completeCount: Int {
        messages.count { message in
            let others = (0..<scenario.topology.hostCount).filter { $0 != message.author }
            return message.arrivals.map(\.host).sorted() == others
        }
    }
}
