/// A predefined scenario: a shape, a load, possibly an adversary, and a bar.
public struct NamedScenario: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The sort of a scenario.
    public enum Kind: String, Sendable {
        /// No host is hostile, and no channel is shared.
        case calm
        /// All hosts share one radio channel.
        case air
        /// An adversary acts.
        case attack
    }

    /// The occasion on which a scenario runs.
    public enum Tier: String, Sendable {
        /// It takes seconds to minutes; the tests run a smaller one.
        case gate
        /// It takes longer, or measures processor time.
        case demand
    }

    /// The name, which the command takes.
    public let name: String
    /// The sort of the scenario.
    public let kind: Kind
    /// The occasion on which it runs.
    public let tier: Tier
    /// A summary of the scenario in one sentence.
    public let summary: String
    /// The limits within which the figures of the default settings should be.
    public let bar: [ScenarioLimit]
    /// The allowed numbers of hosts.
    public let nodeCounts: ClosedRange<Int>
    /// The default number of hosts.
    public let usualNodeCount: Int
    /// The default number of messages.
    public let usualMessageCount: Int
    /// Whether the hosts have random positions, always or with a given degree.
    public let hasDegree: Bool
    let make: @Sendable (Order) -> Scenario

    /// The settings of a scenario with the defaults filled in.
    struct Order {
        let nodeCount: Int
        let messageCount: Int
        let settings: ScenarioSettings
    }

    init(
        _ name: String,
        _ kind: Kind,
        _ summary: String,
        on tier: Tier = .gate,
        nodes nodeCounts: ClosedRange<Int>,
        usually usualNodeCount: Int,
        messages usualMessageCount: Int = 20,
        hasDegree: Bool = false,
        bar: [ScenarioLimit],
        make: @escaping @Sendable (Order) -> Scenario
    ) {
        (self.name, self.kind, self.tier, self.summary) = (name, kind, tier, summary)
        (self.nodeCounts, self.usualNodeCount) = (nodeCounts, usualNodeCount)
        (self.usualMessageCount, self.hasDegree) = (usualMessageCount, hasDegree)
        (self.bar, self.make) = (bar, make)
    }

    /// Finds the scenario with a name; nil if there is none.
    public init?(_ name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// All scenarios, by kind.
    public static let allCases: [NamedScenario] = spreads + [wayBreak] + shelves + [islands] + airs + attacks

    /// The name.
    public var description: String { name }

    /// Compares names.
    public static func == (left: NamedScenario, right: NamedScenario) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

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
        let order = Order(
            nodeCount: settings.nodeCount ?? usualNodeCount,
            messageCount: settings.messageCount ?? usualMessageCount,
            settings: settings
        )
        var scenario = make(order)
        (scenario.name, scenario.bar) = (name, bar)
        (scenario.loss, scenario.seed) = (settings.loss, settings.seed)
        return scenario
    }
}
