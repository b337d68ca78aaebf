import Foundation
import MeshSimulation

/// The meshes on which the bars are measured.
enum BarsMesh {
    /// A mesh of a thousand hosts scattered over a square, each with twelve others in range on average.
    static let thousand = SimOverlay(.randomGeometric(1_000, degree: 12, seed: 1), seed: 1)

    /// Whether the environment requests the long runs: `EARSHOT_FULL_BARS=1`, best with a release build.
    static let isFull = ProcessInfo.processInfo.environment["EARSHOT_FULL_BARS"] != nil

    /// Runs a named scenario as the command `earshot simulate` does.
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
    /// The number of messages that reached each host except the author exactly once.
    var completeCount: Int {
        messages.count { message in
            let others = (0..<scenario.topology.hostCount).filter { $0 != message.author }
            return message.arrivals.map(\.host).sorted() == others
        }
    }
}

extension NamedScenario {
    /// The scenarios whose messages go over simulated links.
    static let overLinks = allCases.filter { (try? $0.scenario())?.linking != .whole }
    /// The scenarios of whole nodes.
    static let whole = allCases.filter { !overLinks.contains($0) }
}
