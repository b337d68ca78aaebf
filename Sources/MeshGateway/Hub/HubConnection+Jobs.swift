import Foundation
package import GatewayCore

extension HubConnection {
    /// Runs a job to its end.
    ///
    /// - Throws: What the job found, or the reason why the connection ended.
    package func run<Job: HubJob>(_ job: Job) async throws(HubError) -> Job.Outcome {
        for case .closed in inbox.take() { throw loss }
        var job = job
        let first = reserveNumbers()
        let start = ContinuousClock.now
        let alarm = Task { [inbox] in
            guard (try? await Task.sleep(for: HubLimits.answerTime)) != nil else { return }
            inbox.expire(first)
        }
        defer { alarm.cancel() }
        send(job.begin(), from: first)
        for await _ in inbox.bell {
            for event in inbox.take().compactMap({ Self.own($0, from: first) }) {
                switch job.take(event, after: start.duration(to: .now), at: .now) {
                case .wait: continue
                case .ask(let requests): send(requests, from: first)
                case .done(let outcome): return outcome
                case .failed(let error): throw error.code == .lost ? loss : error
                }
            }
        }
        throw .lost(hub)
    }

    /// Returns an event with the job's own numbers; nil for one of another job.
    private static func own(_ event: HubEvent, from first: UInt64) -> HubEvent? {
        switch event {
        case .answer(let number, let answer):
            guard number >= first, number - first < HubLimits.questionCount else { return nil }
            return .answer(number - first, answer)
        case .timeUp(let other): return other == first ? event : nil
        case .mail, .closed: return event
        }
    }
}
