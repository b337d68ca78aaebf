package import Earshot

/// The node's figures for monitoring.
package struct MetricsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "metrics"
    /// It takes none.
    package static let parameters: [String] = []
    /// It tells and changes nothing of what is in the home.
    package static let needsKeys = false

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> MetricsReply {
        MetricsReply(await node.metrics)
    }
}

/// Figures on the wire: an object with a number for each name, or an object of numbers for each name with classes.
package struct MetricsReply: Codable, Hashable, Sendable {
    /// One figure, or several by class.
    package enum Value: Codable, Hashable, Sendable {
        /// A figure without classes.
        case number(Double)
        /// A figure by classes.
        case numbers([String: Double])

        /// Reads a number or an object of numbers.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .numbers(try container.decode([String: Double].self))
            }
        }

        /// Writes a number or an object of numbers.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .numbers(let numbers): try container.encode(numbers)
            }
        }
    }

    /// The figures by name.
    package let values: [String: Value]

    /// Puts figures into words of the wire.
    package init(_ metrics: [Metric]) {
        let pairs = metrics.map { metric -> (String, Value) in
            guard metric.labelName != nil else { return (metric.name, .number(metric.samples.first?.value ?? 0)) }
            let numbers = metric.samples.map { ($0.label ?? "", $0.value) }
            return (metric.name, .numbers(Dictionary(numbers, uniquingKeysWith: +)))
        }
        values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the object.
    package init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: Value].self)
    }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
