import MeshCore

/// The names and descriptions of a node's metrics.
enum MeshMetrics {
    /// Returns all metrics of a node, in a fixed order; every class is there from the start, at zero.
    static func all(
        _ snapshot: MeshSnapshot,
        _ sockets: SocketStatistics,
        _ log: StoreLogStatistics
    ) -> [Metric] {
        links(snapshot) + measurements(snapshot) + envelopes(snapshot) + spreading(snapshot.counters)
            + store(snapshot, log) + paths(snapshot) + datagrams(sockets)
    }

    private static func links(_ snapshot: MeshSnapshot) -> [Metric] {
        let (counters, drops) = (snapshot.counters, snapshot.drops)
        let up = snapshot.links.count - snapshot.suspectLinkCount
        return [
            gauge(
                "mesh_links",
                "Links to neighbours; a suspect one has been silent for a while.",
                by: "state",
                [("up", up), ("suspect", snapshot.suspectLinkCount)]
            ),
            gauge("mesh_neighbours", "Nodes heard by discovery.", snapshot.neighbours.count),
            counter(
                "mesh_handshakes_total",
                "Results of handshakes: a link, a dial without answer, or a refused message.",
                by: "result",
                [
                    ("linked", counters.linksUp), ("unanswered", counters.failedDials),
                    ("refused", drops[.handshakeRefused] ?? 0), ("limited", drops[.handshakeLimited] ?? 0),
                ]
            ),
            counter(
                "mesh_links_ended_total",
                "Links that ended.",
                by: "reason",
                LinkCloseReason.allCases.map { ("\($0)", counters.linksEnded[$0] ?? 0) }
            ),
            bytes("mesh_tx_bytes_total", "Bytes of messages that links accepted for sending.", counters.sentByteCounts),
            bytes("mesh_rx_bytes_total", "Bytes of messages that arrived by links.", counters.receivedByteCounts),
        ]
    }

    /// Returns the measurements of the links that are up, as three values each; the number of values thus reveals
    /// nothing about a single link.
    private static func measurements(_ snapshot: MeshSnapshot) -> [Metric] {
        let roundTrips = snapshot.links.compactMap(\.roundTrip)
        return [
            spread("mesh_rtt_seconds", "Round trips of the links.", roundTrips.map(\.inSeconds)),
            spread("mesh_loss_ratio", "The part of the links' packets that is lost.", snapshot.links.map(\.loss)),
            spread(
                "mesh_link_rate_bytes",
                "Measured throughput of the links in bytes per second.",
                snapshot.links.compactMap(\.rate).map(Double.init)
            ),
            spread(
                "mesh_discovery_seconds",
                "Time from a neighbour's first beacon to the link with it.",
                snapshot.discoveryTimes.map(\.inSeconds)
            ),
        ]
    }

    private static func envelopes(_ snapshot: MeshSnapshot) -> [Metric] {
        let (counters, drops) = (snapshot.counters, snapshot.drops)
        let relayed = Double(counters.relayedCopies)
        return [
            counter(
                "mesh_envelopes_total",
                "Results of arrived envelopes.",
                by: "result",
                [
                    ("new", counters.newEnvelopes), ("duplicate", drops[.duplicate] ?? 0),
                    ("expired", drops[.expired] ?? 0), ("limited", drops[.limited] ?? 0),
                    ("invalid", drops[.malformedMessage] ?? 0),
                ]
            ),
            counter(
                "mesh_envelopes_relayed_total",
                "Copies of others' envelopes that were forwarded.",
                counters.relayedCopies
            ),
            Metric(
                "mesh_relay_tx_per_new",
                .gauge,
                "Copies forwarded for each envelope that was new here.",
                counters.newEnvelopes == 0 ? 0 : relayed / Double(counters.newEnvelopes)
            ),
            counter(
                "mesh_drops_total",
                "Dropped input, by reason.",
                by: "reason",
                DropReason.allCases.map { ($0.rawValue, drops[$0] ?? 0) }
            ),
        ]
    }

    private static func spreading(_ counters: MeshCounters) -> [Metric] {
        let router = counters.router
        return [
            counter("mesh_grafts_total", "Envelopes that the tree requested from neighbours.", router.grafts),
            counter("mesh_prunes_total", "Requests to a neighbour to only announce envelopes.", router.prunes),
            counter(
                "mesh_recon_total",
                "Comparisons of stores that began here and that failed, symbols read, and envelopes moved.",
                by: "of",
                [
                    ("runs", router.comparisons), ("symbols", router.comparisonSymbols),
                    ("moved", router.comparisonMoves), ("failed", router.failedComparisons),
                ]
            ),
        ]
    }

    private static func store(_ snapshot: MeshSnapshot, _ log: StoreLogStatistics) -> [Metric] {
        [
            gauge("mesh_store_envelopes", "Envelopes in the store.", snapshot.storedCount),
            gauge("mesh_store_bytes", "Bytes of the envelopes in the store.", snapshot.storedByteCount),
            counter(
                "mesh_store_evicted_total",
                "Envelopes dropped for lack of room.",
                snapshot.counters.evictedEnvelopes
            ),
            counter(
                "mesh_released_total",
                "Envelopes dropped because they arrived.",
                snapshot.counters.releasedEnvelopes
            ),
            gauge("mesh_store_log_bytes", "Bytes of the store's log on disk.", log.byteCount),
            counter("mesh_store_log_rewrites_total", "Rewrites of the log.", log.rewrites),
            counter(
                "mesh_store_log_failures_total",
                "Failed writes of the log.",
                log.failures
            ),
        ]
    }

    private static func paths(_ snapshot: MeshSnapshot) -> [Metric] {
        [
            gauge("mesh_paths", "Paths through this node or with an end at it.", snapshot.openPathCount),
            counter(
                "mesh_paths_lost_total",
                "Losses of paths in use.",
                snapshot.counters.lostPaths
            ),
            counter(
                "mesh_live_datagrams_total",
                "Live datagrams on links.",
                by: "way",
                [("sent", snapshot.counters.sentLive), ("received", snapshot.counters.receivedLive)]
            ),
        ]
    }

    private static func datagrams(_ sockets: SocketStatistics) -> [Metric] {
        [
            counter("mesh_datagrams_sent_total", "Datagrams passed to the system.", sockets.sent),
            counter("mesh_datagrams_received_total", "Datagrams that arrived.", sockets.received),
            counter(
                "mesh_datagrams_dropped_total",
                "Datagrams that no socket accepted, or that arrived while the program was behind.",
                by: "reason",
                [("unsendable", sockets.unsendable), ("consumer", sockets.droppedForConsumer)]
            ),
            counter(
                "mesh_socket_reopens_total",
                "Failures after which an interface's sockets were opened again.",
                sockets.reopenings
            ),
        ]
    }

    // MARK: - Words

    private static func gauge(_ name: String, _ help: String, _ value: Int) -> Metric {
        Metric(name, .gauge, help, Double(value))
    }

    private static func gauge(_ name: String, _ help: String, by label: String, _ values: [(String, Int)]) -> Metric {
        Metric(name, .gauge, help, by: label, values.map { .init($0.0, Double($0.1)) })
    }

    private static func counter(_ name: String, _ help: String, _ value: Int) -> Metric {
        Metric(name, .counter, help, Double(value))
    }

    private static func counter(
        _ name: String,
        _ help: String,
        by label: String,
        _ values: [(String, Int)]
    ) -> Metric {
        Metric(name, .counter, help, by: label, values.map { .init($0.0, Double($0.1)) })
    }

    private static func bytes(_ name: String, _ help: String, _ counts: [Lane: Int]) -> Metric {
        counter(name, help, by: "lane", Lane.allCases.map { ("\($0)", counts[$0] ?? 0) })
    }

    /// Returns the least, the median and the most of the links' measurements; zeros if there are none.
    private static func spread(_ name: String, _ help: String, _ values: [Double]) -> Metric {
        let sorted = values.sorted()
        let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        let figures = [("least", sorted.first ?? 0), ("median", median), ("most", sorted.last ?? 0)]
        return Metric(name, .gauge, help, by: "of", figures.map { .init($0.0, $0.1) })
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
