import MeshCore

/// The effects that wait for a node's one consumer.
///
/// Nothing in it is ever lost. It has no bound of its own: the node takes no datagrams while more than its limit wait,
/// so only the effects of one event come on top. Invariant: a consumer waits only while nothing else does.
struct OutputQueue {
    private var waiting: [MeshEffect] = []
    private var consumer: CheckedContinuation<[MeshEffect]?, Never>?
    private var isFinished = false

    var count: Int { waiting.count }

    mutating func append(_ output: MeshEffect) {
        waiting.append(output)
    }

    /// Hands all waiting effects to the consumer, if one waits.
    mutating func handOver() {
        guard !waiting.isEmpty, let consumer else { return }
        self.consumer = nil
        consumer.resume(returning: takeAll())
    }

    /// Resumes the consumer with all waiting effects, at once or as soon as there are any; with nil after the end.
    mutating func wait(_ continuation: CheckedContinuation<[MeshEffect]?, Never>) {
        precondition(consumer == nil, "a node's outputs have one consumer, and it waits already")
        if waiting.isEmpty, isFinished {
            continuation.resume(returning: nil)
        } else {
            consumer = continuation
            handOver()
        }
    }

    /// Resumes a waiting consumer with nil; the next consumer gets what comes.
    mutating func cancelWaiting() {
        consumer?.resume(returning: nil)
        consumer = nil
    }

    /// Ends the queue: nothing comes any more.
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
