import CErasure
import Earshot

/// The erasure of closed rooms' traces on the stacks of this process.
///
/// CErasure clears all memory that is freed. The traces of calls on stacks are cleared some moments after the end of a
/// room, when all parts of the process have been notified of it.
enum RoomErasure {
    /// The pauses before each clearing.
    ///
    /// At first, threads may be busy with the end. Threads that wait have cleared their registers.
    private static let pauses = [1, 2, 3, 5, 8, 13, 60].map { Duration.seconds($0) }

    /// Watches the events of a node until they end.
    static func watch(_ events: ChatEvents) async {
        // The wait runs in a task of its own, whose memory is freed with it: this loop keeps no data of a room.
        while await Task(operation: { await hasEnd(events) }).value {
            for pause in pauses {
                try? await Task.sleep(for: pause)
                earshot_clear_stacks()
            }
        }
    }

    /// Waits for the end of a room; false once there are no more events.
    private static func hasEnd(_ events: ChatEvents) async -> Bool {
        for await event in events {
            switch event {
            // After missed events, an end may be among them.
            case .room(_, .closed), .room(_, .expired), .room(_, .rejected), .lagged: return true
            default: break
            }
        }
        return false
    }
}
