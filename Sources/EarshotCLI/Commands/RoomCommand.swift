import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// Creates rooms, joins them, and manages their members.
struct RoomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Meet in a room that people join by a code and that leaves nothing behind.",
        discussion: """
            You have a new identity in each room. When the room ends, its keys, texts and attachments are removed \
            from every member's machine. Write to a room with `send room:TITLE`, and read it with `history show \
            room:TITLE`. Codes need a running node: start `earshot node` first.
            """,
        subcommands: [
            Create.self, Join.self, Approve.self, List.self, Code.self, Rename.self, Remove.self, HandOver.self,
            Leave.self, Export.self, Import.self,
        ]
    )

    @OptionGroup var global: GlobalOptions
}

extension RoomCommand {
    /// Creates a room.
    struct Create: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a room, and show its code."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The title.") var title: String
        @Option(help: "Your name in the room.") var name: String?
        @Option(help: "The time until the room ends: 1m, 5m, 1h, 12h, 24h, or any other time up to 365 days.")
        var expires = SpanArgument(.seconds(86_400))
        @Option(help: "The admission: code, code+approval or open.") var admission = "code"
        @Option(help: "The largest number of members, 2 to 4,096.") var members = 128
        @Flag(help: "Do not keep a history.") var ephemeral = false
        @OptionGroup var later: HistoryOption
        @Flag(help: "Draw the invite as a QR code.") var qr = false

        func validate() throws {
            guard RoomAdmission(name: admission) != nil else {
                throw ValidationError("--admission is code, code+approval or open.")
            }
        }

        func perform(_ console: Console) async throws {
            var plan = RoomPlan(title: title, nickname: name, expiresAfter: expires.duration)
            plan.admission = RoomAdmission(name: admission) ?? .code
            plan.maximumMembers = members
            plan.isEphemeral = ephemeral
            plan.history = GroupPolicy.History(later.history) ?? .none
            try await HomeAccess(global, console).withRunningNode { caller in
                let made = try await caller.call(CreateRoomCall(plan))
                var lines = [made.code ?? "Anybody nearby may join: \(made.room)"]
                let invite = made.code == nil ? made.room : made.invite ?? made.room
                if qr {
                    lines += console.code(invite)
                } else if made.code != nil {
                    lines.append(invite)
                }
                try console.result(made, lines)
            }
        }
    }

    /// Joins a room.
    struct Join: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Join a room.",
            discussion: """
                Other users of the machine can read arguments. Without a code the command asks for it, or reads it \
                from standard input unless that is a terminal.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A code such as 47-482913, an invite, or the id of an open room; - for standard input.")
        var code: String?
        @Option(help: "Your name in the room.") var name: String?

        func perform(_ console: Console) async throws {
            let code = try given()
            try await HomeAccess(global, console).withRunningNode { caller in
                let room = try await caller.call(JoinRoomCall(code: code, name: name))
                let others = try await room.others(on: caller)
                let joined = "You joined \(room.quotedTitle)\(others.isEmpty ? "" : " with \(others)")."
                let asked = "You have asked to join \(room.quotedTitle). Wait until the host lets you in."
                try console.result(room, [room.standing == "waiting" ? asked : joined])
            }
        }

        private func given() throws -> String {
            if code == nil, Passphrase.canAsk { return try Passphrase.ask("Code of the room") }
            return try TypedText.read(code ?? "-").trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Admits or rejects a peer.
    struct Approve: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "approve",
            abstract: "Admit a person who wants to join your room, or reject them."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "Their name, or their peer id or the beginning of it.") var joiner: String
        @Flag(help: "Reject them.") var reject = false

        var call: ApproveCall { ApproveCall(room: room, joiner: joiner, admit: !reject) }
    }

    /// Lists the rooms.
    struct List: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your rooms, or the rooms nearby."
        )

        @OptionGroup var global: GlobalOptions
        @Flag(help: "List the rooms nearby. Only open rooms can be joined by their id.")
        var visible = false

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            guard visible else {
                return try await home.withNode { caller in
                    let rooms = try await caller.call(RoomsCall())
                    try console.result(rooms, RoomTable.lines(rooms))
                }
            }
            try await home.withRunningNode { caller in
                let rooms = try await caller.call(VisibleRoomsCall())
                var table = Table(["DOOR", "ADMISSION", "LASTS", "ID"])
                for room in rooms {
                    let left = room.remaining.map { TimeText.span(seconds: $0) } ?? "-"
                    let door = room.door < 10 ? "0\(room.door)" : "\(room.door)"
                    table.add(door, room.shut ? "\(room.admission), closed" : room.admission, left, room.id)
                }
                try console.result(rooms, rooms.isEmpty ? ["There are no rooms nearby."] : table.lines)
            }
        }
    }

    /// Shows or changes the code of a room.
    struct Code: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "code",
            abstract: "Show the code and the invite of your room, make a new code, or close admission.",
            discussion: "A code lasts for ten minutes or twenty wrong guesses; then the node makes a new one."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Flag(help: "Make a new code, and open admission if it is closed.") var new = false
        @Flag(help: "Close admission: code and invite become invalid.") var shut = false
        @Flag(help: "Draw the invite as a QR code.") var qr = false

        func validate() throws {
            guard !new || !shut else { throw ValidationError("Give either --new or --shut.") }
            guard !qr || !shut else { throw ValidationError("--shut leaves no code to draw: leave out --qr.") }
        }

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withRunningNode { caller in
                let reply = try await find(caller)
                guard reply.standing == "host" else {
                    throw CommandFailure(.refused, "Only the host of the room has its code.")
                }
                var lines = [reply.code, qr ? nil : reply.invite].compactMap(\.self)
                let link = reply.admission == "open" ? reply.id : reply.invite
                if qr, let link { lines += console.code(link) }
                try console.result(reply, lines.isEmpty ? ["Admission is closed; --new opens it."] : lines)
            }
        }

        private func find(_ caller: any RPCCaller) async throws -> RoomReply {
            if new || shut { return try await caller.call(DoorCall(room: room, open: new)) }
            let rooms = try await caller.call(RoomsCall())
            let fits = rooms.named(room, id: \.id, name: \.title)
            guard let found = fits.first, fits.count == 1 else {
                throw CommandFailure(
                    .badData,
                    fits.isEmpty
                        ? "No room is called '\(room)'. Run 'room list' to see your rooms."
                        : "Several rooms are called '\(room)': use an id."
                )
            }
            return found
        }
    }

    /// Changes the title.
    struct Rename: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename your room for all members."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "The new title.") var title: String

        var call: RenameRoomCall { RenameRoomCall(room: room, title: title) }
    }

    /// Removes a member.
    struct Remove: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a member from your room. The room is deleted on their machine."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "A name in the room, a peer id or the beginning of one.") var member: String

        var call: RemoveFromRoomCall { RemoveFromRoomCall(room: room, member: member) }
    }

    /// Hands the room over to another member.
    struct HandOver: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "handover",
            abstract: "Hand your room over to another member, who hosts it as soon as their node has answered."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "A name in the room, a peer id or the beginning of one.") var member: String

        var call: HandOverRoomCall { HandOverRoomCall(room: room, member: member) }
    }

    /// Leaves a room.
    struct Leave: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a room and delete it here. Your own room ends for everybody."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(LeaveRoomCall(room: room))
                try console.result(reply, ["The room is deleted on this node."])
                if caller is LocalCaller {
                    console.note("No node runs in this data directory, so the others are not notified.")
                }
            }
        }
    }
}

extension HomeAccess {
    /// Calls the node that runs on the home, for actions that need a running node.
    func withRunningNode(_ body: (any RPCCaller) async throws -> Void) async throws {
        guard let client = try await directory.connect() else {
            throw CommandFailure(.unavailable, "No node runs in \(directory.url.path). Start 'earshot node' first.")
        }
        let outcome = await Self.outcome { try await body(client) }
        await client.close()
        try outcome.get()
    }
}
