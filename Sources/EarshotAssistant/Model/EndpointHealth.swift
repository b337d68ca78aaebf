/// How the model server is doing, as far as it was tried, and when it is tried again.
struct EndpointHealth: Equatable, Sendable {
    /// Why the last request failed; nil while none has.
    private(set) var fault: ModelFault?
    /// When it is to be tried again; nil while it answers.
    private(set) var retryAt: ContinuousClock.Instant?
    private var pause = AssistantLimits.retryIntervals.first

    /// Takes the outcome of a request.
    ///
    /// - Returns: What whoever runs the assistant is told, if it is news.
    mutating func note(_ outcome: ModelFault?, at now: ContinuousClock.Instant) -> String? {
        guard let outcome else {
            let isNews = fault != nil
            self = EndpointHealth()
            return isNews ? "The model server answers." : nil
        }
        let isNews = fault?.kind != outcome.kind
        fault = outcome
        // A question while it is down does not put the next trial off.
        guard retryAt.map({ $0 <= now }) ?? true else { return isNews ? outcome.description : nil }
        retryAt = now.advanced(by: pause)
        pause = min(pause * 2, AssistantLimits.retryIntervals.longest)
        return isNews ? outcome.description : nil
    }
}
