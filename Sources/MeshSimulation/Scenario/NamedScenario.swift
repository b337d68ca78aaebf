/// The scenarios that have names.
public enum NamedScenario: String, Sendable, CaseIterable {
    /// Hosts in a row.
    case line
    /// Hosts in rows and columns.
    case grid
    /// Hosts strewn over a square: a random geometric graph.
    case rgg
    /// Hosts that all hear each other.
    case clique
    /// Two cliques that find the one pair between them.
    case barbell
    /// Every fifth host dies at once.
    case churn
    /// Two halves are apart for ten minutes.
    case partition
    /// One neighbour of a relay floods it.
    case spammer

    /// What it shows, in one sentence.
    public var summary: String {
        switch self {
        case .line: "Hosts in a row: each hears the one before and the one after."
        case .grid: "Rows and columns: each host hears those above, below and beside."
        case .rgg: "Hosts strewn over a square: each hears those within reach."
        case .clique: "Hosts on one segment: all hear each other."
        case .barbell: "Two segments that one pair of hosts joins, found by whole nodes."
        case .churn: "Every fifth host dies without a word, and at once somebody writes."
        case .partition: "Two halves are apart for ten minutes, and then one link joins them."
        case .spammer: "A relay's neighbour sends it a hundred times what it takes."
        }
    }

    /// How many hosts it can have.
    public var nodeCounts: ClosedRange<Int> {
        switch self {
        case .line, .grid, .rgg: 2...10_000
        // Whole nodes take a hundred times as long, and keep all they hear.
        case .barbell: 4...1_000
        case .clique: 2...10_000
        case .churn: 5...10_000
        case .partition: 4...10_000
        // What spam gets through is kept by everybody.
        case .spammer: 4...1_000
        }
    }

    /// How many hosts it has unless told otherwise.
    public var usualNodeCount: Int {
        switch self {
        case .line, .clique: 50
        case .grid, .rgg, .barbell, .churn, .partition: 100
        case .spammer: 11
        }
    }

    /// How many messages it has unless told otherwise.
    public var usualMessageCount: Int {
        // What spam does to others shows in one of many messages.
        self == .spammer ? 180 : 20
    }

    /// Whether hosts are strewn, or with a degree can be.
    public var hasDegree: Bool {
        switch self {
        case .rgg, .churn, .partition, .spammer: true
        case .line, .grid, .clique, .barbell: false
        }
    }

    /// Checks that the scenario can have these settings, which takes no time.
    public func check(_ settings: ScenarioSettings) throws(ScenarioError) {
        try settings.check(for: self)
    }

    /// The scenario with these settings.
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
            // A relay in the middle writes nothing.
            let first = settings.degree == nil ? 1 : 0
            scenario.addSpam(from: count - 1, messageCount, by: Array(first..<(count - 1)))
        }
        return scenario
    }
}

/// What can be chosen of a scenario that has a name.
public struct ScenarioSettings: Sendable, Equatable {
    /// How many hosts there are; nil for what is usual.
    public var nodeCount: Int?
    /// The part of all packets that is lost.
    public var loss = 0.0
    /// Decides everything that is left to chance.
    public var seed: UInt64 = 1
    /// How many messages are written; nil for what is usual.
    public var messageCount: Int?
    /// How many others a strewn host hears on average; nil for what is usual.
    ///
    /// It is more if the mesh would be in pieces otherwise. Spam comes from a neighbour of one relay if this is nil, and
    /// else from one of many strewn hosts.
    public var degree: Double?

    /// Makes the usual settings.
    public init() {}

    /// The losses that can be chosen.
    public static let losses = 0.0...0.9
    /// The numbers of messages that can be chosen.
    public static let messageCounts = 1...1_000
    /// The degrees that can be chosen.
    public static let degrees = 3.0...50.0
    /// How many others a strewn host hears on average unless told otherwise.
    public static let usualDegree = 12.0
    /// How many copies of messages a run may keep: hosts times messages.
    public static let copyLimit = 1_000_000

    /// How many hosts a star can have: one with as many neighbours as a node ever has links.
    static let starLimit = 25

    /// Checks that a scenario can have these settings.
    func check(for name: NamedScenario) throws(ScenarioError) {
        let count = nodeCount ?? name.usualNodeCount
        guard name.nodeCounts.contains(count) else {
            throw ScenarioError(.nodeCount, "`\(name.rawValue)` takes \(Self.text(name.nodeCounts)) nodes.")
        }
        guard name != .spammer || degree != nil || count <= Self.starLimit else {
            let advice = "around one relay; with a degree they are strewn, and then there may be more."
            throw ScenarioError(.nodeCount, "`spammer` takes 4 to \(Self.starLimit) nodes \(advice)")
        }
        guard Self.losses.contains(loss) else {
            throw ScenarioError(.loss, "The loss is a part between 0 and 0.9, for example 0.1.")
        }
        let messages = messageCount ?? name.usualMessageCount
        guard Self.messageCounts.contains(messages) else {
            throw ScenarioError(.messageCount, "There are \(Self.text(Self.messageCounts)) messages.")
        }
        guard count * messages <= Self.copyLimit else {
            let most = Self.copyLimit / count
            throw ScenarioError(.messageCount, "With \(count) nodes there are \(most) messages at most.")
        }
        guard let degree else { return }
        guard name.hasDegree else {
            throw ScenarioError(.degree, "`\(name.rawValue)` has no degree to choose: its shape says who hears whom.")
        }
        guard Self.degrees.contains(degree) else {
            throw ScenarioError(.degree, "The degree is between 3 and 50.")
        }
    }

    /// Hosts strewn over a square.
    func strewn(_ count: Int, seed: UInt64) -> Topology {
        .randomGeometric(count, degree: degree ?? Self.usualDegree, seed: seed)
    }

    /// Hosts strewn over two squares out of each other's hearing.
    func halves(_ count: Int) -> Topology {
        // The seeds of one run's halves are no other run's.
        strewn(count / 2, seed: seed &* 2).beside(strewn(count - count / 2, seed: seed &* 2 &+ 1))
    }

    private static func text(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}

/// Why a scenario cannot be as it was asked for.
public struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
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

    /// What is wrong.
    public let code: Code
    /// The same in a sentence.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
