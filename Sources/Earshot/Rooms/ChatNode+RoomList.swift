public import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// The list of rooms, to be kept elsewhere and taken up again: names, rules and ends, never keys or messages.
extension ChatNode {
    /// The rooms this node is in, and those of imported lists; without those that nobody is to keep anything of.
    public func roomList() async -> [RoomEntry] {
        await rooms().compactMap { RoomEntry($0) } + (await leftRooms())
    }

    /// The rooms of imported lists that this node is not in, by their titles; a code lets it into one as into any other.
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

    /// The room of an imported list that a person means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: What the person typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func leftRoom(named who: String) async throws(ChatError) -> RoomEntry {
        try Self.only(await leftRooms(), named: who) { $0.title }
    }

    /// Lists rooms that this node is not in.
    ///
    /// - Parameter list: What another list, or this one earlier, told of them; rooms that are over, or known, are passed over.
    /// - Returns: Those that are listed now and were not before.
    /// - Throws: `badDuration` for one that would last longer than any room, `limited`, or what the store refuses; nothing
    ///   has been listed then.
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

    /// Takes a room out of the list; false if it is not in it.
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
