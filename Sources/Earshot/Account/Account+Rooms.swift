import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore

/// The account of a room.
extension Account {
    /// The room as it is shown; nil while this node is on its way in, and once it is over.
    func roomView() -> Room? { engine.roomView(at: now()) }

    /// How long the room lasts; nil for one without end.
    ///
    /// Units: milliseconds.
    func roomTimeLeft() -> UInt64? {
        guard let end = engine.room?.end, end != .distantFuture else { return nil }
        let (seconds, attoseconds) = now().monotonic.duration(to: end).components
        return UInt64(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    /// Founds the room.
    func foundRoom(_ plan: RoomPlan) async throws(ChatError) -> Room {
        try await changeRoom { engine in try engine.foundRoom(plan) }
    }

    /// Looks for the way in.
    func enterRoom(_ ticket: RoomTicket, beacons: [RoomBeacon]) async throws(ChatError) {
        try await transact { engine in
            try engine.enterRoom(ticket, beacons: beacons)
        }
    }

    /// Tells the others that this node leaves.
    func sayFarewell() async throws(ChatError) {
        try await transact { engine in try engine.leaveRoom() }
    }

    /// Changes the room, and gives it as it is then.
    func changeRoom(
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> Room {
        try await transact { engine in
            try body(&engine)
            guard let room = engine.roomView(at: engine.step.time) else { throw ChatNode.roomOver }
            return room
        }
    }

    /// Stops, and puts all that is kept into a folder.
    func move(to folder: RoomFolder) async throws(ChatError) {
        let copy: SQLiteStore
        do {
            copy = try folder.openStore(newID: databaseID)
        } catch {
            throw ChatError(error)
        }
        defer { try? copy.close() }
        await end(because: ChatNode.stopped)
        try await close(copyingTo: copy)
    }

    /// Ends all work and closes the store, which may refuse that.
    func stop(because reason: ChatError) async {
        await end(because: reason)
        do {
            try await close()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }
}
