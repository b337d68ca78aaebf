public import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// The list of rooms, to be kept elsewhere and imported again: names, rules and ends, never keys or messages.
extension ChatNode {
    /// Returns the rooms that this node is in, and those of imported lists; ephemeral rooms are left out.
    public func roomList() async -> [RoomEntry] {
        await rooms().compactMap { RoomEntry($0) } + (await leftRooms())
    }

    /// Returns the rooms of imported lists that this node is not in, by title.
    ///
    /// Joining one takes a code, as for any other room.
    public func leftRooms() async -> [RoomEntry] {
        let over = registry.left.expire(at: configuration.time.date)
        if !over.isEmpty {
            do throws(ChatError) {
                try await forget(over)
            } catch {
                await account.report(error)
            }
        }
        return registry.left.entries.filter { registry.number(of: $0.id) == nil }
            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    /// Returns the room of an imported list that a user means by its title, its id or the first eight or more digits of
    /// it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func leftRoom(named who: String) async throws(ChatError) -> RoomEntry {
        try Self.only(await leftRooms(), named: who) { $0.title }
    }

    /// Adds rooms that this node is not in to the list.
    ///
    /// - Parameter list: The entries of another list, or of an earlier one of this node; rooms that are over or known
    ///   are skipped.
    /// - Returns: The added entries.
    /// - Throws: `badDuration` for a room that would last longer than any room may, `limited`, or the store's error;
    ///   then nothing has been added.
    @discardableResult
    public func importRooms(_ list: [RoomEntry]) async throws(ChatError) -> [RoomEntry] {
        try checkRunning()
        let open = registry.ids
        let added = try registry.left.add(list, except: open, at: configuration.time.date)
        guard !added.isEmpty else { return [] }
        do {
            try await account.transact { engine in
                for entry in added { engine.step.put(.roomList, entry.id.bytes, entry.record) }
            }
            return added
        } catch {
            for entry in added { _ = registry.left.remove(entry.id) }
            throw error
        }
    }

    /// Removes a room from the list; returns false if it is not in it.
    @discardableResult
    func unlist(_ room: GroupID) async throws(ChatError) -> Bool {
        guard registry.left.remove(room) else { return false }
        try await forget([room])
        return true
    }

    private func forget(_ rooms: [GroupID]) async throws(ChatError) {
        try await account.transact { engine in
            for room in rooms { engine.step.delete(.roomList, room.bytes) }
        }
    }
}
