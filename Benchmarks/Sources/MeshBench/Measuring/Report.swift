/// The measurements of one run of two or more nodes, as `mesh-bench` prints them.
struct Report: Codable, Sendable {
    /// The command and its options.
    var command: String
    var machine = Machine.current
    /// The level of the measurement: `mesh` or `chat`.
    let level: String
    /// The place of the ends' state: `memory`, `disk`, or `none` for a bare mesh.
    let store: String
    var relayCount = 0
    var receiverCount = 1
    /// The time from a node's start until its first link is up; its peers run already.
    let startToLink: Spread
    /// The time from a node's start until every receiver has confirmed its first message; the ends do not know each
    /// other.
    let startToFirstMessage: Spread
    /// The round trip of a message of 100 B to the first receiver's program and that program's answer.
    let roundTrip: Spread?
    /// The time from sending a lone message of 100 B on an idle link to the author's delivery event; nil for a bare
    /// mesh.
    let confirmation: Spread?
    let messages: [Throughput]
    /// The transfer of a large file to the first receiver; nil for a bare mesh, which has no files.
    let bulk: FileThroughput?
    /// The throughput of the largest messages.
    let bulkByMessages: Throughput?
    /// The throughput of payloads along a path to the first receiver; large objects use these.
    let payloads: [Throughput]
    /// The idle traffic; nil on loopback, whose counters include other programs' traffic.
    let idle: Idleness?
    let sender: ProcessUsage
    var receivers: [ProcessUsage] = []
    var relays: [ProcessUsage] = []

    private enum CodingKeys: String, CodingKey {
        case command, machine, level, store, relayCount, receiverCount, startToLink, startToFirstMessage, roundTrip
        case confirmation, messages, bulk, bulkByMessages, payloads, idle, sender, receivers, relays
    }

    /// Writes a missing figure as null, so that readers see that it is missing.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(command, forKey: .command)
        try container.encode(machine, forKey: .machine)
        try container.encode(level, forKey: .level)
        try container.encode(store, forKey: .store)
        try container.encode(relayCount, forKey: .relayCount)
        try container.encode(receiverCount, forKey: .receiverCount)
        try container.encode(startToLink, forKey: .startToLink)
        try container.encode(startToFirstMessage, forKey: .startToFirstMessage)
        try container.encode(roundTrip, forKey: .roundTrip)
        try container.encode(confirmation, forKey: .confirmation)
        try container.encode(messages, forKey: .messages)
        try container.encode(bulk, forKey: .bulk)
        try container.encode(bulkByMessages, forKey: .bulkByMessages)
        try container.encode(payloads, forKey: .payloads)
        try container.encode(idle, forKey: .idle)
        try container.encode(sender, forKey: .sender)
        try container.encode(receivers, forKey: .receivers)
        try container.encode(relays, forKey: .relays)
    }
}
