import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// Creates rooms, joins them, and manages their members.
struct RoomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Meet in a room that a code opens and that leaves nothing behind.",
        discussion: """
            In each room you have an identity that leads nowhere else. When its time is over, its keys, texts and files \
            are gone from every member's machine. Write to a room with `send room:TITLE`, read with \
            `history show room:TITLE`. Codes need a running node: start `earshot node` first.
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
    struct Create: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a room and show the code that opens it."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "What it is to be called.") var title: String
        @Option(help: "What you are called in it.") var name: String?
        @Option(help: "How long it lasts: 1m, 5m, 1h, 12h, 24h, or any other time up to 365 days.")
        var expires = SpanArgument(.seconds(86_400))
        @Option(help: "Who gets in: code, code+approval or open.") var admission = "code"
        @Option(help: "How many may be in it, 2 to 128.") var members = 128
        @Flag(help: "Let nobody keep a history of it.") var ephemeral = false
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
                var lines = [made.code ?? "Whoever hears of it may join: \(made.room)"]
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
    struct Join: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Join a room.",
            discussion: """
                Other users of the machine can read arguments. Without a code the command asks for it, or reads it from \
                standard input where it is no terminal.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A code as 47-482913, an invite, or the id of a room for everybody; - for standard input.")
        var code: String?
        @Option(help: "What you are called in it.") var name: String?

        func perform(_ console: Console) async throws {
            let code = try given()
            try await HomeAccess(global, console).withRunningNode { caller in
                let room = try await caller.call(JoinRoomCall(code: code, name: name))
                guard room.standing == "waiting" else { return try console.result(room, [room.line]) }
                try console.result(room, ["You wait at the door until the host lets you in: \(room.title)."])
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
            abstract: "Let somebody in who waits at your room's door, or turn them down."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "The name of who waits, a peer id or the beginning of one.") var joiner: String
        @Flag(help: "Turn them down.") var reject = false

        var call: ApproveCall { ApproveCall(room: room, joiner: joiner, admit: !reject) }
    }

    /// Lists the rooms.
    struct List: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the rooms you are in, or those that are heard."
        )

        @OptionGroup var global: GlobalOptions
        @Flag(help: "List the rooms that are heard on the mesh; only those for everybody can be joined by their id.")
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
                    table.add(door, room.shut ? "\(room.admission), shut" : room.admission, left, room.id)
                }
                try console.result(rooms, rooms.isEmpty ? ["No room is heard."] : table.lines)
            }
        }
    }

    /// Shows or changes the code of a room.
    struct Code: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "code",
            abstract: "Show the code and the invite of your room; make a new code, or shut the door.",
            discussion: "A code is good for ten minutes or twenty wrong guesses; then the node makes another."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Flag(help: "Make a new code, and open a door that is shut.") var new = false
        @Flag(help: "Shut the door: code and invite are worth nothing any more.") var shut = false
        @Flag(help: "Draw the invite as a QR code.") var qr = false

        func validate() throws {
            guard !new || !shut else { throw ValidationError("Either --new or --shut.") }
            guard !qr || !shut else { throw ValidationError("With --shut there is nothing to draw.") }
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
                try console.result(reply, lines.isEmpty ? ["The door is shut; --new opens it."] : lines)
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
                        ? "No room is called '\(room)' here: 'room list' lists them."
                        : "Several rooms are called '\(room)': use the id of the one you mean."
                )
            }
            return found
        }
    }

    /// Changes the title.
    struct Rename: MembershipChange {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give your room another title, for everybody."
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
            abstract: "Put somebody out of your room; all of it is gone on their machine."
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
            abstract: "Let another member host your room, once their node has answered."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String
        @Argument(help: "A name in the room, a peer id or the beginning of one.") var member: String

        var call: HandOverRoomCall { HandOverRoomCall(room: room, member: member) }
    }

    /// Leaves a room.
    struct Leave: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a room, of which nothing stays here; your own room ends for everybody."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The room's title, id or the beginning of it.") var room: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(LeaveRoomCall(room: room))
                try console.result(reply, ["All of the room is gone here."])
                if caller is LocalCaller { console.note("No node runs on this home, so the others are not told.") }
            }
        }
    }
}

extension HomeAccess {
    /// Calls the node that runs on the home, for actions that need a running node.
    func withRunningNode(_ body: (any RPCCaller) async throws -> Void) async throws {
        guard let client = try await directory.connect() else {
            throw CommandFailure(.unavailable, "No node runs on \(directory.url.path): start 'earshot node' first.")
        }
        let outcome = await Self.outcome { try await body(client) }
        await client.close()
        try outcome.get()
    }
}
