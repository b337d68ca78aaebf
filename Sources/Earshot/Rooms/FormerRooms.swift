import ChatCore
import ChatCrypto
import Foundation

/// The rooms of imported lists, which can be joined again by their codes.
///
/// A pure value: bounded, with one entry per room and none whose time is over. Source: PROTOCOL §17.7.
struct FormerRooms: Sendable {
    /// The entries, in no order.
    private(set) var entries: [RoomEntry] = []

    /// Makes an empty list.
    init() {}

    /// Restores the entries that a node has stored; those whose time is over are left out.
    init(restoring records: [ProtoRoomEntry], at now: Date) {
        entries = records.compactMap { RoomEntry($0) }.filter { $0.isOpen(at: now) }
    }

    /// Adds the rooms that are not in the list, not over, and not among those that this node is in.
    ///
    /// - Returns: The added entries.
    /// - Throws: `badDuration`, or `limited`; then nothing has been added.
    mutating func add(
        _ new: [RoomEntry],
        except own: Set<GroupID>,
        at now: Date
    ) throws(ChatError) -> [RoomEntry] {
        var known = own.union(entries.map(\.id))
        var added: [RoomEntry] = []
        let latest = now.addingTimeInterval(Double(RoomRules.longestLife))
        for entry in new where entry.isOpen(at: now) {
            guard entry.endsAt ?? now <= latest else {
                throw ChatError(.badDuration, "A room lasts from 1 second to 365 days.")
            }
            if known.insert(entry.id).inserted { added.append(entry) }
        }
        guard entries.count + added.count <= RoomRules.listCount else {
            throw ChatError(
                .limited,
                "A node lists at most \(RoomRules.listCount) rooms that it is not in. Use 'room leave' to remove one."
            )
        }
        entries += added
        return added
    }

    /// Removes a room; returns false if it is not in the list.
    mutating func remove(_ room: GroupID) -> Bool {
        let count = entries.count
        entries.removeAll { $0.id == room }
        return entries.count < count
    }

    /// Removes the entries whose time is over, and returns their ids.
    mutating func expire(at now: Date) -> [GroupID] {
        let over = entries.filter { !$0.isOpen(at: now) }.map(\.id)
        if !over.isEmpty { entries.removeAll { !$0.isOpen(at: now) } }
        return over
    }
}

extension RoomEntry {
    fileprivate func isOpen(at now: Date) -> Bool { endsAt.map { now < $0 } ?? true }
}
