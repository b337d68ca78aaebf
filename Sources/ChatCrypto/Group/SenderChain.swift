#if DEBUG
    import Synchronization

    /// A count of steps, for tests.
    final class StepCount: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() { count.withLock { $0 += 1 } }
    }
#endif

/// A sender's chain of message keys, which goes forward only.
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

    /// The next message's key; the chain cannot give it again.
    mutating func advance() -> SecretBytes {
        let messageKey = HMACSHA256.secretCode([1], key: chainKey)
        skip()
        return messageKey
    }

    /// Passes over the next message.
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
