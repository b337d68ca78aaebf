/// A mesh, what is written in it, and what happens to it: all that a run follows from.
///
/// ``NamedScenario`` makes those that have names; a scenario of your own is made of a ``Topology``, messages and events:
///
///     var scenario = Scenario("two of ten gone", Topology.clique(10), seed: 7)
///     scenario.events = [ScenarioEvent(at: .zero, .crash([3, 4]))]
///     scenario.messages = ScenarioMessage.evenly(5, every: .milliseconds(100), among: [0, 1, 2])
///     let result = scenario.run()
///     #expect(result.figures.coverage == 1)
public struct Scenario: Sendable, Equatable {
    /// How hosts come to have links.
    public enum Linking: Sendable, Equatable {
        /// By the rules of discovery, as ``SimOverlay`` knows them: at once.
        case modelled
        /// By whole nodes with their beacons and handshakes in a ``SimNet``, which takes much longer to simulate. What is
        /// written goes over simulated links all the same.
        case discovered
    }

    /// What it is called in tables and pictures.
    public var name: String
    /// The hosts, and who hears whom.
    public var topology: Topology
    /// How hosts come to have links.
    public var linking = Linking.modelled
    /// The part of all packets that is lost.
    public var loss: Double
    /// Decides everything that is left to chance.
    public var seed: UInt64
    /// Whether some envelopes go by first that are not counted, so that the tree has taken shape.
    public var isWarm = true
    /// What is written.
    ///
    /// Times count from when the mesh is linked and warm; hosts that are off write nothing.
    public var messages: [ScenarioMessage] = []
    /// What happens besides; at the same time as a message, just before it.
    public var events: [ScenarioEvent] = []
    /// How long the run goes on after the last message and the last event.
    public var patience: Duration = .seconds(2)

    /// Makes a scenario in which nothing happens yet.
    public init(_ name: String, _ topology: Topology, loss: Double = 0, seed: UInt64 = 1) {
        self.name = name
        self.topology = topology
        self.loss = loss
        self.seed = seed
    }

    /// When the run ends.
    public var end: Duration {
        let spamEnds = events.map { event in
            if case .spam(let spam) = event.change { event.at + spam.duration } else { event.at }
        }
        return (messages.map(\.at) + spamEnds).max().map { $0 + patience } ?? .zero
    }

    /// The same without anybody's spam: what others are spared.
    public var withoutSpam: Scenario {
        var calm = self
        calm.events.removeAll(where: \.isSpam)
        // What is written then is written at the same times, and the run ends when it did.
        calm.patience = end - (calm.end - calm.patience)
        return calm
    }

    /// The hosts that are never switched off and never send spam.
    public var honestHosts: [Int] {
        var others: Set<Int> = []
        for event in events {
            switch event.change {
            case .crash(let hosts): others.formUnion(hosts)
            case .spam(let spam): others.insert(spam.from)
            case .connect, .disconnect: break
            }
        }
        return (0..<topology.hostCount).filter { !others.contains($0) }
    }
}

/// A message that somebody in a scenario writes.
public struct ScenarioMessage: Sendable, Equatable {
    /// When it is written.
    public var at: Duration
    /// The host that writes it.
    public var author: Int

    /// Makes a message.
    public init(at time: Duration, author: Int) {
        at = time
        self.author = author
    }

    /// Messages at equal intervals, each by another of the authors, far from the one before; the first by the first.
    public static func evenly(
        _ count: Int,
        from start: Duration = .zero,
        every interval: Duration,
        among authors: [Int]
    ) -> [ScenarioMessage] {
        let stride = SimLinks.stride(over: max(1, authors.count))
        return (0..<(authors.isEmpty ? 0 : count)).map { number in
            ScenarioMessage(at: start + interval * number, author: authors[number * stride % authors.count])
        }
    }
}

/// Something that happens to the mesh of a scenario.
public struct ScenarioEvent: Sendable, Equatable {
    /// What happens.
    public enum Change: Sendable, Equatable {
        /// These hosts are switched off without a word, for good.
        case crash([Int])
        /// Two hosts get a link.
        case connect(Int, Int)
        /// The links between two hosts end.
        case disconnect(Int, Int)
        /// A host begins to send spam.
        case spam(Spam)
    }

    /// When it happens.
    public var at: Duration
    /// What happens.
    public var change: Change

    /// Makes an event.
    public init(at time: Duration, _ change: Change) {
        at = time
        self.change = change
    }

    var isSpam: Bool {
        if case .spam = change { true } else { false }
    }
}

/// Envelopes of random content that a host sends past all its own limits to each of its neighbours.
public struct Spam: Sendable, Equatable {
    /// The host that sends them.
    public var from: Int
    /// Units: envelopes a second to each neighbour; no two are alike.
    public var perSecond: Int
    /// How long it goes on.
    public var duration: Duration

    /// Makes a host's spam.
    public init(from host: Int, perSecond: Int, for duration: Duration) {
        from = host
        self.perSecond = perSecond
        self.duration = duration
    }
}
