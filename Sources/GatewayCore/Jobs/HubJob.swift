package import Foundation

/// Questions to a hub that lead to one result: a pure value, which takes the hub's messages and says what to ask next.
package protocol HubJob: Sendable {
    /// The result.
    associatedtype Outcome: Sendable

    /// The first requests.
    func begin() -> [HubRequest]

    /// Takes one message of the hub.
    ///
    /// - Parameters:
    ///   - elapsed: The time since the first requests.
    ///   - now: The wall clock.
    mutating func take(_ event: HubEvent, after elapsed: Duration, at now: Date) -> HubStep<Outcome>
}

/// The next step of a job.
package enum HubStep<Outcome: Sendable>: Sendable {
    /// Nothing is to be done but to wait.
    case wait
    /// These requests are to be sent.
    case ask([HubRequest])
    /// The job has its result.
    case done(Outcome)
    /// The job has failed.
    case failed(HubError)
}
