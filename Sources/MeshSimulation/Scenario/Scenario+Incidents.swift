import MeshCore

/// What scenarios with names are about, to be had on any topology.
extension Scenario {
    /// Adds messages of hosts all over the mesh, one after the other.
    ///
    /// While a tree changes, envelopes on their way take it for a moment for two; so each has some time for itself.
    public mutating func write(_ count: Int, every interval: Duration = .milliseconds(300)) {
        messages += ScenarioMessage.evenly(count, every: interval, among: honestHosts)
    }

    /// Adds the death of every fifth host, and messages of others, the first at the same instant.
    public mutating func addChurn(_ messageCount: Int) {
        let dying = (0..<topology.hostCount).filter { $0 % 5 == 2 }
        events.append(ScenarioEvent(at: .zero, .crash(dying)))
        write(messageCount)
    }

    /// Adds ten minutes in which hosts of both halves write, and then a link between the halves.
    ///
    /// - Parameters:
    ///   - messageCount: How many messages are written, half of them on each side.
    ///   - left: How many hosts, the first ones, are the one half.
    public mutating func addPartition(_ messageCount: Int, left: Int) {
        let right = topology.hostCount - left
        let interval = Duration.seconds(1)
        messages += ScenarioMessage.evenly(messageCount - messageCount / 2, every: interval, among: Array(0..<left))
        messages += ScenarioMessage.evenly(
            messageCount / 2,
            from: interval / 2,
            every: interval,
            among: (left..<(left + right)).map(\.self)
        )
        messages.sort { $0.at < $1.at }
        let bridge = bridge(left: left)
        events.append(ScenarioEvent(at: max(.seconds(600), (messages.last?.at ?? .zero) + interval), bridge))
        patience = .seconds(10)
    }

    /// Adds spam of one host at a hundred times what a neighbour takes, and after three seconds of it messages of others.
    public mutating func addSpam(from spammer: Int, _ messageCount: Int, by authors: [Int]) {
        let perSecond = 100 * RouterConfiguration().inboundRate.count
        let calm = Duration.seconds(3)
        let interval = Duration.milliseconds(10)
        let spam = Spam(from: spammer, perSecond: perSecond, for: calm + interval * messageCount + .milliseconds(200))
        events.append(ScenarioEvent(at: .zero, .spam(spam)))
        messages += ScenarioMessage.evenly(messageCount, from: calm, every: interval, among: authors)
    }

    /// A link between the nearest hosts of two halves side by side.
    private func bridge(left: Int) -> ScenarioEvent.Change {
        guard let places = topology.places else { return .connect(left - 1, left) }
        let near = (0..<left).max { places[$0].x < places[$1].x }
        let far = (left..<topology.hostCount).min { places[$0].x < places[$1].x }
        return .connect(near ?? left - 1, far ?? left)
    }
}
