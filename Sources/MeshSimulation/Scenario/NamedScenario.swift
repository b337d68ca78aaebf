/// The predefined scenarios.
public enum NamedScenario: String, Sendable, CaseIterable {
    /// Hosts in a row.
    case line
    /// Hosts in rows and columns.
    case grid
    /// Hosts at random positions in a square: a random geometric graph.
    case rgg
    /// Hosts that are all in range of each other.
    case clique
    /// Two cliques joined by one pair of hosts, which the nodes must discover.
    case barbell
    /// Every fifth host crashes at once.
    case churn
    /// Two halves are disconnected for ten minutes.
    case partition
    /// One neighbour of a relay floods it with spam.
    case spammer

    /// A summary of the scenario in one sentence.
    public var summary: String {
        switch self {
        case .line: "Hosts in a row: each hears the one before and the one after."
        case .grid: "Rows and columns: each host hears those above, below and beside."
        case .rgg: "Hosts at random places in a square: each hears those within reach."
        case .clique: "Hosts on one segment: all hear each other."
        case .barbell: "Two segments that one pair of hosts joins, found by whole nodes."
        case .churn: "Every fifth host fails without notice, and a message is written at once."
        case .partition: "Two halves are apart for ten minutes, and then one link joins them."
        case .spammer: "A neighbour sends a relay a hundred times its limit."
        }
    }

    /// The allowed numbers of hosts.
    public var nodeCounts: ClosedRange<Int> {
        switch self {
        case .line, .grid, .rgg: 2...10_000
        // Whole nodes take a hundred times as long, and keep everything that they receive.
        case .barbell: 4...1_000
        case .clique: 2...10_000
        case .churn: 5...10_000
        case .partition: 4...10_000
        // All hosts keep the spam that passes the limits.
        case .spammer: 4...1_000
        }
    }

    /// The default number of hosts.
    public var usualNodeCount: Int {
        switch self {
        case .line, .clique: 50
        case .grid, .rgg, .barbell, .churn, .partition: 100
        case .spammer: 11
        }
    }

    /// The default number of messages.
    public var usualMessageCount: Int {
        // The effect of spam on others shows in one of many messages.
        self == .spammer ? 180 : 20
    }

    /// Whether the hosts have random positions, always or with a given degree.
    public var hasDegree: Bool {
        switch self {
        case .rgg, .churn, .partition, .spammer: true
        case .line, .grid, .clique, .barbell: false
        }
    }

    /// Checks whether the scenario supports these settings.
    ///
    /// The check takes no time.
    /// - Throws: ``ScenarioError`` for a setting that the scenario does not support.
    public func check(_ settings: ScenarioSettings) throws(ScenarioError) {
        try settings.check(for: self)
    }

    /// Creates the scenario with these settings.
    ///
    /// - Throws: ``ScenarioError`` for a setting that the scenario does not support.
    public func scenario(_ settings: ScenarioSettings = ScenarioSettings()) throws(ScenarioError) -> Scenario {
        try check(settings)
        let count = settings.nodeCount ?? usualNodeCount
        let topology =
            switch self {
            case .line: Topology.line(count)
            case .grid: Topology.grid(count)
            case .clique: Topology.clique(count)
            case .barbell: Topology.barbell(count / 2, count - count / 2)
            case .spammer where settings.degree == nil: Topology.star(count)
            case .rgg, .churn, .spammer: settings.strewn(count, seed: settings.seed)
            case .partition: settings.halves(count)
            }
        var scenario = Scenario(rawValue, topology, loss: settings.loss, seed: settings.seed)
        let messageCount = settings.messageCount ?? usualMessageCount
        switch self {
        case .line, .grid, .rgg, .clique: scenario.write(messageCount)
        case .barbell:
            scenario.linking = .discovered
            scenario.write(messageCount)
        case .churn: scenario.addChurn(messageCount)
        case .partition: scenario.addPartition(messageCount, left: count / 2)
        case .spammer:
            // A relay in the middle writes no messages.
            let first = settings.degree == nil ? 1 : 0
            scenario.addSpam(from: count - 1, messageCount, by: Array(first..<(count - 1)))
        }
        return scenario
    }
}

/// The settings of a predefined scenario.
public struct ScenarioSettings: Sendable, Equatable {
    /// The number of hosts; nil for the default.
    public var nodeCount: Int?
    /// The fraction of all packets that is lost.
    public var loss = 0.0
    /// The seed of all random choices.
    public var seed: UInt64 = 1
    /// The number of messages; nil for the default.
    public var messageCount: Int?
    /// The average number of hosts in range of a host with a random position; nil for the default.
    ///
    /// The average is higher if the mesh would otherwise be disconnected. In `spammer`, spam comes from a neighbour of
    /// one relay if this is nil, and otherwise from one of many hosts at random positions.
    public var degree: Double?

    /// Creates the default settings.
    public init() {}

    /// The allowed losses.
    public static let losses = 0.0...0.9
    /// The allowed numbers of messages.
    public static let messageCounts = 1...1_000
    /// The allowed degrees.
    public static let degrees = 3.0...50.0
    /// The default average number of hosts in range of a host with a random position.
    public static let usualDegree = 12.0
    /// The largest number of message copies in a run: hosts times messages.
    public static let copyLimit = 1_000_000

    /// The largest number of hosts in a star: one host with as many neighbours as a node ever has links.
    static let starLimit = 25

    /// Checks whether a scenario supports these settings.
    ///
    /// - Throws: ``ScenarioError`` for the first setting that it does not support.
    func check(for name: NamedScenario) throws(ScenarioError) {
        let count = nodeCount ?? name.usualNodeCount
        guard name.nodeCounts.contains(count) else {
            throw ScenarioError(.nodeCount, "`\(name.rawValue)` takes \(Self.text(name.nodeCounts)) nodes.")
        }
        guard name != .spammer || degree != nil || count <= Self.starLimit else {
            let advice = "around one relay; with a degree they are placed at random, and there may be more."
            throw ScenarioError(.nodeCount, "`spammer` takes 4 to \(Self.starLimit) nodes \(advice)")
        }
        guard Self.losses.contains(loss) else {
            throw ScenarioError(.loss, "The loss must be between 0 and 0.9, for example 0.1.")
        }
        let messages = messageCount ?? name.usualMessageCount
        guard Self.messageCounts.contains(messages) else {
            throw ScenarioError(.messageCount, "The number of messages must be \(Self.text(Self.messageCounts)).")
        }
        guard count * messages <= Self.copyLimit else {
            let most = Self.copyLimit / count
            throw ScenarioError(.messageCount, "With \(count) nodes there are \(most) messages at most.")
        }
        guard let degree else { return }
        guard name.hasDegree else {
            throw ScenarioError(.degree, "`\(name.rawValue)` takes no degree: its shape is fixed.")
        }
        guard Self.degrees.contains(degree) else {
            throw ScenarioError(.degree, "The degree must be between 3 and 50.")
        }
    }

    /// Creates hosts at random positions in a square.
    func strewn(_ count: Int, seed: UInt64) -> Topology {
        .randomGeometric(count, degree: degree ?? Self.usualDegree, seed: seed)
    }

    /// Creates hosts at random positions in two squares that are out of range of each other.
    func halves(_ count: Int) -> Topology {
        // The seeds of one run's halves belong to no other run.
        strewn(count / 2, seed: seed &* 2).beside(strewn(count - count / 2, seed: seed &* 2 &+ 1))
    }

    private static func text(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}

/// The reason that a scenario cannot have the requested settings.
public struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The rejected setting.
    public enum Code: String, Sendable {
        /// The number of hosts.
        case nodeCount
        /// The loss.
        case loss
        /// The number of messages.
        case messageCount
        /// The degree.
        case degree
    }

    /// The rejected setting.
    public let code: Code
    /// The reason in one sentence.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
