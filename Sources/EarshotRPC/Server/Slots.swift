import Synchronization

/// A counter of simultaneous participants, up to a limit.
final class Slots: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a place if one is free.
    func take() -> Bool {
        taken.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func release() {
        taken.withLock { $0 -= 1 }
    }
}
