import ChatCrypto
package import Earshot

/// The rooms.
package struct RoomsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "rooms"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async -> [RoomReply] {
        await node.rooms().map(RoomReply.init) + node.leftRooms().map(RoomReply.init)
    }
}

/// The rooms that are heard on the mesh.
package struct VisibleRoomsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.visible"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async -> [VisibleRoomReply] {
        await node.visibleRooms().map(VisibleRoomReply.init)
    }
}

/// Makes a room.
package struct CreateRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.create"
    /// The names of its parameters.
    package static let parameters = [
        "title", "name", "expiresAfter", "admission", "maximumMembers", "ephemeral", "history",
    ]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The room's id.
        package let room: String
        /// The code to tell others; absent in a room for everybody.
        package let code: String?
        /// The link to show or send.
        package let invite: String?
    }

    /// What it is to be called.
    package let title: String
    /// What this node is called in it.
    package let name: String?
    /// Units: seconds; 24 hours if left out.
    package let expiresAfter: Double?
    /// `code` if left out, `code+approval` or `open`.
    package let admission: String?
    /// How many may be in it; 128 if left out.
    package let maximumMembers: Int?
    /// Whether nobody keeps a history of it.
    package let ephemeral: Bool?
    /// What who comes later is given of what was said before: `none` if left out, `last:` and how many, or `all`.
    package let history: String?

    /// Makes the call.
    package init(_ plan: RoomPlan) {
        title = plan.title
        name = plan.nickname
        expiresAfter = RPCCoding.seconds(plan.expiresAfter)
        admission = plan.admission.name
        maximumMembers = plan.maximumMembers
        ephemeral = plan.isEphemeral
        history = plan.history.description
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
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
        if let history { plan.history = try RPCError.history(named: history) }
        do {
            let room = try await node.createRoom(plan)
            return Reply(room: room.id.description, code: room.door?.code, invite: room.door?.invite)
        } catch {
            throw RPCError(error)
        }
    }
}

/// Joins a room.
package struct JoinRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.join"
    /// The names of its parameters.
    package static let parameters = ["code", "name"]
    /// Its answer depends on the host.
    package static let waitsForPeer = true

    /// A code, an invite, or the id of a room for everybody.
    package let code: String
    /// What this node is called in it.
    package let name: String?

    /// Makes the call.
    package init(code: String, name: String?) {
        self.code = code
        self.name = name
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        guard let ticket = RoomTicket(code) else {
            throw RPCError(
                .invalidParameters,
                "A room's code has eight digits, as 47-482913; an invite begins with earshot:room."
            )
        }
        return try await RPCError.translating { () throws(ChatError) in
            RoomReply(try await node.joinRoom(ticket, as: name))
        }
    }
}

/// Lets somebody in who waits at a room's door, or turns them down.
package struct ApproveCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.approve"
    /// The names of its parameters.
    package static let parameters = ["room", "joiner", "admit"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String
    /// Who: a peer id, its beginning, or the name that they want to have.
    package let joiner: String
    /// Whether to let them in; true if left out.
    package let admit: Bool?

    /// Makes the call.
    package init(room: String, joiner: String, admit: Bool) {
        self.room = room
        self.joiner = joiner
        self.admit = admit
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        try await RPCError.translating { () throws(ChatError) in
            let known = try await node.room(named: room)
            let people = (known.door?.waiting ?? []).map { (id: $0.id, name: $0.name) }
            let applicant = try Room.person(named: joiner, of: people, "Nobody called '\(joiner)' waits at the door.")
            return RoomReply(try await node.answer(applicant, at: known.id, admits: admit ?? true))
        }
    }
}

/// Opens a room's door under a new code, or shuts it.
package struct DoorCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.door"
    /// The names of its parameters.
    package static let parameters = ["room", "open"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String
    /// Whether to open it.
    package let open: Bool

    /// Makes the call.
    package init(room: String, open: Bool) {
        self.room = room
        self.open = open
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        try await RPCError.translating { () throws(ChatError) in
            let id = try await node.room(named: room).id
            return RoomReply(open ? try await node.openDoor(of: id) : try await node.shutDoor(of: id))
        }
    }
}

/// Gives a room another title.
package struct RenameRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.rename"
    /// The names of its parameters.
    package static let parameters = ["room", "title"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String
    /// The new title.
    package let title: String

    /// Makes the call.
    package init(room: String, title: String) {
        self.room = room
        self.title = title
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        try await node.changing(room) { id throws(ChatError) in _ = try await node.rename(id, to: title) }
    }
}

/// Puts somebody out of a room.
package struct RemoveFromRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.remove"
    /// The names of its parameters.
    package static let parameters = ["room", "member"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String
    /// Who: a peer id, its beginning, or a name in the room.
    package let member: String

    /// Makes the call.
    package init(room: String, member: String) {
        self.room = room
        self.member = member
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        try await node.changing(room) { id throws(ChatError) in
            _ = try await node.remove(try await node.member(named: member, of: id), from: id)
        }
    }
}

/// Hands a room over to another member.
package struct HandOverRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.handover"
    /// The names of its parameters.
    package static let parameters = ["room", "member"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String
    /// Who is to host it: a peer id, its beginning, or a name in the room.
    package let member: String

    /// Makes the call.
    package init(room: String, member: String) {
        self.room = room
        self.member = member
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RoomReply {
        try await node.changing(room) { id throws(ChatError) in
            _ = try await node.handOver(id, to: try await node.member(named: member, of: id))
        }
    }
}

/// Leaves a room, of which nothing stays; if this node hosts it, for nobody.
package struct LeaveRoomCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "room.leave"
    /// The names of its parameters.
    package static let parameters = ["room"]

    /// The room: its id, the beginning of it, or its title.
    package let room: String

    /// Makes the call.
    package init(room: String) { self.room = room }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        try await RPCError.translating { () throws(ChatError) in
            let id: GroupID
            do throws(ChatError) {
                id = try await node.room(named: room).id
            } catch  where error.code == .notFound {
                id = try await node.leftRoom(named: room).id
            }
            try await node.leaveRoom(id)
            return EmptyReply()
        }
    }
}

extension RPCNode {
    /// Does something with a room, and answers how it is then.
    fileprivate func changing(
        _ room: String,
        _ body: (GroupID) async throws(ChatError) -> Void
    ) async throws(RPCError) -> RoomReply {
        try await RPCError.translating { () throws(ChatError) in
            let id = try await self.room(named: room).id
            try await body(id)
            return RoomReply(try await self.room(named: id.description))
        }
    }

    /// The member of a room that a parameter names.
    func member(named who: String, of room: GroupID) async throws(ChatError) -> PeerID {
        let people = try await self.room(named: room.description).members.map { (id: $0.id, name: $0.name) }
        return try Room.person(named: who, of: people, "Nobody in the room is called '\(who)'.")
    }
}

extension Room {
    /// Whom a parameter names: by an id, its first eight or more digits, or a name in this room.
    fileprivate static func person(
        named who: String,
        of people: [(id: PeerID, name: String)],
        _ reason: String
    ) throws(ChatError) -> PeerID {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        var fits = isHex ? people.filter { $0.id.description.hasPrefix(digits) } : []
        if fits.isEmpty { fits = people.filter { $0.name == who } }
        guard let first = fits.first else { throw ChatError(.notFound, reason) }
        guard fits.count == 1 else {
            var error = ChatError(.ambiguous, "Several are called '\(who)': use the id of the one you mean.")
            error.candidates = fits.map(\.id)
            throw error
        }
        return first.id
    }
}
