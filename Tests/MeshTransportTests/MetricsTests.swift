import MeshCore
import MetricsTestKit
import Testing

@testable import MeshTransport

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test("Traffic shows in the figures")
    func traffic() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let (left, right) = (TestNode(configuration), TestNode(configuration))
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            try await right.linked(to: left.id)
            let id = await left.submit([1, 2, 3])
            try await right.received([1, 2, 3])
            try await left.outputs.wait { $0.contains(.carried(id)) }
            let (sending, receiving) = (await left.node.metrics(), await right.node.metrics())
            #expect(sending.value("mesh_links", "up") == 1)
            #expect(sending.value("mesh_links_up_total") == 1)
            #expect(sending.value("mesh_neighbours") ?? 0 >= 1)
            #expect(sending.value("mesh_tx_bytes_total", "interactive") == 7)
            #expect(sending.value("mesh_rx_bytes_total", "interactive") == 0)
            #expect(receiving.value("mesh_rx_bytes_total", "interactive") == 7)
            #expect(receiving.value("mesh_envelopes_total", "new") == 1)
            #expect(sending.value("mesh_envelopes_total", "new") == 0)
            #expect(sending.value("mesh_rtt_seconds") ?? 0 > 0)
            #expect(sending.value("mesh_datagrams_sent_total") ?? 0 > 0)
            #expect(receiving.value("mesh_datagrams_received_total") ?? 0 > 0)
        }
    }

    @Test("Every figure has a name of its own and every class is there, whether anything has happened or not")
    func names() async throws {
        let metrics = await TestNode(try await .loopback([.unused()])).node.metrics()
        #expect(Set(metrics.map(\.name)).count == metrics.count)
        #expect(metrics.allSatisfy { $0.name.hasSuffix("_total") == ($0.kind == .counter) })
        let drops = metrics.first { $0.name == "mesh_drops_total" }
        #expect(drops?.samples.map(\.label) == DropReason.allCases.map(\.rawValue))
        #expect(metrics.flatMap(\.samples).allSatisfy { $0.value == 0 })
    }

    @Test("A counter is told what came on top, a gauge how it is")
    func reporter() throws {
        let factory = TestMetrics()
        var reporter = MetricsReporter(factory: factory)
        for (count, state) in [(3.0, 1.0), (3, 0), (8, 2)] {
            reporter.report([
                Metric("drops_total", .counter, "Drops.", by: "reason", [.init("late", count), .init("odd", 0)]),
                Metric("links", .gauge, "Links.", state),
            ])
        }
        #expect(try factory.expectCounter("drops_total", [("reason", "late")]).values == [3, 0, 5])
        #expect(try factory.expectCounter("drops_total", [("reason", "odd")]).values == [0, 0, 0])
        #expect(try factory.expectMeter("links").values == [1, 0, 2])
    }

    @Test("A running node reports to the factory it was given")
    func running() async throws {
        let factory = TestMetrics()
        var configuration = try await MeshNode.Configuration.loopback([.unused()])
        configuration.metricsFactory = factory
        let node = TestNode(configuration)
        try await withRunning([node]) {}
        #expect(throws: Never.self) { try factory.expectMeter("mesh_neighbours") }
    }
}

extension [Metric] {
    /// The figure of this name, of one of its classes if it has any.
    fileprivate func value(_ name: String, _ label: String? = nil) -> Double? {
        first { $0.name == name }?.samples.first { $0.label == label }?.value
    }
}
