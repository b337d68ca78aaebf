/// The state of the model server after the last request, and the time of the next trial.
struct EndpointHealth: Equatable, Sendable {
    /// The reason why the last request failed; nil if it did not fail.
    private(set) var fault: ModelFault?
    /// The time of the next trial; nil while the server answers.
    private(set) var retryAt: ContinuousClock.Instant?
    private var pause = AssistantLimits.retryIntervals.first

    /// Takes the outcome of a request.
    ///
    /// - Returns: The line for the operator; nil if nothing has changed.
    mutating func note(_ outcome: ModelFault?, at now: ContinuousClock.Instant) -> String? {
        guard let outcome else {
            let isChange = fault != nil
            self = EndpointHealth()
            return isChange ? "The model server answers." : nil
        }
        let isChange = fault?.kind != outcome.kind
        fault = outcome
        // A question while the server is down does not postpone the next trial.
        guard retryAt.map({ $0 <= now }) ?? true else { return isChange ? outcome.description : nil }
        retryAt = now.advanced(by: pause)
        pause = min(pause * 2, AssistantLimits.retryIntervals.longest)
        return isChange ? outcome.description : nil
    }
}
