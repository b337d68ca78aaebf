import MeshCore

/// The effects that wait for a node's one consumer.
///
/// Nothing in it is ever lost. It has no bound of its own: the node stops taking datagrams while more than its limit
/// wait, so what comes on top is what one event can bring. Invariant: a consumer waits only while nothing else does.
struct OutputQueue {
    private var waiting: [MeshEffect] = []
    private var consumer: CheckedContinuation<[MeshEffect]?, Never>?
    private var isFinished = false

    var count: Int { waiting.count }

    mutating func append(_ output: MeshEffect) {
        waiting.append(output)
    }

    /// Hands all that waits to the consumer, if one is there.
    mutating func handOver() {
        guard !waiting.isEmpty, let consumer else { return }
        self.consumer = nil
        consumer.resume(returning: takeAll())
    }

    /// Answers the consumer with all that waits, at once or as soon as there is anything; with nil after the end.
    mutating func wait(_ continuation: CheckedContinuation<[MeshEffect]?, Never>) {
        precondition(consumer == nil, "a node's outputs have one consumer, and it waits already")
        if waiting.isEmpty, isFinished {
            continuation.resume(returning: nil)
        } else {
            consumer = continuation
            handOver()
        }
    }

    /// Answers a waiting consumer with nil and lets the next one have what comes.
    mutating func cancelWaiting() {
        consumer?.resume(returning: nil)
        consumer = nil
    }

    /// Nothing comes any more.
    mutating func finish() {
        isFinished = true
        handOver()
        cancelWaiting()
    }

    private mutating func takeAll() -> [MeshEffect] {
        defer { waiting = [] }
        return waiting
    }
}
