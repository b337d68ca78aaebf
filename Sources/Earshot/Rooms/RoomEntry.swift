import ChatCore
public import ChatCrypto
public import Foundation

/// A room in a list that can be kept elsewhere: its names, its rules and its end.
///
/// Nothing in it opens the room, or reveals its messages or their authors. Source: PROTOCOL §17.7.
public struct RoomEntry: Hashable, Identifiable, Codable, Sendable {
    /// The room's id, the same for everybody.
    public let id: GroupID
    /// The room's title.
    public let title: String
    /// The nickname of this node's user in the room.
    public let nickname: String
    /// The admission rule; nil if this node was not the host, because only the host knows it.
    public let admission: RoomAdmission?
    /// The largest number of members.
    public let maximumMembers: Int
    /// The end of the room; nil for never.
    public let endsAt: Date?

    /// Checks an entry, wherever it comes from.
    ///
    /// - Parameters:
    ///   - id: The room's id.
    ///   - title: 1 to 128 bytes of UTF-8.
    ///   - nickname: 1 to 32 bytes of UTF-8.
    ///   - admission: The admission rule, if it is known.
    ///   - maximumMembers: 2 to 4,096.
    ///   - endsAt: The end of the room; nil for never.
    /// - Throws: `badName`, or `badCount`.
    public init(
        id: GroupID,
        title: String,
        nickname: String,
        admission: RoomAdmission? = nil,
        maximumMembers: Int = RoomLimits.standardMembers,
        endsAt: Date? = nil
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

    /// Decodes an entry and checks it; one outside the limits is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let (id, title) = (
            try container.decode(GroupID.self, forKey: .id), try container.decode(String.self, forKey: .title)
        )
        let nickname = try container.decode(String.self, forKey: .nickname)
        let admission = try container.decodeIfPresent(RoomAdmission.self, forKey: .admission)
        let maximumMembers = try container.decode(Int.self, forKey: .maximumMembers)
        let endsAt = try container.decodeIfPresent(Date.self, forKey: .endsAt)
        do throws(ChatError) {
            try self.init(
                id: id,
                title: title,
                nickname: nickname,
                admission: admission,
                maximumMembers: maximumMembers,
                endsAt: endsAt
            )
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.reason))
        }
    }
}

extension RoomEntry {
    /// Makes the entry of a room; nil if the room is ephemeral, or if this node waits for admission.
    init?(_ room: Room) {
        guard !room.isEphemeral, room.role != .waiting else { return nil }
        do throws(ChatError) {
            try self.init(
                id: room.id,
                title: room.title,
                nickname: room.nickname,
                admission: room.admissionState?.admission,
                maximumMembers: room.maximumMembers,
                endsAt: room.endsAt
            )
        } catch {
            return nil
        }
    }

    /// Reads a stored entry; nil if it is not valid.
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

    /// The entry in its stored form.
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
    /// The admission rule in the form of a record, which has 0 for an unknown rule.
    var saved: UInt32 { UInt32(rawValue) + 1 }

    /// Reads the admission rule of a record; nil if it is unknown.
    init?(saved: UInt32) {
        guard saved > 0 else { return nil }
        self.init(rawValue: UInt8(clamping: saved - 1))
    }
}
