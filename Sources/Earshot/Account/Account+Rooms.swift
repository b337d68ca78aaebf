import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore

/// The account of a room.
extension Account {
    /// Returns the room as it is shown; nil until this node is a member or waits for admission, and after the room's
    /// end.
    func roomView() -> Room? { engine.roomView(at: now()) }

    /// Returns the remaining time of the room; nil for a room without end.
    ///
    /// Units: milliseconds.
    func roomTimeLeft() -> UInt64? {
        guard let end = engine.room?.end, end != .distantFuture else { return nil }
        let (seconds, attoseconds) = now().monotonic.duration(to: end).components
        return UInt64(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    /// Creates the room.
    func foundRoom(_ plan: RoomPlan) async throws(ChatError) -> Room {
        try await changeRoom { engine in try engine.foundRoom(plan) }
    }

    /// Begins to join the room.
    func enterRoom(_ credential: JoinCredential, beacons: [RoomBeacon]) async throws(ChatError) {
        try await transact { engine in
            try engine.enterRoom(credential, beacons: beacons)
        }
    }

    /// Notifies the members that this node leaves.
    func sendLeaveMessages() async throws(ChatError) {
        try await transact { engine in try engine.leaveRoom() }
    }

    /// Changes the room and returns it as it is afterwards.
    func changeRoom(
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> Room {
        try await transact { engine in
            try body(&engine)
            guard let room = engine.roomView(at: engine.step.time) else { throw ChatNode.roomOver }
            return room
        }
    }

    /// Stops the account and copies its rows into the store of a folder.
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

    /// Ends all work and closes the store; an error of the store is logged.
    func stop(because reason: ChatError) async {
        await end(because: reason)
        do {
            try await close()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }
}
