import Earshot
import EarshotRPC
import Testing

@Suite("Prometheus text")
struct PrometheusTextTests {
    @Test("Figures are written with help, type and classes")
    func text() {
        let text = PrometheusText.encode([
            Metric("mesh_neighbours", .gauge, "Nodes heard.", 3),
            Metric("mesh_drops_total", .counter, "Drops.", by: "reason", [.init("late", 4), .init("odd", 0)]),
            Metric("mesh_rtt_seconds", .gauge, "Round trip.", 0.001_25),
        ])
        #expect(
            text == """
                # HELP mesh_neighbours Nodes heard.
                # TYPE mesh_neighbours gauge
                mesh_neighbours 3
                # HELP mesh_drops_total Drops.
                # TYPE mesh_drops_total counter
                mesh_drops_total{reason="late"} 4
                mesh_drops_total{reason="odd"} 0
                # HELP mesh_rtt_seconds Round trip.
                # TYPE mesh_rtt_seconds gauge
                mesh_rtt_seconds 0.00125

                """
        )
    }

    @Test("What would break a line is escaped, and a strict reader takes it")
    func escaping() throws {
        let metric = Metric("odd", .gauge, "A \\ and\na line.", by: "class", [.init("a\"b\\c\nd", 1e300)])
        let families = try PrometheusParser(PrometheusText.encode([metric])).families
        #expect(families["odd"]?.help == #"A \\ and\na line."#)
        #expect(families["odd"]?.samples == [#"class="a\"b\\c\nd""#: 1e300])
    }

    @Test(
        "The strict reader refuses what is not the format",
        arguments: [
            "x 1\n", "# HELP x Help.\nx 1\n", "# HELP x Help.\n# TYPE x gauge\n",
            "# HELP x Help.\n# TYPE x gauge\nx 1", "# HELP x Help.\n# TYPE x gauge\nx 1\nx 2\n",
            "# HELP x_total Help.\n# TYPE x_total gauge\nx_total 1\n",
            "# HELP x Help.\n# TYPE x gauge\nx{1=\"a\"} 1\n", "# HELP x Help.\n# TYPE x gauge\nx one\n",
        ]
    )
    func refusals(text: String) {
        #expect(throws: PrometheusParser.Failure.self) { try PrometheusParser(text) }
    }
}
