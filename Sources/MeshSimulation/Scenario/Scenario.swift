public import MeshCore

/// A mesh, the messages written in it, the events that happen to it, possibly an adversary, and a bar.
///
/// A run depends on nothing else.
///
/// ``NamedScenario`` creates the predefined scenarios. You can create your own from a ``Topology``, messages and
/// events:
///
///     var scenario = Scenario("two of ten gone", Topology.clique(10), seed: 7)
///     scenario.events = [ScenarioEvent(at: .zero, .crash([3, 4]))]
///     scenario.messages = ScenarioMessage.evenly(5, every: .milliseconds(100), among: [0, 1, 2])
///     let result = scenario.run()
///     #expect(result.statistics.coverage == 1)
public struct Scenario: Sendable, Equatable {
    /// The way in which hosts get their links.
    public enum Linking: Sendable, Equatable {
        /// By the rules of discovery as ``SimOverlay`` models them.
        ///
        /// The links exist at once.
        case modelled
        /// By whole nodes with their beacons and handshakes in a ``SimNet``, which takes much longer to simulate.
        ///
        /// Messages still go over simulated links.
        case discovered
        /// By whole nodes in a ``SimNet``, which carry the messages too.
        ///
        /// Only such a mesh has a channel, an adversary, receipts, and hosts that start late.
        case whole
    }

    /// The name in tables and pictures.
    public var name: String
    /// The hosts, and the segments that they share.
    public var topology: Topology
    /// The way in which hosts get their links.
    public var linking = Linking.modelled
    /// The fraction of all packets that is lost.
    public var loss: Double
    /// The seed of all random choices.
    public var seed: UInt64
    /// Whether some envelopes that are not counted go first, so that the tree has formed.
    public var isWarm = true
    /// The time without messages after the warm-up; nil for a second, or five on a channel.
    var restTime: Duration?
    /// Whether messages and receipts are carried where a way is known.
    var carries = false
    /// The number of messages to everybody that hosts write before messages count.
    var earlierMessageCount = 0
    /// The pairs of hosts that talk before messages count.
    var conversations: [[Int]] = []
    /// The gateways of two meshes and the hub between them; nil without.
    var islands: IslandPlan?
    /// The messages that hosts write.
    ///
    /// Times count from the moment at which the mesh is linked and warm. Hosts that are off write nothing.
    public var messages: [ScenarioMessage] = []
    /// The other events.
    ///
    /// An event at the same time as a message happens just before it.
    public var events: [ScenarioEvent] = []
    /// The radio channel that the hosts of each segment share; nil for none.
    public var channel: SharedChannel?
    /// Whether the last segment of the topology is a wire without a channel.
    var endsInWire = false
    /// The limits of the stores.
    public var store = StoreLimits()
    /// The hosts of a closed mesh whose clocks are wrong by 400 days; empty in an open mesh.
    public var wrongClocks: Set<Int> = []
    /// The time between the starts of two hosts; zero if all start together.
    public var startInterval = Duration.zero
    /// The hostile machine; nil for none.
    public var adversary: SimAdversary?
    /// Whether the load is the question, and not given: the messages are written again and again, each time in half of
    /// the time, until 99 of 100 copies no longer arrive within five seconds.
    public var isRising = false
    /// The limits within which the figures should be.
    public var bar: [ScenarioLimit] = []
    /// The time that the run continues after the last message and the last event.
    public var patience: Duration = .seconds(2)

    /// Creates a scenario without messages and events.
    public init(_ name: String, _ topology: Topology, loss: Double = 0, seed: UInt64 = 1) {
        self.name = name
        self.topology = topology
        self.loss = loss
        self.seed = seed
    }

    /// The time at which the run ends.
    public var end: Duration {
        let spamEnds = events.map { event in
            if case .spam(let spam) = event.change { event.at + spam.duration } else { event.at }
        }
        let times = messages.map(\.at) + spamEnds + (adversary.map { [$0.duration] } ?? [])
        return (times.max() ?? .zero) + (times.isEmpty && linking != .whole ? .zero : patience)
    }

    /// The same scenario without an adversary, which ends at the same time.
    var withoutAdversary: Scenario {
        var calm = self
        calm.adversary = nil
        calm.patience = end - (calm.end - calm.patience)
        return calm
    }

    /// The same scenario without spam, which shows what the other hosts would otherwise experience.
    public var withoutSpam: Scenario {
        var calm = self
        calm.events.removeAll(where: \.isSpam)
        // The other messages are written at the same times, and the run ends at the same time.
        calm.patience = end - (calm.end - calm.patience)
        return calm
    }

    /// The hosts that are never switched off and never send spam.
    public var honestHosts: [Int] {
        var others: Set<Int> = []
        for event in events {
            switch event.change {
            case .crash(let hosts), .blackHole(let hosts): others.formUnion(hosts)
            case .spam(let spam): others.insert(spam.from)
            case .connect, .disconnect, .start, .air: break
            }
        }
        return (0..<topology.hostCount).filter { !others.contains($0) }
    }
}

/// A message that a host writes in a scenario.
public struct ScenarioMessage: Sendable, Equatable {
    /// The time at which the host writes it.
    public var at: Duration
    /// The host that writes it.
    public var author: Int
    /// The hosts that read it, and acknowledge it as chat does; none if it is for all hosts, which acknowledge nothing.
    ///
    /// Hosts of whole nodes alone heed them.
    public var recipients: [Int] = []
    /// The kind of its envelope.
    public var kind = EnvelopeKind.sealed
    /// The pieces of an object that it names, which its recipients fetch.
    public var pieceCount = 0

    /// Creates a message.
    public init(at time: Duration, author: Int, recipients: [Int] = []) {
        at = time
        self.author = author
        self.recipients = recipients
    }

    /// Creates messages at equal intervals.
    ///
    /// Each has a different author, far from the author before; the first author writes first.
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

/// An event that happens to the mesh of a scenario.
public struct ScenarioEvent: Sendable, Equatable {
    /// The kind of event.
    public enum Change: Sendable, Equatable {
        /// These hosts are switched off without notice.
        case crash([Int])
        /// Two hosts get a link.
        case connect(Int, Int)
        /// The links between two hosts end.
        case disconnect(Int, Int)
        /// A host begins to send spam.
        case spam(Spam)
        /// These hosts start; in a mesh of whole nodes they are off until then, unless they crash before.
        case start([Int])
        /// These hosts become black holes, in a mesh of whole nodes: they pass posts on, and nothing that goes along ways.
        case blackHole([Int])
        /// The radio channel changes, in a mesh of whole nodes.
        case air(SharedChannel)
    }

    /// The time of the event.
    public var at: Duration
    /// The kind of event.
    public var change: Change

    /// Creates an event.
    public init(at time: Duration, _ change: Change) {
        at = time
        self.change = change
    }

    var isSpam: Bool {
        if case .spam = change { true } else { false }
    }
}

/// The spam of a host: envelopes of random content that it sends to each of its neighbours, beyond all of its own
/// limits.
public struct Spam: Sendable, Equatable {
    /// The host that sends them.
    public var from: Int
    /// The rate of envelopes; no two are alike.
    ///
    /// Units: envelopes per second to each neighbour.
    public var perSecond: Int
    /// The duration of the spam.
    public var duration: Duration

    /// Creates the spam of a host.
    public init(from host: Int, perSecond: Int, for duration: Duration) {
        from = host
        self.perSecond = perSecond
        self.duration = duration
    }
}
