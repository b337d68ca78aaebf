/// The event queue of a client.
///
/// The queue is bounded: if the program takes no event until `RPCLimits.clientEventCount` events wait, later ones are
/// dropped. The next event that has room again follows a `lagged` event with the number of dropped ones. One actor owns
/// and uses the queue.
struct ClientEvents {
    let stream: AsyncStream<RPCEvent>
    private let continuation: AsyncStream<RPCEvent>.Continuation
    private var dropped = 0

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(RPCLimits.clientEventCount))
    }

    mutating func add(_ event: RPCEvent) {
        if dropped > 0 {
            guard case .enqueued = continuation.yield(.lagged(dropped: dropped)) else {
                dropped += 1
                return
            }
            dropped = 0
        }
        if case .dropped = continuation.yield(event) { dropped += 1 }
    }

    func finish() {
        continuation.finish()
    }
}
