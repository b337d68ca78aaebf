package import ChatCrypto
package import Earshot
package import Foundation

/// A room on the wire.
package struct RoomReply: Codable, Hashable, Sendable {
    /// A member or an applicant.
    package struct Person: Codable, Hashable, Sendable {
        /// The peer ID, which is used in this room alone.
        package let id: String
        /// The peer's name in the room.
        package let name: String
    }

    /// The room's ID.
    ///
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The title.
    package let title: String
    /// The role: `waiting`, `member`, `host`, or `left` for a room of an imported list.
    package let standing: String
    /// All members, including this node.
    package let members: [Person]
    /// The peer ID of the host, who decides about members.
    package let host: String?
    /// The peer ID of this node in the room; absent if this node is not in it.
    package let own: String?
    /// This node's name in the room.
    package let name: String
    /// The time at which the room ends, by the local clock; absent for never.
    package let endsAt: Date?
    /// Whether no member keeps a history of the room.
    package let ephemeral: Bool
    /// The largest number of members.
    package let maximumMembers: Int
    /// The admission policy, `code`, `code+approval` or `open`, if this node is or was the host.
    package let admission: String?
    /// The code to give to others, while there is one.
    package let code: String?
    /// The link to show or send, while there is one.
    package let invite: String?
    /// Whether codes admit no one at the moment, if this node is the host.
    package let shut: Bool?
    /// The applicants, if this node is the host.
    package let waiting: [Person]?

    package init(_ room: Room) {
        id = room.id.description
        title = room.title
        standing = room.role.rawValue
        members = room.members.map { Person(id: $0.id.description, name: $0.name) }
        host = room.host?.description
        own = room.ownID.description
        name = room.nickname
        endsAt = room.endsAt
        ephemeral = room.isEphemeral
        maximumMembers = room.maximumMembers
        admission = room.admissionState?.admission.name
        code = room.admissionState?.code
        invite = room.admissionState?.invite
        shut = room.admissionState?.isAdmissionClosed
        waiting = room.admissionState?.waiting.map { Person(id: $0.id.description, name: $0.name) }
    }
}

extension RoomReply {
    package init(_ entry: RoomEntry) {
        id = entry.id.description
        title = entry.title
        standing = "left"
        members = []
        host = nil
        own = nil
        name = entry.nickname
        endsAt = entry.endsAt
        ephemeral = false
        maximumMembers = entry.maximumMembers
        admission = entry.admission?.name
        code = nil
        invite = nil
        shut = nil
        waiting = nil
    }
}

/// A room that was discovered on the mesh, on the wire.
package struct VisibleRoomReply: Codable, Hashable, Sendable {
    /// The room's ID.
    ///
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The first two digits of the room's codes.
    package let door: Int
    /// The admission policy: `code`, `code+approval` or `open`.
    package let admission: String
    /// Whether codes admit no one at the moment.
    package let shut: Bool
    /// The remaining time at the moment of the announcement; absent for ever.
    ///
    /// Units: seconds.
    package let remaining: Double?

    package init(_ room: VisibleRoom) {
        id = room.id.description
        door = room.door
        admission = room.admission.name
        shut = room.isAdmissionClosed
        remaining = room.remaining.map { $0.fractionalSeconds }
    }
}

/// An event of a room on the wire.
package struct RoomEventReply: Codable, Hashable, Sendable {
    /// The room's ID.
    package let room: String
    /// The event's name.
    package let event: String
    /// The peer ID of the other peer that the event is about.
    package let by: String?
    /// The name that an applicant chose.
    package let name: String?
    /// The new code, for `code`.
    package let code: String?
    /// The new title, for `renamed`.
    package let title: String?

    package init(_ room: GroupID, _ event: RoomEvent) {
        self.room = room.description
        self.event = event.name
        by = event.peer?.description
        name = if case .waiting(.some, let name) = event { name } else { nil }
        code = if case .code(let code) = event { code } else { nil }
        title = if case .changed(.renamed(let title)) = event { title } else { nil }
    }
}

extension RoomAdmission {
    /// The name on the wire.
    package var name: String {
        switch self {
        case .code: "code"
        case .approval: "code+approval"
        case .open: "open"
        }
    }

    /// Finds the policy with this name; nil for any other name.
    package init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = known
    }
}
