/// A parser of the text format that is as strict as its specification allows, and rejects everything that monitoring
/// programs warn of.
struct PrometheusParser {
    struct Failure: Error, Equatable {
        let line: String
        let reason: String
    }

    struct Family: Equatable {
        var help: String
        var type = ""
        /// The values by label set, as written between the braces; empty for none.
        var samples: [String: Double] = [:]
    }

    private(set) var families: [String: Family] = [:]
    private var current = ""

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Failure(line: text, reason: "the last line has no end") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# HELP ") {
                try readHelp(line)
            } else if line.hasPrefix("# TYPE ") {
                try readType(line)
            } else {
                try readSample(line)
            }
        }
        for (name, family) in families where family.samples.isEmpty || family.type.isEmpty {
            throw Failure(line: name, reason: "a figure without type or samples")
        }
    }

    private mutating func readHelp(_ line: String) throws {
        guard let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) else {
            throw Failure(line: line, reason: "no help")
        }
        current = String(match.output.1)
        guard families[current] == nil else { throw Failure(line: line, reason: "the figure is there twice") }
        families[current] = Family(help: String(match.output.2))
    }

    private mutating func readType(_ line: String) throws {
        guard let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge)/),
            match.output.1 == current, families[current]?.type == ""
        else { throw Failure(line: line, reason: "a type out of place") }
        guard (match.output.2 == "counter") == current.hasSuffix("_total") else {
            throw Failure(line: line, reason: "counters end with _total, and only they")
        }
        families[current]?.type = String(match.output.2)
    }

    private mutating func readSample(_ line: String) throws {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*")\})? (\S+)/
        guard let match = line.wholeMatch(of: pattern), match.output.1 == current, let value = Double(match.output.3),
            families[current]?.type.isEmpty == false
        else { throw Failure(line: line, reason: "a sample out of place") }
        let labels = match.output.2.map(String.init) ?? ""
        guard families[current]?.samples.updateValue(value, forKey: labels) == nil else {
            throw Failure(line: line, reason: "the sample is there twice")
        }
    }
}
