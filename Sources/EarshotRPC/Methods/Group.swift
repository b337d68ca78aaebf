package import ChatCrypto
package import Earshot

package struct GroupsCall: RPCMethod {
    package static let name = "groups"
    package static let summary = "Lists the groups, the most recently changed first."
    package static let example = GroupsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> [GroupReply] {
        try await node.conversations.groups().map(GroupReply.init)
    }
}

package struct GroupInvitersCall: RPCMethod {
    package static let name = "group.inviters"
    package static let summary =
        "Returns which contacts may add the user to groups without asking, and changes it if that is given."
    package static let parameters: RPCParameters = [
        "inviters": "`verified`, `accepted` or `nobody`; all other invitations wait for the user's answer."
    ]
    package static let example = GroupInvitersCall(inviters: "verified")

    /// The present setting.
    package struct Reply: Codable, Hashable, Sendable {
        /// `verified`, `accepted` (the default) or `nobody`.
        package let inviters: String
    }

    let inviters: String?

    package var isAct: Bool { inviters != nil }

    package init(inviters: String? = nil) { self.inviters = inviters }

    package func perform(on node: ChatNode) async throws -> Reply {
        if let inviters {
            guard let known = GroupInviters(rawValue: inviters) else {
                throw RPCError(.invalidParameters, "The parameter `inviters` is verified, accepted or nobody.")
            }
            try await node.conversations.setGroupInviters(known)
        }
        return Reply(inviters: try await node.conversations.groupInviters.rawValue)
    }
}

package struct CreateGroupCall: RPCMethod {
    package static let name = "group.create"
    package static let summary = "Creates a group that this node owns."
    package static let parameters: RPCParameters = [
        "title": "The title.", "members": "The first members, each as in `peer` of `verify`.",
        "history": Meaning.history,
    ]
    package static let example = CreateGroupCall(title: "Trees", members: ["Bob"])

    let title: String
    let members: [String]?
    let history: String?

    package init(title: String, members: [String], history: String? = nil) {
        (self.title, self.members, self.history) = (title, members, history)
    }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let policy = try history.map(GroupPolicy.History.init(parameter:)) ?? .none
        let peers = try await node.contacts.ids(named: members ?? [])
        return GroupReply(try await node.conversations.createGroup(title: title, members: peers, history: policy))
    }
}

package struct GroupHistoryCall: RPCMethod {
    package static let name = "group.history"
    package static let summary = "Sets the earlier messages that new members of a group get."
    package static let parameters: RPCParameters = ["group": Meaning.group, "history": Meaning.history]
    package static let example = GroupHistoryCall(group: "Trees", history: "last:50")

    let group: String
    let history: String

    package init(group: String, history: String) { (self.group, self.history) = (group, history) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let policy = try GroupPolicy.History(parameter: history)
        return GroupReply(try await node.group(try await node.conversations.group(named: group).id).setHistory(policy))
    }
}

package struct AddToGroupCall: RPCMethod {
    package static let name = "group.add"
    package static let summary = "Adds members to a group."
    package static let parameters: RPCParameters = [
        "group": Meaning.group, "members": "The new members, each as in `peer` of `verify`.",
    ]
    package static let example = AddToGroupCall(group: "Trees", members: ["Carol"])

    let group: String
    let members: [String]

    package init(group: String, members: [String]) { (self.group, self.members) = (group, members) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let peers = try await node.contacts.ids(named: members)
        return GroupReply(try await node.group(try await node.conversations.group(named: group).id).add(peers))
    }
}

package struct RemoveFromGroupCall: RPCMethod {
    package static let name = "group.remove"
    package static let summary = "Removes a member from a group."
    package static let parameters: RPCParameters = ["group": Meaning.group, "member": Meaning.member]
    package static let example = RemoveFromGroupCall(group: "Trees", member: "Carol")

    let group: String
    let member: String

    package init(group: String, member: String) { (self.group, self.member) = (group, member) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let group = try await node.conversations.group(named: group)
        return GroupReply(try await node.group(group.id).remove(try group.member(named: member)))
    }
}

package struct RenameGroupCall: RPCMethod {
    package static let name = "group.rename"
    package static let summary = "Renames a group."
    package static let parameters: RPCParameters = ["group": Meaning.group, "title": "The new title."]
    package static let example = RenameGroupCall(group: "Trees", title: "Forest")

    let group: String
    let title: String

    package init(group: String, title: String) { (self.group, self.title) = (group, title) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        GroupReply(try await node.group(try await node.conversations.group(named: group).id).rename(to: title))
    }
}

package struct SetAdminCall: RPCMethod {
    package static let name = "group.admin"
    package static let summary = "Makes a member of a group an admin, or an admin an ordinary member."
    package static let parameters: RPCParameters = [
        "group": Meaning.group, "member": Meaning.member, "admin": "Whether the member is an admin from now on.",
    ]
    package static let example = SetAdminCall(group: "Forest", member: "Bob", admin: true)

    let group: String
    let member: String
    let admin: Bool

    package init(group: String, member: String, admin: Bool) {
        (self.group, self.member, self.admin) = (group, member, admin)
    }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let group = try await node.conversations.group(named: group)
        return GroupReply(try await node.group(group.id).setAdmin(admin, try group.member(named: member)))
    }
}

package struct HandOverGroupCall: RPCMethod {
    package static let name = "group.handover"
    package static let summary = "Makes another member the owner of a group."
    package static let parameters: RPCParameters = ["group": Meaning.group, "member": Meaning.member]
    package static let example = HandOverGroupCall(group: "Forest", member: "Bob")

    let group: String
    let member: String

    package init(group: String, member: String) { (self.group, self.member) = (group, member) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let group = try await node.conversations.group(named: group)
        return GroupReply(try await node.group(group.id).transferOwnership(to: try group.member(named: member)))
    }
}

package struct SetSuccessorCall: RPCMethod {
    package static let name = "group.successor"
    package static let summary =
        "Makes a member the successor, who may take over a group once its owner was silent for 14 days."
    package static let parameters: RPCParameters = [
        "group": Meaning.group, "member": "The member, as in `group.remove`; absent for no successor.",
    ]
    package static let example = SetSuccessorCall(group: "Forest", member: nil)

    let group: String
    let member: String?

    package init(group: String, member: String?) { (self.group, self.member) = (group, member) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        let group = try await node.conversations.group(named: group)
        return GroupReply(try await node.group(group.id).setSuccessor(try member.map { try group.member(named: $0) }))
    }
}

package struct TakeOverGroupCall: RPCMethod {
    package static let name = "group.takeOver"
    package static let summary = "Takes over a group as its successor, once its owner was silent for 14 days."
    package static let parameters: RPCParameters = ["group": Meaning.group]
    package static let example = TakeOverGroupCall(group: "Forest")

    let group: String

    package init(group: String) { self.group = group }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        GroupReply(try await node.group(try await node.conversations.group(named: group).id).takeOver())
    }
}

package struct LeaveGroupCall: RPCMethod {
    package static let name = "group.leave"
    package static let summary = "Leaves a group; its messages stay."
    package static let parameters: RPCParameters = ["group": Meaning.group]
    package static let example = LeaveGroupCall(group: "Forest")

    let group: String

    package init(group: String) { self.group = group }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        GroupReply(try await node.group(try await node.conversations.group(named: group).id).leave())
    }
}

package struct AnswerInvitationCall: RPCMethod {
    package static let name = "group.answer"
    package static let summary = "Accepts or declines an invitation to a group."
    package static let parameters: RPCParameters = ["group": Meaning.group, "accept": "Whether to join."]
    package static let example = AnswerInvitationCall(group: "Choir", accept: true)

    let group: String
    let accept: Bool

    package init(group: String, accept: Bool) { (self.group, self.accept) = (group, accept) }

    package func perform(on node: ChatNode) async throws -> GroupReply {
        GroupReply(
            try await node.group(try await node.conversations.group(named: group).id).answerInvitation(accepts: accept)
        )
    }
}

extension GroupPolicy.History {
    /// Reads a parameter that names the earlier messages that new members get.
    init(parameter text: String) throws(RPCError) {
        guard let history = GroupPolicy.History(text) else {
            throw RPCError(
                .invalidParameters,
                "The parameter `history` is `none`, `all`, or `last:` and 1 to 65535, as in `last:50`."
            )
        }
        self = history
    }
}

/// A group on the wire.
package struct GroupReply: Codable, Hashable, Sendable {
    /// A member of a group.
    package struct Member: Codable, Hashable, Sendable {
        /// The member's peer ID.
        package let id: String
        /// The name that this node shows.
        package let name: String
        /// Whether the member has announced its departure.
        package let leaving: Bool
        /// Whether the member is an admin, whose changes the owner's node makes without asking.
        package let admin: Bool
    }

    /// The group's ID.
    ///
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The title.
    package let title: String
    /// The membership status: `invited`, `joining`, `member` or `out`.
    package let standing: String
    /// All members, including this node.
    package let members: [Member]
    /// The peer ID of the owner.
    package let owner: String?
    /// The peer ID of the member who may take over the group once the owner was silent for 14 days.
    package let successor: String?
    /// The peer ID of the inviter, as long as this node is not a member.
    package let invitedBy: String?
    /// The number of changes of the group.
    package let epoch: Int
    /// Whether owners have signed two histories of the group.
    package let frozen: Bool
    /// The earlier messages that new members get: `none`, `last:` and a number, or `all`.
    package let history: String

    package init(_ group: ChatGroup) {
        id = group.id.description
        title = group.title
        standing = group.membershipStatus.rawValue
        members = group.members.map {
            Member(id: $0.id.description, name: $0.name, leaving: $0.isLeaving, admin: $0.isAdmin)
        }
        owner = group.owner?.description
        successor = group.successor?.description
        invitedBy = group.invitedBy?.description
        epoch = Int(group.epoch)
        frozen = group.isFrozen
        history = group.history.description
    }
}

/// An event of a group on the wire.
package struct GroupEventReply: Codable, Hashable, Sendable {
    /// The group's ID.
    package let group: String
    /// The event's name.
    package let event: String
    /// The peer ID of the other member that the event is about.
    package let by: String?
    /// The new title, for `renamed`.
    package let title: String?
    /// The number of messages from before this node joined that have arrived so far, for `history`.
    package let messages: Int?
    /// Whether this node requests no more of them, for `history`.
    package let complete: Bool?

    package init(_ group: GroupID, _ event: GroupEvent) {
        self.group = group.description
        self.event = event.name
        by = event.peer?.description
        title = if case .renamed(let title) = event { title } else { nil }
        let progress: HistoryProgress? = if case .history(let progress) = event { progress } else { nil }
        messages = progress?.messageCount
        complete = progress?.isComplete
    }
}
