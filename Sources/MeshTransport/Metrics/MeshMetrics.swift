import MeshCore

/// Says what a node's numbers are called outside.
enum MeshMetrics {
    /// All figures of a node, in a fixed order; every class is there from the start, at zero.
    static func all(_ snapshot: MeshSnapshot, _ sockets: SocketStatistics) -> [Metric] {
        links(snapshot) + envelopes(snapshot) + datagrams(sockets)
    }

    private static func links(_ snapshot: MeshSnapshot) -> [Metric] {
        let counters = snapshot.counters
        let up = snapshot.links.count - snapshot.suspectLinkCount
        return [
            Metric(
                "mesh_links",
                .gauge,
                "Links to neighbours; a suspect one has been silent for a while.",
                by: "state",
                [.init("up", Double(up)), .init("suspect", Double(snapshot.suspectLinkCount))]
            ),
            Metric("mesh_neighbours", .gauge, "Nodes heard by discovery.", Double(snapshot.neighbours.count)),
            Metric("mesh_links_up_total", .counter, "Links that came up.", Double(counters.linksUp)),
            Metric(
                "mesh_links_ended_total",
                .counter,
                "Links that ended.",
                by: "reason",
                LinkEnd.allCases.map { .init("\($0)", Double(counters.linksEnded[$0] ?? 0)) }
            ),
            Metric("mesh_dials_failed_total", .counter, "Dials without answer.", Double(counters.failedDials)),
            Metric("mesh_rtt_seconds", .gauge, "The median of the links' round trips.", medianRoundTrip(snapshot)),
            bytes("mesh_tx_bytes_total", "Bytes of messages that links took to be sent.", counters.sentByteCounts),
            bytes("mesh_rx_bytes_total", "Bytes of messages that came by links.", counters.receivedByteCounts),
            Metric(
                "mesh_component_changes_total",
                .counter,
                "Times that the component got another root.",
                Double(counters.componentChanges)
            ),
        ]
    }

    private static func envelopes(_ snapshot: MeshSnapshot) -> [Metric] {
        let drops = snapshot.drops
        let results: [(String, Int?)] = [
            ("new", snapshot.counters.newEnvelopes), ("duplicate", drops[.duplicate]), ("expired", drops[.expired]),
            ("limited", drops[.limited]), ("invalid", drops[.malformedMessage]),
        ]
        return [
            Metric(
                "mesh_envelopes_total",
                .counter,
                "What became of the envelopes that came.",
                by: "result",
                results.map { .init($0.0, Double($0.1 ?? 0)) }
            ),
            Metric("mesh_store_envelopes", .gauge, "Envelopes held.", Double(snapshot.storedCount)),
            Metric("mesh_store_bytes", .gauge, "Bytes of the envelopes held.", Double(snapshot.storedByteCount)),
            Metric(
                "mesh_drops_total",
                .counter,
                "What was dropped.",
                by: "reason",
                DropReason.allCases.map { .init($0.rawValue, Double(drops[$0] ?? 0)) }
            ),
        ]
    }

    private static func datagrams(_ sockets: SocketStatistics) -> [Metric] {
        [
            Metric("mesh_datagrams_sent_total", .counter, "Datagrams handed to the system.", Double(sockets.sent)),
            Metric("mesh_datagrams_received_total", .counter, "Datagrams that came.", Double(sockets.received)),
            Metric(
                "mesh_datagrams_dropped_total",
                .counter,
                "Datagrams that no socket took, or that came while the program was behind.",
                by: "reason",
                [
                    .init("unsendable", Double(sockets.unsendable)),
                    .init("consumer", Double(sockets.droppedForConsumer)),
                ]
            ),
            Metric(
                "mesh_socket_reopens_total",
                .counter,
                "Times that an interface's sockets failed and were opened again.",
                Double(sockets.reopenings)
            ),
        ]
    }

    private static func bytes(_ name: String, _ help: String, _ counts: [Lane: Int]) -> Metric {
        let samples = Lane.allCases.map { Metric.Sample("\($0)", Double(counts[$0] ?? 0)) }
        return Metric(name, .counter, help, by: "lane", samples)
    }

    /// Zero as long as no link has measured one.
    private static func medianRoundTrip(_ snapshot: MeshSnapshot) -> Double {
        let roundTrips = snapshot.links.compactMap(\.roundTrip).sorted()
        guard !roundTrips.isEmpty else { return 0 }
        return Double(roundTrips[roundTrips.count / 2].wholeNanoseconds) / 1e9
    }
}
