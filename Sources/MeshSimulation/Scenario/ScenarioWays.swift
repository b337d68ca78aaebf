import MeshCore

/// The ways between the hosts of a scenario, as chat learns them: from the trail of a post, and from answers.
struct ScenarioWays: Sendable {
    private struct Pair: Hashable {
        let host: Int
        let other: Int
    }

    private struct Way {
        /// The label of the other host.
        let label: PathLabel
        /// The label of this end.
        let own: PathLabel
        /// Whether the other host knows it.
        var isAnswered: Bool
    }

    private var ways: [Pair: Way] = [:]
    private var random = SplitMix64(seed: 1)

    /// Follows the trail of a post back to its author.
    mutating func follow(_ trail: PathLabel, from host: Int, to other: Int) {
        ways[Pair(host: host, other: other)] = Way(label: trail, own: PathLabel(random.next()), isAnswered: false)
    }

    /// Takes the labels of what came from the other host.
    mutating func note(_ way: (to: PathLabel, from: PathLabel?), from host: Int, to other: Int) {
        let pair = Pair(host: host, other: other)
        if let label = way.from {
            ways[pair] = Way(label: label, own: way.to, isAnswered: true)
        } else if ways[pair]?.own == way.to {
            ways[pair]?.isAnswered = true
        }
    }

    /// Forgets the way of a host that leads to a label, and returns the other host.
    mutating func lose(_ label: PathLabel, at host: Int) -> Int? {
        guard let pair = ways.first(where: { $0.key.host == host && $0.value.label == label })?.key else { return nil }
        ways[pair] = nil
        return pair.other
    }

    /// Forgets a way that did not answer.
    mutating func end(from host: Int, to other: Int) { ways[Pair(host: host, other: other)] = nil }

    /// Returns the payload that carries an envelope; nil if no way is known.
    func message(_ envelope: Envelope, from host: Int, to other: Int) -> PathMessage? {
        guard let way = ways[Pair(host: host, other: other)] else { return nil }
        return PathMessage(
            to: way.label,
            from: way.isAnswered ? nil : way.own,
            hops: 0,
            isEnvelope: true,
            payload: envelope.encoded()
        )
    }
}
