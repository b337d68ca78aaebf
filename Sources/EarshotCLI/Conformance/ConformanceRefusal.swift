import EarshotRPC

/// A kind of input that the node drops, and the reason in words for the author of another implementation.
struct ConformanceRefusal: Hashable, Sendable {
    let metric: String
    /// The class of the metric; nil for a metric without classes.
    let reason: String?
    let words: String

    /// The refusals that the other side is at fault for.
    ///
    /// A repeated, expired or late packet is none: every mesh has them.
    static let all: [ConformanceRefusal] = [
        drop("malformedDatagram", "a datagram of no known type, or with a wrong length (PROTOCOL §3)"),
        drop("foreignBeacon", "a malformed beacon, or one of another version, network or address (§4)"),
        drop("beaconRate", "beacons faster than a neighbour may send them (§4)"),
        drop("handshakeRefused", "a handshake that does not authenticate, or of another key than the node id's (§3)"),
        drop("handshakeLimited", "handshakes faster than one address may begin them (§3)"),
        drop("unauthenticated", "a data packet of no link, or that does not authenticate (§3)"),
        drop("malformedFrame", "malformed frames in an authenticated packet (§3)"),
        drop("reassemblyLimit", "a message in more pieces than a link may have under way (§3)"),
        drop("malformedMessage", "an envelope or a message about stores that does not decode (§2 and §5)"),
        drop("limited", "envelopes, comparisons or statuses faster than one link may send them (§3 and §5)"),
        ConformanceRefusal(
            metric: "chat_contents_refused_total",
            reason: nil,
            words: "a content that is malformed or exceeds a limit (§10)"
        ),
        ConformanceRefusal(
            metric: "chat_history_refused_total",
            reason: nil,
            words: "a record of earlier messages that may not be told (§16.6)"
        ),
    ]

    private static func drop(_ reason: String, _ words: String) -> ConformanceRefusal {
        ConformanceRefusal(metric: "mesh_drops_total", reason: reason, words: words)
    }

    /// The number of times that the node has refused such input.
    func count(in metrics: MetricsReply) -> Int {
        switch (metrics.values[metric], reason) {
        case (.number(let value), nil): Int(value)
        case (.numbers(let values), let reason?): Int(values[reason] ?? 0)
        default: 0
        }
    }
}
