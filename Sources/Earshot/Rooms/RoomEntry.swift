import ChatCore
public import ChatCrypto
public import Foundation

/// A room in a list that can be kept elsewhere: its names, its rules and its end.
///
/// Nothing in it opens the room, and nothing of it tells what was said or by whom. Source: PROTOCOL §17.7.
public struct RoomEntry: Hashable, Sendable, Identifiable {
    /// The room's name, the same for everybody.
    public let id: GroupID
    /// What it is called.
    public let title: String
    /// What this node's user was called in it.
    public let nickname: String
    /// Who gets in; nil where this node was not the host, who alone knows.
    public let admission: RoomAdmission?
    /// How many may be in it.
    public let maximumMembers: Int
    /// When it ends; nil for never.
    public let endsAt: Date?

    /// Checks an entry, wherever it comes from.
    ///
    /// - Parameters:
    ///   - id: The room's name.
    ///   - title: 1 to 128 bytes of UTF-8.
    ///   - nickname: 1 to 32 bytes of UTF-8.
    ///   - admission: Who gets in, if that is known.
    ///   - maximumMembers: 2 to 128.
    ///   - endsAt: When it ends; nil for never.
    /// - Throws: `badName`, or `badCount`.
    public init(
        id: GroupID,
        title: String,
        nickname: String,
        admission: RoomAdmission?,
        maximumMembers: Int,
        endsAt: Date?
    ) throws(ChatError) {
        do {
            self.title = try GroupTitle(title).text
        } catch {
            throw ChatError(error)
        }
        self.nickname = try NodeOpening.nickname(nickname).text
        guard (2...GroupLimits.maximumMembers).contains(maximumMembers) else {
            throw ChatError(.badCount, "A room takes 2 to \(GroupLimits.maximumMembers) members.")
        }
        self.id = id
        self.admission = admission
        self.maximumMembers = maximumMembers
        self.endsAt = endsAt
    }
}

extension RoomEntry {
    /// What a list tells of a room; nil of one that nobody is to keep anything of, or whose door has not opened yet.
    init?(_ room: Room) {
        guard !room.isEphemeral, room.standing != .waiting else { return nil }
        do throws(ChatError) {
            try self.init(
                id: room.id,
                title: room.title,
                nickname: room.nickname,
                admission: room.door?.admission,
                maximumMembers: room.maximumMembers,
                endsAt: room.endsAt
            )
        } catch {
            return nil
        }
    }

    /// Reads an entry that this node has kept; nil if it is none.
    init?(_ record: ProtoRoomEntry) {
        guard let id = GroupID(bytes: record.id) else { return nil }
        do throws(ChatError) {
            try self.init(
                id: id,
                title: record.title,
                nickname: record.nickname,
                admission: RoomAdmission(saved: record.admission),
                maximumMembers: Int(record.maximumMembers),
                endsAt: record.endsAt == 0 ? nil : Timestamp(clamping: record.endsAt).date
            )
        } catch {
            return nil
        }
    }

    /// The entry as this node keeps it.
    var record: ProtoRoomEntry {
        var record = ProtoRoomEntry()
        record.id = .init(id.bytes)
        record.title = title
        record.nickname = nickname
        record.admission = admission?.saved ?? 0
        record.maximumMembers = UInt32(maximumMembers)
        if let endsAt { record.endsAt = max(1, Timestamp(endsAt).milliseconds) }
        return record
    }
}

extension RoomAdmission {
    /// What a record has of who gets in; it has 0 where that is not known.
    var saved: UInt32 { UInt32(rawValue) + 1 }

    /// Reads what a record has of who gets in; nil where that is not known.
    init?(saved: UInt32) {
        guard saved > 0 else { return nil }
        self.init(rawValue: UInt8(clamping: saved - 1))
    }
}
