import ArgumentParser
import ChatCrypto
import EarshotRPC

/// Creates groups and manages their members.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Talk with up to 128 people at once.",
        discussion: """
            Who founds a group owns it, and alone decides who is in it. Contacts of the owner join at once, others are \
            asked. Write to a group with `send group:TITLE`, read with `history show group:TITLE`. What was said before \
            somebody came stays hidden from that one, unless the owner chose otherwise with --history; it is then shown \
            with the name of the member who vouches for it.
            """,
        subcommands: [
            List.self, Create.self, Add.self, Remove.self, Rename.self, History.self, HandOver.self, Leave.self,
            Accept.self, Decline.self, Receipts.self,
        ]
    )

    @OptionGroup var global: GlobalOptions
}

extension GroupCommand {
    /// Lists the groups.
    struct List: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the groups you are or were in, and those you are invited to."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let groups = try await caller.call(GroupsCall())
                var table = Table(["TITLE", "ID", "STANDING", "OWNER", "MEMBERS"])
                for group in groups {
                    let owner = group.members.first { $0.id == group.owner }?.name ?? "-"
                    let members = group.members.map(\.name).joined(separator: ", ")
                    table.add(group.title, String(group.id.prefix(8)), group.state, owner, members)
                }
                try console.result(groups, groups.isEmpty ? ["There is no group yet."] : table.lines)
            }
        }
    }

    /// Creates a group.
    struct Create: MembershipChange {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Found a group that you own.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "What it is to be called.") var title: String
        @Argument(help: "Its first members: nicknames, peer ids or the beginnings of them.") var members: [String] = []
        @OptionGroup var later: HistoryOption

        var call: CreateGroupCall { CreateGroupCall(title: title, members: members, history: later.history) }
    }

    /// Adds members.
    struct Add: MembershipChange {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Take people into your group.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "Nicknames, peer ids or the beginnings of them.") var members: [String]

        var call: AddToGroupCall { AddToGroupCall(group: group, members: members) }
    }

    /// Removes a member.
    struct Remove: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Put somebody out of your group; what is written from then on, that one cannot read."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var one: GroupMemberArguments

        var call: RemoveFromGroupCall { RemoveFromGroupCall(group: one.group, member: one.member) }
    }

    /// Changes the title.
    struct Rename: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give your group another title, for everybody."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "The new title.") var title: String

        var call: RenameGroupCall { RenameGroupCall(group: group, title: title) }
    }

    /// Sets the earlier messages that new members receive.
    struct History: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "Decide what who comes to your group later is given of what was said before; given stays given."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "none, last:N or all.") var history: String

        var call: GroupHistoryCall { GroupHistoryCall(group: group, history: history) }

        func validate() throws { try HistoryOption.check(history) }
    }

    /// Hands the group over to another member.
    struct HandOver: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "handover",
            abstract: "Hand your group over to another member, who owns it once their node has answered."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var one: GroupMemberArguments

        var call: HandOverGroupCall { HandOverGroupCall(group: one.group, member: one.member) }
    }

    /// Leaves a group.
    struct Leave: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a group; its keys are destroyed here, its messages stay."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: LeaveGroupCall { LeaveGroupCall(group: group) }
    }

    /// Accepts an invitation.
    struct Accept: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Join a group you are invited to."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: AnswerInvitationCall { AnswerInvitationCall(group: group, accept: true) }
    }

    /// Declines an invitation.
    struct Decline: MembershipChange {
        static let configuration = CommandConfiguration(commandName: "decline", abstract: "Turn an invitation down.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: AnswerInvitationCall { AnswerInvitationCall(group: group, accept: false) }
    }

    /// Shows the members that have a message.
    struct Receipts: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "receipts",
            abstract: "Show who has a message that you wrote to a group."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The message's id, as `send` prints it.") var message: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let deliveries = try await caller.call(DeliveriesCall(message: message))
                let contacts = try await caller.call(ContactsCall())
                var table = Table(["MEMBER", "STATUS"])
                for delivery in deliveries {
                    let name = contacts.first { $0.id == delivery.member }?.name ?? String(delivery.member.prefix(8))
                    table.add(name, delivery.status + (delivery.reason.map { ": \($0)" } ?? ""))
                }
                try console.result(deliveries, table.lines)
            }
        }
    }
}
