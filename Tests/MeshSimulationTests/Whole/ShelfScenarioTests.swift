import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Meshes whose stores are full")
struct ShelfScenarioTests {
    @Test("Hosts that come back get the mail that lies on the shelves of others", arguments: [1, 2] as [UInt64])
    func back(seed: UInt64) throws {
        var settings = ScenarioSettings()
        (settings.seed, settings.nodeCount, settings.messageCount) = (seed, 60, 40)
        let scenario = try #require(NamedScenario("shelf-return")).scenario(settings)
        let run = try FinishedRun.of(scenario)
        print("FIGURE hosts that come back: \(run.figures)")
        #expect(try #require(run.figures[.returned]) >= 0.975)
        // Their own shelves cover a part of it only.
        let depths = run.currentShelves.compactMap { $0?.depth }.sorted()
        #expect(depths.count == 60 && depths[depths.count / 2] >= 2)
    }

    @Test("Each store keeps its part of what is more than one can hold", arguments: [1, 2] as [UInt64])
    func load(seed: UInt64) throws {
        let figures = try NamedScenario.run("shelf-load", seed: seed, nodeCount: 60).figures
        #expect(try #require(figures[.heldMessages]) >= 0.99)
        #expect(try #require(figures[.restDatagrams]) <= 5)
        // Stores hold a third of all.
        let copies = try #require(figures[.heldCopies])
        #expect(copies > 1.0 / 3 / 2.5 && copies < 1.0 / 3 * 2.5)
    }

    @Test("Copies grow back while hosts are replaced by others with empty stores")
    func churn() throws {
        var settings = ScenarioSettings()
        (settings.nodeCount, settings.messageCount) = (60, 160)
        var scenario = try #require(NamedScenario("shelf-churn")).scenario(settings)
        let start = try #require(scenario.events.first).at
        for index in scenario.events.indices {
            scenario.events[index].at = start + (scenario.events[index].at - start) / 10
        }
        let result = scenario.run()
        print("FIGURE hosts that are replaced: \(result.figures)")
        #expect(scenario.events.count == 60 && result.crashedHosts.isEmpty)
        #expect(try #require(result.figures[.heldMessages]) >= 0.99)
    }

    @Test("A host that slept gets the mail that lies on the shelves of others")
    func slept() throws {
        var configuration = MeshConfiguration.simulated
        configuration.store = NamedScenario.stores(40)
        var net = SimNet(.clique(40), seed: 3, configuration: configuration)
        net.watch.deliveries = []
        net.startAll()
        net.run(for: .seconds(20))
        var number = 0
        func write(_ count: Int) {
            for _ in 0..<count {
                net.submit(body: SimNet.body(number), from: number % 39)
                number += 1
                net.run(for: .milliseconds(100))
            }
        }
        write(80)
        // At first all have come: their reading is over then.
        net.run(for: .seconds(700))
        net.sleep(39)
        net.run(for: .seconds(300))
        write(80)
        net.run(for: .seconds(200))
        _ = net.watch.takeDeliveries()
        net.wake(39)
        net.run(for: .seconds(90))
        let arrived = Set(net.watch.takeDeliveries().filter { $0.host == 39 }.map(\.id))
        #expect(arrived.count == 80)
    }
}
