import CNATS
import Foundation
import Synchronization

/// One attempt to connect, on a thread of its own.
///
/// The library waits without a limit for a server that begins TLS and then says nothing. The attempt is over after a
/// time; its thread then ends the connection, should there ever be one.
final class HubAttempt: Sendable {
    /// The result of the attempt.
    struct Outcome: Sendable {
        let status: natsStatus
        /// The place in memory of the connection; 0 without one.
        let connection: UInt
        /// The library's words for a failure.
        let reason: String
    }

    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// Connects with options, which the attempt destroys.
    func outcome(of options: OpaquePointer, within limit: Duration) async -> Outcome {
        let place = UInt(bitPattern: options)
        Thread.detachNewThread { self.connect(place) }
        let alarm = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            _ = settle(Outcome(status: NATS_TIMEOUT, connection: 0, reason: ""))
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private func connect(_ place: UInt) {
        let options = OpaquePointer(bitPattern: place)
        defer { natsOptions_Destroy(options) }
        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, options)
        let reason = String(cString: nats_GetLastError(nil) ?? natsStatus_GetText(status))
        let outcome = Outcome(status: status, connection: UInt(bitPattern: connection), reason: reason)
        if !settle(outcome) { natsConnection_Destroy(connection) }
    }

    /// Takes the first outcome; returns false for a later one.
    private func settle(_ outcome: Outcome) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard state.outcome == nil else { return (false, nil as CheckedContinuation<Outcome, Never>?) }
            defer { state.waiter = nil }
            state.outcome = outcome
            return (true, state.waiter)
        }
        waiter?.resume(returning: outcome)
        return isFirst
    }
}
