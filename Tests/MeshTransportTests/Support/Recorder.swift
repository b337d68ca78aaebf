import Synchronization

/// A record of elements in the order of their arrival; tests can wait for a condition on them.
final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var all: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// All elements so far, in order.
    var all: [Element] { state.withLock { $0.all } }

    func append(_ more: [Element]) {
        // A task that is cancelled holds a lock of its own while it removes its waiter here, and one that is resumed takes
        // that lock. So none is resumed under the lock of this record.
        let met = state.withLock { state in
            state.all += more
            let met = state.waiters.filter { $0.value.isMet(state.all) }
            for credential in met.keys { state.waiters[credential] = nil }
            return met.values
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Waits until the elements so far satisfy a condition; a test's time limit ends the wait.
    func wait(until isMet: @escaping @Sendable ([Element]) -> Bool) async throws {
        let credential = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { state in
                    if Task.isCancelled {
                        continuation.resume(throwing: CancellationError())
                    } else if isMet(state.all) {
                        continuation.resume()
                    } else {
                        state.waiters[credential] = Waiter(isMet: isMet, continuation: continuation)
                    }
                }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: credential) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
