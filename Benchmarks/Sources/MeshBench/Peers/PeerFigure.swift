/// A figure that is measured of every peer that has it.
enum PeerFigure: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Units: milliseconds; from the start of a node, its peer running, to its first message confirmed.
    case firstMessage
    /// Units: milliseconds; the median of round trips of 100 B.
    case roundTrip
    /// Units: milliseconds; the 99th percentile.
    case roundTripP99
    /// Units: messages of 100 B a second, confirmed by the receiver.
    case messages
    /// Units: messages of 100 B a second, confirmed by all receivers of a group.
    case group
    /// Units: millions of bytes a second.
    case file
    /// Units: millions of bytes resident in the sending process after an idle time.
    case memory
    /// Units: bytes a second, sent and received.
    case idle

    /// The head of its column.
    var title: String {
        switch self {
        case .firstMessage: "first message, ms"
        case .roundTrip: "round trip p50, ms"
        case .roundTripP99: "round trip p99, ms"
        case .messages: "100 B, 1/s"
        case .group: "100 B to ten, 1/s"
        case .file: "file, MB/s"
        case .memory: "resident, MB"
        case .idle: "idle, B/s"
        }
    }

    /// Whether more is better.
    var isRate: Bool {
        switch self {
        case .messages, .group, .file: true
        case .firstMessage, .roundTrip, .roundTripP99, .memory, .idle: false
        }
    }
}

/// The median and the ends of a few values, one from each round.
struct PeerSpread: Codable, Sendable {
    let median: Double
    let least: Double
    let most: Double

    /// Sums up values; nil if there are none.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        least = first
        most = last
    }
}
