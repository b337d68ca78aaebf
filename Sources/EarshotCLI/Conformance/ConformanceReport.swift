import Earshot
import EarshotRPC

/// The steps that another implementation has taken, and the input of it that was refused.
actor ConformanceReport {
    /// A step or a refusal, as the command prints it.
    struct Line: Encodable, Equatable, Sendable {
        /// The step that was taken for the first time.
        var step: ConformanceStep?
        /// The reason of a refusal.
        var refused: String?
        /// The number of times that it was refused.
        var count: Int?
        let words: String
    }

    private var steps: Set<ConformanceStep> = []
    private var counts: [ConformanceRefusal: Int] = [:]

    /// The steps that were not taken, in order.
    var missing: [ConformanceStep] { ConformanceStep.allCases.filter { !steps.contains($0) } }

    /// Notes an event; returns the line of the step that it shows for the first time.
    func note(_ event: ChatEvent) -> Line? {
        guard let step = ConformanceStep(event, isAnswer: steps.contains(.receipt)), steps.insert(step).inserted else {
            return nil
        }
        return Line(step: step, words: step.title)
    }

    /// Notes the metrics; returns a line for each kind of input that was refused since the last ones.
    func note(_ metrics: MetricsReply) -> [Line] {
        ConformanceRefusal.all.compactMap { refusal in
            let count = refusal.count(in: metrics)
            guard count > counts[refusal] ?? 0 else { return nil }
            counts[refusal] = count
            return Line(refused: refusal.reason ?? refusal.metric, count: count, words: refusal.words)
        }
    }
}
