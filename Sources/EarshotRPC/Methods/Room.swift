import ChatCrypto
package import Earshot
import Foundation

package struct RoomsCall: RPCMethod {
    package static let name = "rooms"
    package static let summary = "Lists the rooms that this node is in, and those of imported lists."
    package static let example = RoomsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> [RoomReply] {
        try await node.rooms.all().map(RoomReply.init) + node.rooms.former().map(RoomReply.init)
    }
}

package struct VisibleRoomsCall: RPCMethod {
    package static let name = "room.visible"
    package static let summary = "Lists the rooms nearby."
    package static let example = VisibleRoomsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> [VisibleRoomReply] {
        try await node.rooms.nearby().map(VisibleRoomReply.init)
    }
}

package struct CreateRoomCall: RPCMethod {
    package static let name = "room.create"
    package static let summary = "Creates a room that this node hosts."
    package static let parameters: RPCParameters = [
        "title": "The title.", "name": "The user's name in the room.",
        "expiresAfter": "Seconds that the room lasts; 24 hours by default.",
        "admission": "`code`, the default, `code+approval` or `open`.",
        "maximumMembers": "The largest number of members, 2 to 4,096; 128 by default.",
        "ephemeral": "True for a room of which no member keeps a history.", "history": Meaning.history,
    ]
    package static let example: CreateRoomCall = {
        var plan = RoomPlan(title: "Picnic", nickname: "Al")
        plan.admission = .approval
        return CreateRoomCall(plan)
    }()

    /// A new room.
    package struct Reply: Codable, Hashable, Sendable {
        /// The room's ID.
        package let room: String
        /// The code to give to others; absent in a room that is open to all peers.
        package let code: String?
        /// The link to show or send.
        package let invite: String?
    }

    let title: String
    let name: String?
    let expiresAfter: Double?
    let admission: String?
    let maximumMembers: Int?
    let ephemeral: Bool?
    let history: String?

    package init(_ plan: RoomPlan) {
        title = plan.title
        name = plan.nickname
        expiresAfter = plan.expiresAfter.fractionalSeconds
        admission = plan.admission.name
        maximumMembers = plan.maximumMembers
        ephemeral = plan.isEphemeral
        history = plan.history.description
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        var plan = RoomPlan(title: title, nickname: name)
        if let life = try Duration(parameter: "expiresAfter", expiresAfter) { plan.expiresAfter = life }
        if let admission {
            guard let known = RoomAdmission(name: admission) else {
                throw RPCError(.invalidParameters, "The parameter `admission` is code, code+approval or open.")
            }
            plan.admission = known
        }
        if let maximumMembers { plan.maximumMembers = maximumMembers }
        plan.isEphemeral = ephemeral ?? false
        if let history { plan.history = try GroupPolicy.History(parameter: history) }
        let room = try await node.rooms.create(plan)
        return Reply(room: room.id.description, code: room.admissionState?.code, invite: room.admissionState?.invite)
    }
}

package struct JoinRoomCall: RPCMethod {
    package static let name = "room.join"
    package static let summary = "Joins a room."
    package static let parameters: RPCParameters = [
        "code": "A code, an invite, or the id of an open room.", "name": "The user's name in the room.",
    ]
    package static let waitsForPeer = true
    package static let example = JoinRoomCall(code: "47-482913", name: "Al")

    let code: String
    let name: String?

    package init(code: String, name: String?) { (self.code, self.name) = (code, name) }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        guard let credential = JoinCredential(code) else {
            throw RPCError(
                .invalidParameters,
                "A room's code has eight digits, as 47-482913; an invite begins with earshot:room."
            )
        }
        return RoomReply(try await node.rooms.join(credential, as: name))
    }
}

package struct ApproveCall: RPCMethod {
    package static let name = "room.approve"
    package static let summary = "Admits an applicant to a room, or rejects them."
    package static let parameters: RPCParameters = [
        "room": Meaning.room, "joiner": "The applicant's peer id, its first eight or more digits, or their name.",
        "admit": "Whether to admit them; true by default.",
    ]
    package static let example = ApproveCall(room: "Picnic", joiner: "Bea", admit: true)

    let room: String
    let joiner: String
    let admit: Bool?

    package init(room: String, joiner: String, admit: Bool) {
        (self.room, self.joiner, self.admit) = (room, joiner, admit)
    }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        let known = try await node.rooms.named(room)
        return RoomReply(
            try await node.rooms.answer(try known.applicant(named: joiner), at: known.id, admits: admit ?? true)
        )
    }
}

package struct DoorCall: RPCMethod {
    package static let name = "room.door"
    package static let summary = "Gives a room a new code and invite, or invalidates both."
    package static let parameters: RPCParameters = ["room": Meaning.room, "open": "True for a new code and invite."]
    package static let example = DoorCall(room: "Picnic", open: true)

    let room: String
    let open: Bool

    package init(room: String, open: Bool) { (self.room, self.open) = (room, open) }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        let id = try await node.rooms.named(room).id
        return RoomReply(try await node.rooms.setAdmission(isOpen: open, of: id))
    }
}

package struct RenameRoomCall: RPCMethod {
    package static let name = "room.rename"
    package static let summary = "Renames a room."
    package static let parameters: RPCParameters = ["room": Meaning.room, "title": "The new title."]
    package static let example = RenameRoomCall(room: "Picnic", title: "Party")

    let room: String
    let title: String

    package init(room: String, title: String) { (self.room, self.title) = (room, title) }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        let known = try await node.rooms.named(room)
        _ = try await node.group(known.id).rename(to: title)
        return try await known.reply(from: node)
    }
}

package struct RemoveFromRoomCall: RPCMethod {
    package static let name = "room.remove"
    package static let summary = "Removes a member from a room."
    package static let parameters: RPCParameters = ["room": Meaning.room, "member": Meaning.member]
    package static let example = RemoveFromRoomCall(room: "Party", member: "Bea")

    let room: String
    let member: String

    package init(room: String, member: String) { (self.room, self.member) = (room, member) }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        let known = try await node.rooms.named(room)
        _ = try await node.group(known.id).remove(try known.member(named: member))
        return try await known.reply(from: node)
    }
}

package struct HandOverRoomCall: RPCMethod {
    package static let name = "room.handover"
    package static let summary = "Makes another member the host of a room."
    package static let parameters: RPCParameters = ["room": Meaning.room, "member": Meaning.member]
    package static let example = HandOverRoomCall(room: "Party", member: "Bea")

    let room: String
    let member: String

    package init(room: String, member: String) { (self.room, self.member) = (room, member) }

    package func perform(on node: ChatNode) async throws -> RoomReply {
        let known = try await node.rooms.named(room)
        _ = try await node.group(known.id).transferOwnership(to: try known.member(named: member))
        return try await known.reply(from: node)
    }
}

package struct LeaveRoomCall: RPCMethod {
    package static let name = "room.leave"
    package static let summary = "Leaves a room and deletes it here; the host's room ends for everybody."
    package static let parameters: RPCParameters = ["room": Meaning.room]
    package static let example = LeaveRoomCall(room: "Party")

    let room: String

    package init(room: String) { self.room = room }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let id: GroupID
        do throws(ChatError) {
            id = try await node.rooms.named(room).id
        } catch  where error.code == .notFound {
            id = try await node.rooms.formerNamed(room).id
        }
        try await node.rooms.leave(id)
        return EmptyReply()
    }
}

extension Room {
    /// Reads the present state of the room.
    fileprivate func reply(from node: ChatNode) async throws(ChatError) -> RoomReply {
        RoomReply(try await node.rooms.named(id.description))
    }
}
