#if DEBUG
    import Synchronization

    /// A count of steps, for tests.
    final class StepCount: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() { count.withLock { $0 += 1 } }
    }
#endif

/// A chain of a sender's message keys; it only moves forward.
///
/// Source: PROTOCOL §16, with the steps of §8.
struct SenderChain: Sendable {
    private(set) var chainKey: SecretBytes
    /// The iteration of the next message.
    private(set) var next: UInt32

    init(chainKey: SecretBytes, next: UInt32) {
        self.chainKey = chainKey
        self.next = next
    }

    /// Answers the key of the next message and moves past it; the chain cannot answer this key again.
    mutating func advance() -> SecretBytes {
        let messageKey = HMACSHA256.secretCode([1], key: chainKey)
        skip()
        return messageKey
    }

    /// Skips the next message.
    mutating func skip() {
        #if DEBUG
            Self.steps?.add()
        #endif
        chainKey = HMACSHA256.secretCode([2], key: chainKey)
        next += 1
    }

    #if DEBUG
        /// Counts the steps of all chains within a test's task.
        @TaskLocal static var steps: StepCount?
    #endif
}
