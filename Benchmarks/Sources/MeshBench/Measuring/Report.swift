/// What one run of two or more nodes measured; this is what `mesh-bench` prints.
struct Report: Codable, Sendable {
    /// The command and its options.
    var command: String
    var machine = Machine.current
    /// What was measured: `mesh` or `chat`.
    let level: String
    /// Where the ends keep their state: `memory`, `disk`, or `none` for a bare mesh.
    let store: String
    var relayCount = 0
    var receiverCount = 1
    /// From a node's start, its peers running, until its first link is up.
    let startToLink: Spread
    /// From a node's start until its first message is confirmed by every receiver; the ends are strangers.
    let startToFirstMessage: Spread
    /// A message of 100 B to the first receiver's program, and that program's answer.
    let roundTrip: Spread?
    /// A lone message of 100 B on an idle link until its author is told that it is delivered; nil for a bare mesh.
    let confirmation: Spread?
    let messages: [Throughput]
    /// A large file to the first receiver; nil for a bare mesh, which has none.
    let bulk: FileThroughput?
    /// The largest messages.
    let bulkByMessages: Throughput?
    /// Payloads along a path to the first receiver: what large objects ride on.
    let payloads: [Throughput]
    /// Nil on loopback, where other programs' traffic is counted too.
    let idle: Idleness?
    let sender: ProcessUsage
    var receivers: [ProcessUsage] = []
    var relays: [ProcessUsage] = []

    private enum CodingKeys: String, CodingKey {
        case command, machine, level, store, relayCount, receiverCount, startToLink, startToFirstMessage, roundTrip
        case confirmation, messages, bulk, bulkByMessages, payloads, idle, sender, receivers, relays
    }

    /// Writes what there is no figure of as null, so that nobody looks for it in vain.
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
