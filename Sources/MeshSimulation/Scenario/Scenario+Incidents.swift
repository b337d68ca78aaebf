import MeshCore

/// The incidents of the predefined scenarios, for use on any topology.
extension Scenario {
    /// Adds messages from hosts all over the mesh, one after the other.
    ///
    /// While the tree changes, the envelopes in transit may briefly use both its old and its new form. Each message
    /// therefore has some time for itself.
    public mutating func write(_ count: Int, every interval: Duration = .milliseconds(300)) {
        messages += ScenarioMessage.evenly(count, every: interval, among: honestHosts)
    }

    /// Adds the crash of every fifth host, and messages from the others, the first at the same time as the crash.
    public mutating func addChurn(_ messageCount: Int) {
        let dying = (0..<topology.hostCount).filter { $0 % 5 == 2 }
        events.append(ScenarioEvent(at: .zero, .crash(dying)))
        write(messageCount)
    }

    /// Adds ten minutes in which hosts of both halves write, and then a link between the halves.
    ///
    /// - Parameters:
    ///   - messageCount: The number of messages, half of them on each side.
    ///   - left: The number of hosts in one half, which has the lowest host numbers.
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

    /// Adds spam from one host at a hundred times the rate that a neighbour accepts, and, three seconds later, messages
    /// from others.
    public mutating func addSpam(from spammer: Int, _ messageCount: Int, by authors: [Int]) {
        let perSecond = 100 * RouterConfiguration().inboundRate.count
        let calm = Duration.seconds(3)
        let interval = Duration.milliseconds(10)
        let spam = Spam(from: spammer, perSecond: perSecond, for: calm + interval * messageCount + .milliseconds(200))
        events.append(ScenarioEvent(at: .zero, .spam(spam)))
        messages += ScenarioMessage.evenly(messageCount, from: calm, every: interval, among: authors)
    }

    /// Returns a link between the nearest hosts of two halves that are side by side.
    private func bridge(left: Int) -> ScenarioEvent.Change {
        guard let places = topology.places else { return .connect(left - 1, left) }
        let near = (0..<left).max { places[$0].x < places[$1].x }
        let far = (left..<topology.hostCount).min { places[$0].x < places[$1].x }
        return .connect(near ?? left - 1, far ?? left)
    }
}

extension Scenario {
    /// Adds messages from one host to another, both at random, at a steady rate.
    ///
    /// Hosts that crash write nothing, but others write to them.
    public mutating func talk(_ count: Int, perMinute: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        guard honestHosts.count > 1 else { return }
        for number in 0..<count {
            let pair = pair(among: Array(0..<topology.hostCount), using: &random)
            let time = Duration.seconds(60) * number / perMinute
            messages.append(ScenarioMessage(at: time, author: pair[0], recipients: [pair[1]]))
        }
    }

    /// Adds messages of conversations between two hosts, at a steady rate: one in fifty begins another conversation, and
    /// where hosts have crashed one in ten goes to one of them.
    ///
    /// Hosts know the ways to each other that the conversations before have opened.
    mutating func converse(_ count: Int, perMinute: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let present = honestHosts
        guard present.count > 1 else { return }
        let absent = Set(0..<topology.hostCount).subtracting(present).sorted()
        carries = true
        conversations = (0..<Self.conversationCount).map { _ in pair(among: present, using: &random) }
        var pairs = conversations
        for number in 0..<count {
            var pair = pairs[Int(random.next() % UInt64(pairs.count))]
            if random.next() % Self.messagesPerConversation == 0 {
                pair = self.pair(among: present, using: &random)
                pairs.append(pair)
            } else if random.next() % 2 == 0 {
                pair.reverse()
            }
            if number % 10 == 9, let friend = absent.randomElement(using: &random) { pair[1] = friend }
            let time = Duration.seconds(60) * number / perMinute
            messages.append(ScenarioMessage(at: time, author: pair[0], recipients: [pair[1]]))
        }
    }

    /// Returns an honest author and a recipient at random.
    private func pair(among recipients: [Int], using random: inout SplitMix64) -> [Int] {
        let authors = honestHosts
        let author = authors[Int(random.next() % UInt64(authors.count))]
        var recipient = author
        while recipient == author { recipient = recipients[Int(random.next() % UInt64(recipients.count))] }
        return [author, recipient]
    }

    /// The number of conversations that have begun before messages count.
    private static let conversationCount = 20
    private static let messagesPerConversation: UInt64 = 50
}
