/// One metric of a node, in the form that monitoring programs take.
///
/// Its labels are classes such as a lane or a reason; they never contain an id, a tag, a name or an address.
public struct Metric: Sendable, Hashable {
    /// The way in which a metric changes.
    public enum Kind: String, Sendable, Hashable {
        /// A value that only grows, from zero at the node's start.
        case counter
        /// A value that goes up and down.
        case gauge
    }

    /// The value of one class.
    public struct Sample: Sendable, Hashable {
        /// The class; nil for a metric without classes.
        public let label: String?
        /// The value, in the base unit that the name tells.
        public let value: Double

        /// Makes a sample.
        public init(_ label: String? = nil, _ value: Double) {
            self.label = label
            self.value = value
        }
    }

    /// The name, which ends with the unit if it has one; counters end with `_total`.
    public let name: String
    /// The way in which the metric changes.
    public let kind: Kind
    /// The description, in one sentence.
    public let help: String
    /// The name of the classes, as in "reason"; nil for a metric without classes.
    public let labelName: String?
    /// The values, in the order of the classes.
    public let samples: [Sample]

    /// Makes a metric without classes.
    public init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help, by: nil, [Sample(nil, value)])
    }

    /// Makes a metric with classes.
    public init(_ name: String, _ kind: Kind, _ help: String, by labelName: String?, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labelName = labelName
        self.samples = samples
    }
}
