/// One figure of a node in the form that monitoring programs take.
///
/// Its labels are classes such as a lane or a reason; no id, tag, name or address is ever in one.
public struct Metric: Sendable, Hashable {
    /// How a figure moves.
    public enum Kind: String, Sendable, Hashable {
        /// It only ever grows, from zero at the node's start.
        case counter
        /// It goes up and down.
        case gauge
    }

    /// The figure of one class.
    public struct Sample: Sendable, Hashable {
        /// The class; nil where the figure has none.
        public let label: String?
        /// The figure, in the base unit that the name tells.
        public let value: Double

        /// Makes a sample.
        public init(_ label: String? = nil, _ value: Double) {
            self.label = label
            self.value = value
        }
    }

    /// The name, which ends with the unit if it has one; counters end with `_total`.
    public let name: String
    /// How the figure moves.
    public let kind: Kind
    /// What it is, in a sentence.
    public let help: String
    /// What the classes are, as in "reason"; nil where there are none.
    public let labelName: String?
    /// The figures, in the classes' order.
    public let samples: [Sample]

    /// Makes a figure without classes.
    public init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help, by: nil, [Sample(nil, value)])
    }

    /// Makes a figure by classes.
    public init(_ name: String, _ kind: Kind, _ help: String, by labelName: String?, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labelName = labelName
        self.samples = samples
    }
}
