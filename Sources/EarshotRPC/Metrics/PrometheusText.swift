package import Earshot

/// The text format that Prometheus and similar programs read.
///
/// Source: Prometheus, "Exposition formats", text format version 0.0.4.
package enum PrometheusText {
    /// The text's media type.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Encodes the metrics, each with its help text and its type.
    package static func encode(_ metrics: [Metric]) -> String {
        metrics.map(encode).joined()
    }

    private static func encode(_ metric: Metric) -> String {
        var text = "# HELP \(metric.name) \(escaped(metric.help))\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        for sample in metric.samples {
            text += metric.name
            if let name = metric.labelName, let label = sample.label {
                text += "{\(name)=\"\(escaped(label).replacing("\"", with: "\\\""))\"}"
            }
            text += " \(number(sample.value))\n"
        }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    /// Formats a number.
    ///
    /// Whole numbers have no point, up to the limit of exact whole numbers of a Double.
    private static func number(_ value: Double) -> String {
        value.magnitude < 9e15 && value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }
}
