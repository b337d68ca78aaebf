import ChatCore
import Synchronization

/// An event or news from a room's account.
enum RoomOutput: Sendable {
    /// Something that its subscribers are told.
    case event(ChatEvent)
    /// Something about the room itself.
    case news(RoomNews)
}

/// The way from a room's account to the node, in order.
///
/// Events wait up to a limit for the node, which is told how many it missed beyond that. News are never
/// dropped, and bounded by what they are: each comes once, but for a new end, of which one waits at a time.
final class EventRelay: Sendable {
    private struct Waiting {
        var eventCount = 0
        var droppedCount = 0
        var hasNewEnd = false
    }

    /// What it tells, for one reader, which says of each that it has taken it.
    let outputs: AsyncStream<RoomOutput>
    private let continuation: AsyncStream<RoomOutput>.Continuation
    private let waiting = Mutex(Waiting())

    init() {
        (outputs, continuation) = AsyncStream.makeStream(of: RoomOutput.self, bufferingPolicy: .unbounded)
    }

    /// Tells something, as far as there is room.
    func yield(_ output: RoomOutput) {
        waiting.withLock { waiting in
            switch output {
            case .news(.ends):
                guard !waiting.hasNewEnd else { return }
                waiting.hasNewEnd = true
            case .news: break
            case .event:
                guard waiting.droppedCount == 0, waiting.eventCount < ChatLimits.eventBacklog else {
                    waiting.droppedCount += 1
                    return
                }
                waiting.eventCount += 1
            }
            continuation.yield(output)
        }
    }

    /// The reader has something in hand, which makes room; once it has all, it is told what it missed.
    func taken(_ output: RoomOutput) {
        waiting.withLock { waiting in
            switch output {
            case .news(.ends): waiting.hasNewEnd = false
            case .news: break
            case .event: waiting.eventCount -= 1
            }
            guard waiting.eventCount == 0, waiting.droppedCount > 0 else { return }
            waiting.eventCount = 1
            continuation.yield(.event(.lagged(dropped: waiting.droppedCount)))
            waiting.droppedCount = 0
        }
    }

    /// Ends what it tells.
    func finish() { continuation.finish() }
}
