public import MeshCore

/// What became of a scenario.
public struct ScenarioResult: Sendable, Equatable {
    /// What was run.
    public let scenario: Scenario
    /// The links that the mesh had at first.
    public let overlay: SimOverlay
    /// What became of each message, in the order of writing.
    public let messages: [MessageResult]
    /// What all messages together amount to.
    public let figures: ScenarioFigures
    /// The same figures of a run without spam; nil if there was none.
    public internal(set) var figuresWithoutSpam: ScenarioFigures?
    /// How long it took from the start of all hosts until links connected them; nil if links were not discovered, or
    /// they never did.
    public let timeToOneComponent: Duration?
    /// The hosts that were switched off, ascending.
    public let crashedHosts: [Int]
    /// How long after the last crash, or change of links, everything written by then was where it could get to; nil if
    /// there was none, or it never was.
    public let recovery: Duration?
    /// How much time passed in the mesh, the warming included.
    public let virtualTime: Duration
    /// How many events the hosts handled.
    public let eventCount: Int
    /// A hash over every message of every host: equal for equal runs.
    public let traceHash: UInt64
}

/// What became of one message of a scenario.
public struct MessageResult: Sendable, Equatable {
    /// A first copy that came to a host.
    public struct Arrival: Sendable, Equatable {
        /// The host.
        public let host: Int
        /// How long after it was written.
        public let after: Duration
        /// How long after there was a way: ``after``, or, if links led from the author to the host only later, counted
        /// from then.
        public let latency: Duration
        /// How many links it had gone over.
        public let hops: Int
    }

    /// The host that wrote it.
    public let author: Int
    /// When it was written.
    public let at: Duration
    /// The first copies that came, in order.
    public let arrivals: [Arrival]
    /// The hosts, on at the end, that links connect with one that has the message, and that do not have it; ascending.
    public let missedHosts: [Int]

    /// Whether every host that it could get to has it.
    public var isComplete: Bool { missedHosts.isEmpty }
    /// How long after its writing it was everywhere it could get to; nil if it never was.
    public var completion: Duration? { isComplete ? arrivals.last?.after ?? .zero : nil }
}

/// Sums and percentiles over the messages of a scenario.
public struct ScenarioFigures: Sendable, Equatable {
    /// How many messages were written.
    public let messageCount: Int
    /// How many first copies came to hosts.
    public let arrivalCount: Int
    /// How many hosts that a message could have got to did not get it, summed over messages.
    public let missedCount: Int
    /// How many times an envelope was sent for each host that got it.
    ///
    /// 1 is the least possible without loss. Spam that is passed on counts too.
    public let transmissionsPerArrival: Double
    /// How many control messages it took for each host that got an envelope.
    public let controlPerArrival: Double
    /// How long first copies took since there was a way.
    public let latency: Percentiles<Duration>?
    /// How many links first copies had gone over.
    public let hops: Percentiles<Int>?
    /// What routers dropped, by reason.
    public let drops: [DropReason: Int]
    /// How many links routers asked to be ended for abuse.
    public let banCount: Int

    /// The part of all copies due that came: 1 if nothing was missed.
    public var coverage: Double {
        arrivalCount + missedCount == 0 ? 1 : Double(arrivalCount) / Double(arrivalCount + missedCount)
    }

    /// Where the middle, all but the last hundredth, and the last of some values are.
    public struct Percentiles<Value: Comparable & Sendable>: Sendable, Equatable {
        /// The value that half of them do not exceed.
        public let median: Value
        /// The value that 99 of 100 do not exceed.
        public let percentile99: Value
        /// The greatest.
        public let maximum: Value

        /// Nil if there are no values.
        init?(_ values: [Value]) {
            let sorted = values.sorted()
            guard let last = sorted.last else { return nil }
            median = sorted[sorted.count / 2]
            percentile99 = sorted[min(sorted.count - 1, Int(Double(sorted.count) * 0.99))]
            maximum = last
        }
    }
}

/// How far a run has come.
public struct ScenarioProgress: Sendable, Equatable {
    /// What a run does, in this order.
    public enum Stage: String, Sendable {
        /// Whole nodes find each other.
        case linking
        /// Envelopes that are not counted shape the tree.
        case warming
        /// Messages are written and events happen.
        case running
        /// The same once more, without spam.
        case comparing
    }

    /// What is being done.
    public let stage: Stage
    /// How much of this is done: 0 to 1; of linking, of the time it may take.
    public let fraction: Double
}
