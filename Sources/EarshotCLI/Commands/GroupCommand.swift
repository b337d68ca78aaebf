import ArgumentParser
import ChatCrypto
import EarshotRPC

/// Creates groups and manages their members.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Talk with up to 4,096 people at once.",
        discussion: """
            The member who creates a group owns it and decides on its members. With `group admin` the owner lets up to 8 \
            members change the group too; the owner's node makes their changes without asking. Contacts of the owner \
            join at once unless `group inviters` says otherwise; others are asked. Write to a group with `send group:TITLE`, and read it with `history show \
            group:TITLE`. New members see no earlier messages unless the owner allows it with --history. Earlier \
            messages are shown with the name of the member who attests them.
            """,
        subcommands: [
            List.self, Create.self, Add.self, Remove.self, Rename.self, History.self, Admin.self, Successor.self,
            TakeOver.self, HandOver.self,
            Leave.self, Accept.self, Decline.self, Inviters.self,
        ]
    )

    @OptionGroup var global: GlobalOptions
}

extension GroupCommand {
    /// Lists the groups.
    struct List: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your present and former groups, and your invitations."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let groups = try await caller.call(GroupsCall())
                var table = Table(["TITLE", "ID", "STANDING", "OWNER", "MEMBERS"])
                for group in groups {
                    let owner = group.members.first { $0.id == group.owner }?.name ?? "-"
                    let members = group.names.joined(separator: ", ")
                    table.add(group.title, String(group.id.prefix(8)), group.state, owner, members)
                }
                try console.result(groups, groups.isEmpty ? ["You have no groups yet."] : table.lines)
            }
        }
    }

    /// Creates a group.
    struct Create: MembershipChange {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a group.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The title.") var title: String
        @Argument(help: "The first members: nicknames, peer ids or the beginnings of them.") var members: [String] = []
        @OptionGroup var later: HistoryOption

        var call: CreateGroupCall { CreateGroupCall(title: title, members: members, history: later.history) }

        func line(_ reply: GroupReply, others: String) -> String {
            "Created \(reply.quotedTitle)\(others.isEmpty ? ", with nobody else in it yet" : " with \(others)")."
        }
    }

    /// Adds members.
    struct Add: MembershipChange {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Add members to your group.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "Nicknames, peer ids or the beginnings of them.") var members: [String]

        var call: AddToGroupCall { AddToGroupCall(group: group, members: members) }
    }

    /// Removes a member.
    struct Remove: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a member from your group. They cannot read later messages."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var one: GroupMemberArguments

        var call: RemoveFromGroupCall { RemoveFromGroupCall(group: one.group, member: one.member) }
    }

    /// Changes the title.
    struct Rename: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename your group for all members."
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
            abstract: "Set the earlier messages that new members can read. This changes nothing for present members."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "none, last:N or all.") var history: String

        var call: GroupHistoryCall { GroupHistoryCall(group: group, history: history) }

        func validate() throws { try HistoryOption.check(history) }
    }

    /// Makes a member an admin.
    struct Admin: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "admin",
            abstract: "Make a member of your group an admin, or an admin an ordinary member.",
            discussion: """
                An admin adds and removes members, and changes the title and the history for new members. Your node makes \
                these changes without asking you, as soon as it hears of them, \
                and the history shows them as yours. A group has at most 8 admins.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var one: GroupMemberArguments
        @Flag(help: "Make the admin an ordinary member.") var withdraw = false

        var call: SetAdminCall { SetAdminCall(group: one.group, member: one.member, admin: !withdraw) }
    }

    /// Makes a member the successor.
    struct Successor: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "successor",
            abstract: "Make a member the successor, who may take over your group once you were silent for 14 days."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String
        @Argument(help: "A name in the group, a peer id or the beginning of one; without it there is no successor.")
        var member: String?

        var call: SetSuccessorCall { SetSuccessorCall(group: group, member: member) }
    }

    /// Takes over a group.
    struct TakeOver: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "takeover",
            abstract: "Take over a group as the successor, once its owner was silent for 14 days.",
            discussion: """
                Another member has to be in reach, because a node that is cut off hears the same silence. All members get \
                fresh secrets. If the owner changes the group at the same time, it is frozen.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: TakeOverGroupCall { TakeOverGroupCall(group: group) }
    }

    /// Hands the group over to another member.
    struct HandOver: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "handover",
            abstract: "Hand your group over to another member, who owns it as soon as their node has answered."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var one: GroupMemberArguments

        var call: HandOverGroupCall { HandOverGroupCall(group: one.group, member: one.member) }
    }

    /// Leaves a group.
    struct Leave: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a group. Its keys are destroyed on this node; its messages stay."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: LeaveGroupCall { LeaveGroupCall(group: group) }
    }

    /// Accepts an invitation.
    struct Accept: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept an invitation to a group."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: AnswerInvitationCall { AnswerInvitationCall(group: group, accept: true) }
    }

    /// Declines an invitation.
    struct Decline: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "decline",
            abstract: "Decline an invitation to a group."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The group's title, id or the beginning of it.") var group: String

        var call: AnswerInvitationCall { AnswerInvitationCall(group: group, accept: false) }
    }
}
