package import ChatCrypto
package import Earshot

/// The groups.
package struct GroupsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "groups"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [GroupReply] {
        try await RPCError.translating { () throws(ChatError) in try await node.groups().map(GroupReply.init) }
    }
}

/// Founds a group.
package struct CreateGroupCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.create"
    /// The names of its parameters.
    package static let parameters = ["title", "members", "history"]

    /// What it is to be called.
    package let title: String
    /// Its first members: peer ids, their beginnings, or nicknames.
    package let members: [String]?
    /// What who comes later may be given of what was said before: `none`, `last:` and how many, or `all`.
    package let history: String?

    /// Makes the call.
    package init(title: String, members: [String], history: String? = nil) {
        self.title = title
        self.members = members
        self.history = history
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        let policy = try history.map(RPCError.history(named:)) ?? .none
        return try await RPCError.translating { () throws(ChatError) in
            let peers = try await node.peers(named: members ?? [])
            return GroupReply(try await node.createGroup(title: title, members: peers, history: policy))
        }
    }
}

/// Takes people into a group.
package struct AddToGroupCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.add"
    /// The names of its parameters.
    package static let parameters = ["group", "members"]

    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// Who: peer ids, their beginnings, or nicknames.
    package let members: [String]

    /// Makes the call.
    package init(group: String, members: [String]) {
        self.group = group
        self.members = members
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        try await RPCError.translating { () throws(ChatError) in
            let peers = try await node.peers(named: members)
            return GroupReply(try await node.add(peers, to: try await node.groupID(named: group)))
        }
    }
}

/// Puts somebody out of a group.
package struct RemoveFromGroupCall: GroupMemberCall {
    /// The method's name on the wire.
    package static let name = "group.remove"
    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// Who: a peer id, its beginning, or a name in the group.
    package let member: String

    /// Makes the call.
    package init(group: String, member: String) {
        self.group = group
        self.member = member
    }

    /// Does it.
    package func change(_ peer: PeerID, in group: GroupID, by node: any RPCNode) async throws(ChatError) -> Group {
        try await node.remove(peer, from: group)
    }
}

/// Gives a group another title.
package struct RenameGroupCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.rename"
    /// The names of its parameters.
    package static let parameters = ["group", "title"]

    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// The new title.
    package let title: String

    /// Makes the call.
    package init(group: String, title: String) {
        self.group = group
        self.title = title
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        try await RPCError.translating { () throws(ChatError) in
            GroupReply(try await node.rename(try await node.groupID(named: group), to: title))
        }
    }
}

/// Hands a group over to another member.
package struct HandOverGroupCall: GroupMemberCall {
    /// The method's name on the wire.
    package static let name = "group.handover"
    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// Who is to own it: a peer id, its beginning, or a name in the group.
    package let member: String

    /// Makes the call.
    package init(group: String, member: String) {
        self.group = group
        self.member = member
    }

    /// Does it.
    package func change(_ peer: PeerID, in group: GroupID, by node: any RPCNode) async throws(ChatError) -> Group {
        try await node.handOver(group, to: peer)
    }
}

/// Leaves a group.
package struct LeaveGroupCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.leave"
    /// The names of its parameters.
    package static let parameters = ["group"]

    /// The group: its id, the beginning of it, or its title.
    package let group: String

    /// Makes the call.
    package init(group: String) {
        self.group = group
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        try await RPCError.translating { () throws(ChatError) in
            GroupReply(try await node.leave(try await node.groupID(named: group)))
        }
    }
}

/// Joins a group that somebody wants this node in, or turns it down.
package struct AnswerInvitationCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.answer"
    /// The names of its parameters.
    package static let parameters = ["group", "accept"]

    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// Whether to join.
    package let accept: Bool

    /// Makes the call.
    package init(group: String, accept: Bool) {
        self.group = group
        self.accept = accept
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        try await RPCError.translating { () throws(ChatError) in
            GroupReply(try await node.answerInvitation(to: try await node.groupID(named: group), accepts: accept))
        }
    }
}

/// How far a message to a group has come to each of those it is for.
package struct DeliveriesCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "deliveries"
    /// The names of its parameters.
    package static let parameters = ["message"]

    /// How far a message has come to one member.
    package struct Delivery: Codable, Hashable, Sendable {
        /// The member's peer id.
        package let member: String
        /// How far.
        package let status: String
        /// Why it will not arrive, for `failed`.
        package let reason: String?
    }

    /// The message's id.
    package let message: String

    /// Makes the call.
    package init(message: String) {
        self.message = message
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [Delivery] {
        guard let id = MessageID(hex: message) else {
            throw RPCError(.invalidParameters, "The parameter `message` is a message id of 32 hexadecimal digits.")
        }
        return try await RPCError.translating { () throws(ChatError) in
            try await node.deliveries(of: id).map { delivery in
                Delivery(
                    member: delivery.member.description,
                    status: delivery.status.name,
                    reason: delivery.status.failureName
                )
            }
        }
    }
}
