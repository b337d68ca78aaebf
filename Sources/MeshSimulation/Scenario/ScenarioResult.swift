public import MeshCore

/// The result of a scenario.
public struct ScenarioResult: Sendable, Equatable {
    /// The scenario that ran.
    public let scenario: Scenario
    /// The links of the mesh at the start.
    public let overlay: SimOverlay
    /// The result of each message, in the order of writing.
    public let messages: [MessageResult]
    /// The statistics of all messages together.
    public let statistics: ScenarioStatistics
    /// The same statistics for a run without spam; nil if the scenario has no spam.
    public internal(set) var statisticsWithoutSpam: ScenarioStatistics?
    /// The measured figures.
    public internal(set) var figures: [ScenarioFigure: Double] = [:]
    /// The figures of the same run without the adversary; nil if the scenario has none.
    public internal(set) var calmFigures: [ScenarioFigure: Double]?
    /// The time for which the channel was used while messages were written; nil without a channel.
    public internal(set) var airtime: Airtime?
    /// The time for which messages were written and awaited; zero if they went over simulated links.
    public internal(set) var measuredTime = Duration.zero
    /// The time from the start of all hosts until links connected them; nil if links were not discovered, or if the
    /// hosts never became connected.
    public let timeToOneComponent: Duration?
    /// The hosts that were switched off, ascending.
    public let crashedHosts: [Int]
    /// The time from the last crash, or change of links, until every message written by then had arrived everywhere it
    /// could; nil if there was no such event, or if a message never did.
    public let recovery: Duration?
    /// The virtual time that passed in the mesh, warming included.
    public let virtualTime: Duration
    /// The number of events that the hosts handled.
    public let eventCount: Int
    /// A hash over every message of every host.
    ///
    /// Equal runs have equal hashes.
    public let traceHash: UInt64
}

/// The result of one message of a scenario.
public struct MessageResult: Sendable, Equatable {
    /// The arrival of a first copy at a host.
    public struct Arrival: Sendable, Equatable {
        /// The host.
        public let host: Int
        /// The time since the message was written.
        public let after: Duration
        /// The time since a path existed: equal to ``after``, or, if links connected the author with the host only
        /// later, counted from then.
        public let latency: Duration
        /// The number of links that the copy passed; 0 among whole nodes, where nobody counts them.
        public let hops: Int
    }

    /// The host that wrote the message.
    public let author: Int
    /// The time at which the message was written.
    public let at: Duration
    /// The arrivals of first copies, in order.
    public let arrivals: [Arrival]
    /// The hosts that do not have the message although they are on at the end and links connect them with a host that
    /// has it; ascending.
    public let missedHosts: [Int]

    /// Whether every host that the message could reach has it.
    public var isComplete: Bool { missedHosts.isEmpty }
    /// The time from writing until the message had arrived everywhere it could; nil if it never did.
    public var completion: Duration? { isComplete ? arrivals.last?.after ?? .zero : nil }
}

/// The sums and percentiles over the messages of a scenario.
public struct ScenarioStatistics: Sendable, Equatable {
    /// The number of messages written.
    public let messageCount: Int
    /// The number of first copies that arrived at hosts.
    public let arrivalCount: Int
    /// The number of hosts that a message could have reached but did not, summed over messages.
    public let missedCount: Int
    /// The number of envelope transmissions per host that received the envelope.
    ///
    /// 1 is the minimum without loss. Forwarded spam counts too.
    public let transmissionsPerArrival: Double
    /// The number of control messages per host that received an envelope.
    public let controlPerArrival: Double
    /// The time that first copies took since a path existed.
    public let latency: Percentiles<Duration>?
    /// The number of links that first copies passed.
    public let hops: Percentiles<Int>?
    /// The drops of the routers, by reason.
    public let drops: [DropReason: Int]

    /// The fraction of all due copies that arrived: 1 if nothing was missed.
    public var coverage: Double {
        arrivalCount + missedCount == 0 ? 1 : Double(arrivalCount) / Double(arrivalCount + missedCount)
    }

    /// The median, the 99th percentile and the maximum of some values.
    public struct Percentiles<Value: Comparable & Sendable>: Sendable, Equatable {
        /// The value that half of the values do not exceed.
        public let median: Value
        /// The value that 99 of 100 values do not exceed.
        public let percentile99: Value
        /// The largest value.
        public let maximum: Value

        /// Returns nil if there are no values.
        init?(_ values: [Value]) {
            let sorted = values.sorted()
            guard let last = sorted.last else { return nil }
            median = sorted[sorted.count / 2]
            percentile99 = sorted[min(sorted.count - 1, Int(Double(sorted.count) * 0.99))]
            maximum = last
        }
    }
}

/// The progress of a run.
public struct ScenarioProgress: Sendable, Equatable {
    /// The stages of a run, in this order.
    public enum Stage: String, Sendable {
        /// Whole nodes discover each other.
        case linking
        /// Envelopes that are not counted form the tree.
        case warming
        /// Messages are written and events happen.
        case running
        /// The same run again without spam or without the adversary.
        case comparing
    }

    /// The current stage.
    public let stage: Stage
    /// The completed fraction of this stage: 0 to 1.
    ///
    /// For linking it is the fraction of the time limit.
    public let fraction: Double
}
