import MeshSimulation
import Testing

extension NamedScenario {
    /// Runs the scenario with a name, with a seed and perhaps another number of hosts, and prints its figures.
    static func run(_ name: String, seed: UInt64 = 1, nodeCount: Int? = nil) throws -> ScenarioResult {
        var settings = ScenarioSettings()
        (settings.seed, settings.nodeCount) = (seed, nodeCount)
        let result = try #require(NamedScenario(name)).scenario(settings).run()
        print("FIGURE \(name) \(seed): \(result.figures)")
        return result
    }
}
