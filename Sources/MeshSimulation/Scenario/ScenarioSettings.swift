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
            throw ScenarioError(.nodeCount, "`\(name.name)` takes \(Self.text(name.nodeCounts)) nodes.")
        }
        guard name != .spammer || degree != nil || count <= Self.starLimit else {
            let advice = "around one relay; with a degree they are placed at random, and there may be more."
            throw ScenarioError(.nodeCount, "`spammer` takes 4 to \(Self.starLimit) nodes \(advice)")
        }
        guard Self.losses.contains(loss) else {
            throw ScenarioError(.loss, "The loss must be between 0 and 0.9, for example 0.1.")
        }
        let messages = messageCount ?? name.usualMessageCount
        guard messageCount == nil || Self.messageCounts.contains(messages) else {
            throw ScenarioError(.messageCount, "The number of messages must be \(Self.text(Self.messageCounts)).")
        }
        guard count * messages <= Self.copyLimit else {
            let most = Self.copyLimit / count
            throw ScenarioError(.messageCount, "With \(count) nodes there are \(most) messages at most.")
        }
        guard let degree else { return }
        guard name.hasDegree else {
            throw ScenarioError(.degree, "`\(name.name)` takes no degree: its shape is fixed.")
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
