import MeshCore

/// A relay that claims the labels of others.
///
/// It answers each trail at once. It passes payloads on, but names a label of its own in each, so that the next payload
/// comes to it. It opens none.
struct LabelThief: Sendable {
    private var relay = PostRelay()
    /// The links by which the labels of others came.
    private var directions: [PathLabel: HostileHost.OpenLink] = [:]
    private var own: Set<PathLabel> = []
    /// The number of labels that it has claimed.
    var claimCount: Int { own.count }
    /// The number of payloads that came to its own labels.
    private(set) var takenCount = 0

    /// Handles what came to its host in the current step.
    mutating func serve(_ host: inout HostileHost, using random: inout SplitMix64) {
        relay.serve(&host)
        for (envelope, trail, link) in relay.posts where envelope.kind == .sealed {
            directions[trail] = link
            let junk = HostileMessage.envelope(own.count, byteCount: envelope.body.count)
            let answer = PathMessage(to: trail, hops: 0, isEnvelope: true, payload: junk)
            send(answer, on: link, of: &host, using: &random)
        }
        for (message, link) in relay.payloads {
            guard !own.contains(message.to) else {
                takenCount += 1
                continue
            }
            if let label = message.from, directions[label] == nil { directions[label] = link }
            guard let next = directions[message.to], next.id != link.id else { continue }
            send(message, on: next, of: &host, using: &random)
        }
    }

    /// Sends a payload as an answer under a new label.
    private mutating func send(
        _ message: PathMessage,
        on link: HostileHost.OpenLink,
        of host: inout HostileHost,
        using random: inout SplitMix64
    ) {
        var message = message
        let label = PathLabel(random.next())
        own.insert(label)
        (message.from, message.hops) = (label, message.hops + 1)
        host.send(PathFrame.routed(message).encoded(), on: link.id, lane: .control)
    }
}
