import Earshot
import GatewayCore

/// The figures of a node's hubs, in the form that monitoring programs take; they name hubs and no mailbox.
enum HubMetrics {
    /// Returns the metrics of hubs, each with its state and its counters.
    static func metrics(of hubs: [(status: HubStatus, counters: HubCounters)]) -> [Metric] {
        guard !hubs.isEmpty else { return [] }
        func values(
            _ name: String,
            _ kind: Metric.Kind,
            _ help: String,
            _ value: (HubStatus, HubCounters) -> Double?
        ) -> Metric {
            let samples = hubs.compactMap { hub in
                value(hub.status, hub.counters).map { Metric.Sample(hub.status.host, $0) }
            }
            return Metric("hub_" + name, kind, help, by: "hub", samples)
        }
        func counter(_ name: String, _ help: String, _ path: KeyPath<HubCounters, Int>) -> Metric {
            values(name + "_total", .counter, help) { Double($1[keyPath: path]) }
        }
        return [
            values("connected", .gauge, "Whether mail is exchanged with the hub.") { status, _ in
                status.state == .live || status.state == .catchingUp ? 1 : 0
            },
            values("rtt_seconds", .gauge, "The time from a message to its acknowledgement.") { status, _ in status.rtt
            },
            values("tags", .gauge, "Mailboxes that nodes of this mesh watch.") { status, _ in Double(status.tags) },
            values("waiting", .gauge, "Envelopes that wait for the hub.") { status, _ in
                status.waiting.map(Double.init)
            },
            counter("published", "Envelopes that the hub acknowledged as new.", \.published),
            counter("duplicates", "Envelopes that the hub had.", \.duplicates),
            counter("refused", "Envelopes that the hub refused.", \.refused),
            counter("timeouts", "Questions that the hub did not answer.", \.timeouts),
            counter("fetched", "Envelopes that came from the hub.", \.fetched),
            counter("dropped", "Messages of the hub that were of no use, or beyond a rate.", \.dropped),
            counter("reconnects", "Connections after the first.", \.reconnects),
            counter("losses", "Times that the hub had lost mail.", \.lost),
        ]
    }
}
