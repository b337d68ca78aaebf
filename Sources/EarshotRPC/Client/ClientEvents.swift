/// The events that a client holds for its program.
///
/// Bounded: when the program takes none for so long that `RPCLimits.clientEventCount` wait, later ones are dropped, and
/// the first that has room again comes after a `lagged` that counts them. Owned and used by one actor.
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
