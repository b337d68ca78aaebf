import CErasure
import Earshot

/// Clears what rooms that are over have left on the stacks of this process.
///
/// Memory that is freed clears itself, which CErasure sees to. What calls have left on stacks is cleared some moments after
/// a room has ended, when its end has been told to everybody.
enum RoomErasure {
    /// Between what is done after an end: threads may be busy with it at first, and keep what they copied last in
    /// registers until they copy something else.
    private static let pauses = [1, 2, 3, 5, 8, 13, 60].map { Duration.seconds($0) }

    /// Watches the events of a node until they end.
    static func watch(_ events: AsyncStream<ChatEvent>) async {
        // In a task of its own, whose memory goes with it: this loop is to keep nothing of a room.
        while await Task(operation: { await hasEnd(events) }).value {
            for pause in pauses {
                try? await Task.sleep(for: pause)
                earshot_clear_stacks()
            }
        }
    }

    /// Waits for the end of a room; false where there is nothing more to wait for.
    private static func hasEnd(_ events: AsyncStream<ChatEvent>) async -> Bool {
        for await event in events {
            switch event {
            // Somebody who was told too much may have missed an end.
            case .room(_, .closed), .room(_, .expired), .room(_, .rejected), .lagged: return true
            default: break
            }
        }
        return false
    }
}
