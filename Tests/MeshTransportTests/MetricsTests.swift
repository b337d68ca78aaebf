import MetricsTestKit
import Testing

@testable import MeshCore
@testable import MeshTransport

@Suite("Metrics", .timeLimit(.minutes(30)))
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
            // Dials that cross make two links for a short time.
            let linked = try #require(sending.value("mesh_handshakes_total", "linked"))
            #expect([1, 2].contains(linked))
            #expect(linked == 2 || sending.value("mesh_discovery_seconds", "most") ?? 0 > 0)
            #expect(sending.value("mesh_neighbours") ?? 0 >= 1)
            // The second link resends the bytes that were unacknowledged on the first when it was replaced.
            let sentByteCount = try #require(sending.value("mesh_tx_bytes_total", "interactive"))
            #expect(sentByteCount == 6 || linked == 2 && sentByteCount == 12)
            #expect(sending.value("mesh_rx_bytes_total", "interactive") == 0)
            #expect([6, sentByteCount].contains(receiving.value("mesh_rx_bytes_total", "interactive")))
            #expect(receiving.value("mesh_envelopes_total", "new") == 1)
            #expect(sending.value("mesh_envelopes_total", "new") == 0)
            #expect(sending.value("mesh_rtt_seconds", "median") ?? 0 > 0)
            #expect(sending.value("mesh_datagrams_sent_total") ?? 0 > 0)
            #expect(receiving.value("mesh_datagrams_received_total") ?? 0 > 0)
        }
    }

    /// The complete list of metric names; monitoring programs rely on it.
    private static let names = [
        "mesh_links", "mesh_neighbours", "mesh_handshakes_total", "mesh_links_ended_total",
        "mesh_tx_bytes_total", "mesh_rx_bytes_total", "mesh_rtt_seconds",
        "mesh_loss_ratio", "mesh_link_rate_bytes", "mesh_discovery_seconds", "mesh_envelopes_total",
        "mesh_envelopes_relayed_total", "mesh_relay_tx_per_new", "mesh_drops_total", "mesh_grafts_total",
        "mesh_prunes_total", "mesh_recon_total", "mesh_store_envelopes", "mesh_store_bytes",
        "mesh_store_evicted_total", "mesh_released_total", "mesh_store_log_bytes", "mesh_store_log_rewrites_total",
        "mesh_store_log_failures_total", "mesh_paths", "mesh_paths_lost_total", "mesh_live_datagrams_total",
        "mesh_datagrams_sent_total",
        "mesh_datagrams_received_total", "mesh_datagrams_dropped_total", "mesh_socket_reopens_total",
    ]

    @Test("Every figure has a name of its own and every class is there, whether anything has happened or not")
    func names() async throws {
        let metrics = await TestNode(try await .loopback([.unused()])).node.metrics()
        #expect(metrics.map(\.name) == Self.names)
        #expect(Set(Self.names).count == Self.names.count)
        #expect(metrics.allSatisfy { $0.name.hasSuffix("_total") == ($0.kind == .counter) })
        let drops = metrics.first { $0.name == "mesh_drops_total" }
        #expect(drops?.samples.map(\.label) == DropReason.allCases.map(\.rawValue))
        #expect(metrics.flatMap(\.samples).allSatisfy { $0.value == 0 })
    }

    @Test("A relay shows what it passes on, and the paths over it")
    func relaying() async throws {
        let (first, second) = (try await MulticastGroup.unused(), try await MulticastGroup.unused())
        let (left, right) = (TestNode(.loopback([first])), TestNode(.loopback([second])))
        let relay = TestNode(.loopback([first, second]))
        try await withRunning([left, relay, right]) {
            try await left.linked(to: relay.id)
            try await right.linked(to: relay.id)
            await left.submit([1, 2, 3])
            try await right.received([1, 2, 3])
            let label = try #require(await left.node.openPath(hello: [4]))
            try await right.received([4])
            let answer = PathMessage(to: label, from: PathLabel(2), hops: 0, payload: [5])
            await right.node.send(answer)
            try await left.outputs.wait { $0.contains { if case .pathMessage = $0 { true } else { false } } }
            let metrics = await relay.node.metrics()
            #expect(metrics.value("mesh_envelopes_relayed_total") == 2)
            #expect(metrics.value("mesh_relay_tx_per_new") == 1)
            #expect(metrics.value("mesh_paths") == 1)
            #expect(await left.node.metrics().value("mesh_envelopes_relayed_total") == 0)
        }
    }

    @Test("Every count of a node comes out under its own name")
    func mapping() {
        let snapshot = MeshSnapshot(
            nodeID: NodeID(1),
            links: [Self.link(1, .milliseconds(7), loss: 0.5, rate: 300), Self.link(2, nil, loss: 0, rate: nil)],
            suspectLinkCount: 1,
            neighbours: [],
            discoveryTimes: [.milliseconds(30), .milliseconds(10), .milliseconds(20)],
            openPathCount: 20,
            storedCount: 21,
            storedByteCount: 22,
            drops: [.handshakeRefused: 23, .handshakeLimited: 24],
            counters: Self.counters
        )
        let log = StoreLogStatistics(byteCount: 26, rewrites: 27, failures: 28)
        let metrics = MeshMetrics.all(snapshot, SocketStatistics(), log)
        let shown = metrics.flatMap { metric in
            metric.samples.filter { $0.value != 0 }.map { "\(metric.name) \($0.label ?? "") \($0.value)" }
        }
        #expect(
            shown == [
                "mesh_links up 1.0", "mesh_links suspect 1.0", "mesh_handshakes_total linked 1.0",
                "mesh_handshakes_total unanswered 2.0", "mesh_handshakes_total refused 23.0",
                "mesh_handshakes_total limited 24.0",
                "mesh_links_ended_total misbehaved 3.0",
                "mesh_rtt_seconds least 0.007", "mesh_rtt_seconds median 0.007", "mesh_rtt_seconds most 0.007",
                "mesh_loss_ratio median 0.5", "mesh_loss_ratio most 0.5", "mesh_link_rate_bytes least 300.0",
                "mesh_link_rate_bytes median 300.0", "mesh_link_rate_bytes most 300.0",
                "mesh_discovery_seconds least 0.01", "mesh_discovery_seconds median 0.02",
                "mesh_discovery_seconds most 0.03", "mesh_envelopes_total new 5.0",
                "mesh_envelopes_relayed_total  10.0", "mesh_relay_tx_per_new  2.0",
                "mesh_drops_total handshakeRefused 23.0", "mesh_drops_total handshakeLimited 24.0",
                "mesh_grafts_total  14.0", "mesh_prunes_total  15.0",
                "mesh_recon_total runs 16.0", "mesh_recon_total symbols 17.0", "mesh_recon_total moved 18.0",
                "mesh_recon_total failed 19.0", "mesh_store_envelopes  21.0", "mesh_store_bytes  22.0",
                "mesh_store_evicted_total  11.0", "mesh_released_total  12.0", "mesh_store_log_bytes  26.0",
                "mesh_store_log_rewrites_total  27.0", "mesh_store_log_failures_total  28.0", "mesh_paths  20.0",
                "mesh_paths_lost_total  13.0", "mesh_live_datagrams_total sent 29.0",
                "mesh_live_datagrams_total received 30.0",
            ]
        )
    }

    private static var counters: MeshCounters {
        var counters = MeshCounters()
        counters.linksUp = 1
        counters.failedDials = 2
        counters.linksEnded = [.misbehaved: 3]
        counters.newEnvelopes = 5
        counters.relayedCopies = 10
        counters.evictedEnvelopes = 11
        counters.releasedEnvelopes = 12
        counters.lostPaths = 13
        counters.sentLive = 29
        counters.receivedLive = 30
        counters.router.grafts = 14
        counters.router.prunes = 15
        counters.router.comparisons = 16
        counters.router.comparisonSymbols = 17
        counters.router.comparisonMoves = 18
        counters.router.failedComparisons = 19
        return counters
    }

    private static func link(_ number: UInt64, _ roundTrip: Duration?, loss: Double, rate: Int?) -> LinkInfo {
        LinkInfo(
            id: LinkID(number),
            node: NodeID(number),
            endpoint: Endpoint(
                interface: InterfaceID(index: 1, family: .v4),
                address: address([127, 0, 0, 1]),
                port: 1
            ),
            dialledHere: true,
            since: .zero,
            roundTrip: roundTrip,
            loss: loss,
            rate: rate
        )
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
        configuration.otherMetrics = { [Metric("mesh_others", .gauge, "Others.", 3)] }
        let node = TestNode(configuration)
        try await withRunning([node]) {}
        #expect(throws: Never.self) { try factory.expectMeter("mesh_neighbours") }
        #expect(try factory.expectMeter("mesh_others").values.first == 3)
        #expect(await node.node.metrics().last?.name == "mesh_others")
    }
}

extension [Metric] {
    /// Returns the value of the metric with this name, of one of its classes if it has any.
    fileprivate func value(_ name: String, _ label: String? = nil) -> Double? {
        first { $0.name == name }?.samples.first { $0.label == label }?.value
    }
}
