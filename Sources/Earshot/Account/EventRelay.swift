import ChatCore
import Synchronization

/// An event of a room's account, or a transition of the room itself.
enum RoomOutput: Sendable {
    /// An event for subscribers.
    case event(ChatEvent)
    /// Transition of the room itself.
    case transition(RoomTransition)
}

/// An ordered queue of outputs from a room's account to the node.
///
/// Up to a limit, events wait for the node. The relay drops events beyond the limit and reports how many it dropped. It
/// never drops a transition. Their number is bounded: each occurs once, except for a new end, of which at most one waits.
final class EventRelay: Sendable {
    private struct Waiting {
        var eventCount = 0
        var droppedCount = 0
        var hasNewEnd = false
    }

    /// The outputs, for one reader.
    ///
    /// The reader calls ``taken(_:)`` for each output that it received.
    let outputs: AsyncStream<RoomOutput>
    private let continuation: AsyncStream<RoomOutput>.Continuation
    private let waiting = Mutex(Waiting())
    private let environment: any NodeEnvironment

    init(_ environment: any NodeEnvironment) {
        self.environment = environment
        (outputs, continuation) = AsyncStream.makeStream(of: RoomOutput.self, bufferingPolicy: .unbounded)
    }

    /// Queues an output; beyond the limit, an event is counted and dropped.
    func yield(_ output: RoomOutput) {
        waiting.withLock { waiting in
            switch output {
            case .transition(.ends):
                guard !waiting.hasNewEnd else { return }
                waiting.hasNewEnd = true
            case .transition: break
            case .event:
                guard waiting.droppedCount == 0, waiting.eventCount < ChatLimits.eventBacklog else {
                    waiting.droppedCount += 1
                    return
                }
                waiting.eventCount += 1
            }
            pass(output)
        }
    }

    /// Notes that the reader has received an output, which makes room.
    ///
    /// After the last event, the reader gets the number of dropped ones.
    func taken(_ output: RoomOutput) {
        waiting.withLock { waiting in
            switch output {
            case .transition(.ends): waiting.hasNewEnd = false
            case .transition: break
            case .event: waiting.eventCount -= 1
            }
            guard waiting.eventCount == 0, waiting.droppedCount > 0 else { return }
            waiting.eventCount = 1
            pass(.event(.lagged(dropped: waiting.droppedCount)))
            waiting.droppedCount = 0
        }
    }

    private func pass(_ output: RoomOutput) {
        environment.workBegan()
        if case .terminated = continuation.yield(output) { environment.workEnded() }
    }

    /// Ends the outputs.
    func finish() { continuation.finish() }
}
