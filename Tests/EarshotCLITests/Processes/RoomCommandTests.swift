import Earshot
import EarshotRPC
import Foundation
import Testing

@Suite("Rooms of running commands", .serialized)
struct RoomCommandTests {
    /// Nodes on one mesh, each with a home of its own.
    private struct Gathering {
        let folder: TemporaryFolder
        let names: [String]
        let nodes: [RunningProcess]

        init(_ names: [String]) async throws {
            folder = try TemporaryFolder()
            self.names = names
            let group =
                "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...30_000))"
            var nodes: [RunningProcess] = []
            for name in names {
                let home = folder.path(name)
                let run = try await EarshotProcess.run(["--home", home, "init", "--name", name, "--no-passphrase"])
                try #require(run.status == 0, "\(run.errors)")
                nodes.append(try await RunningProcess(home: home, ["--discovery", group]))
            }
            self.nodes = nodes
        }

        func run(_ index: Int, _ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", folder.path(names[index]), "--json", "--quiet"] + arguments)
        }

        /// Runs a command that must succeed, and decodes its output.
        func reply<Reply: Decodable>(_ type: Reply.Type, _ index: Int, _ arguments: String...) async throws -> Reply {
            let home = ["--home", folder.path(names[index]), "--json", "--quiet"]
            let run = try await EarshotProcess.run(home + arguments)
            try #require(run.status == 0, "\(arguments): \(run.errors)")
            return try RPCCoding.decode(type, from: Array(run.output.utf8))
        }

        /// Subscribes to the events of a node from now on.
        func events(of index: Int) async throws -> AsyncStream<RPCEvent> {
            try await nodes[index].client.events(["room", "message"])
        }

        /// Lists the rooms' folders of a home.
        func folders(of index: Int) -> [String] {
            let path = folder.url.appendingPathComponent(names[index]).appendingPathComponent("rooms").path
            return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        }

        func close() async throws {
            for node in nodes {
                try node.closeInput()
                #expect(await node.end() == 0)
                await node.client.close()
            }
        }
    }

    /// Waits for an event of a room.
    private static func wait(for name: String, in events: AsyncStream<RPCEvent>) async throws -> RoomEventReply {
        for await event in events {
            if case .room(let event) = event, event.event == name { return event }
        }
        throw CancellationError()
    }

    /// Waits for a text from another member.
    private static func text(in events: AsyncStream<RPCEvent>) async throws -> String {
        for await event in events {
            if case .message(let message) = event, !message.outgoing { return message.text }
        }
        throw CancellationError()
    }

    @Test("Two join by the code, one is approved and one is not, texts go both ways, and a new title is seen by all")
    func approval() async throws {
        let all = try await Gathering(["hanna", "ben", "cleo"])
        let (atHost, atBen) = (try await all.events(of: 0), try await all.events(of: 1))
        let made = try await all.reply(
            CreateRoomCall.Reply.self,
            0,
            "room",
            "create",
            "Study",
            "--admission",
            "code+approval",
            "--name",
            "Owl"
        )
        let code = try #require(made.code)
        let waiting = try await all.reply(RoomReply.self, 1, "room", "join", code, "--name", "Fox")
        #expect(waiting.standing == "waiting" && waiting.id == made.room)
        #expect(try await Self.wait(for: "waiting", in: atHost).name == "Fox")
        let admitted = try await all.reply(RoomReply.self, 0, "room", "approve", "Study", "Fox")
        #expect(admitted.members.map(\.name) == ["Owl", "Fox"])
        _ = try await Self.wait(for: "joined", in: atBen)

        _ = try await all.reply(RoomReply.self, 2, "room", "join", code)
        let atCleo = try await all.events(of: 2)
        #expect(try await Self.wait(for: "waiting", in: atHost).name == "cleo")
        _ = try await all.reply(RoomReply.self, 0, "room", "approve", "Study", "cleo", "--reject")
        _ = try await Self.wait(for: "rejected", in: atCleo)

        let sent = try await all.run(0, "send", "room:Study", "welcome, fox", "--wait", "delivered")
        #expect(sent.status == 0, "\(sent)")
        #expect(try await Self.text(in: atBen) == "welcome, fox")
        let answer = try await all.run(1, "send", "room:Study", "good evening", "--wait", "delivered")
        #expect(answer.status == 0, "\(answer)")
        #expect(try await Self.text(in: atHost) == "good evening")
        _ = try await all.reply(RoomReply.self, 0, "room", "rename", "Study", "Library")
        #expect(try await Self.wait(for: "renamed", in: atBen).title == "Library")
        let history = try await all.run(1, "history", "show", "room:Library")
        let messages = try history.output.split(separator: "\n").map {
            try RPCCoding.decode(MessageReply.self, from: Array($0.utf8))
        }
        #expect(messages.filter { $0.system == nil }.map(\.text) == ["welcome, fox", "good evening"])
        #expect(messages.compactMap { $0.system?.event }.suffix(1) == ["renamed"])
        let listed = try await all.reply([RoomReply].self, 1, "room", "list")
        #expect(listed.map(\.title) == ["Library"] && listed.map(\.name) == ["Fox"])
        let left = try await all.run(0, "room", "leave", "Library")
        #expect(left.status == 0, "\(left)")
        _ = try await Self.wait(for: "closed", in: atBen)
        #expect(all.folders(of: 0) == [] && all.folders(of: 1) == [] && all.folders(of: 2) == [])
        try await all.close()
    }

    @Test("A room whose time is over is gone from the disks of all, and its name from every command")
    func expiry() async throws {
        let all = try await Gathering(["hanna", "ben"])
        let made = try await all.reply(
            CreateRoomCall.Reply.self,
            0,
            "room",
            "create",
            "Short",
            "--expires",
            "40s"
        )
        let atBen = try await all.events(of: 1)
        let joined = try await all.reply(RoomReply.self, 1, "room", "join", try #require(made.invite))
        #expect(joined.endsAt != nil)
        #expect(all.folders(of: 0).count == 1 && all.folders(of: 1).count == 1)
        _ = try await Self.wait(for: "expired", in: atBen)
        let shown = try await all.run(1, "history", "show", "room:Short")
        #expect(shown.status == 65 && shown.output == "", "\(shown)")
        #expect(try await all.reply([RoomReply].self, 1, "room", "list") == [])
        try await all.close()
        #expect(all.folders(of: 0) == [] && all.folders(of: 1) == [])
    }

    @Test(
        "A voice note goes through a room by the command, and is saved by another",
        .enabled(if: MediaSamples.areToolsInstalled, MediaSamples.need)
    )
    func voice() async throws {
        let all = try await Gathering(["hanna", "ben"])
        let made = try await all.reply(CreateRoomCall.Reply.self, 0, "room", "create", "Trees")
        _ = try await all.reply(RoomReply.self, 1, "room", "join", try #require(made.code))
        let recording = try MediaSamples.recording(seconds: 1, in: all.folder)
        let sent = try await all.run(1, "send", "room:Trees", "--voice", recording, "--wait", "delivered")
        #expect(sent.status == 0, "\(sent)")
        let history = try await all.run(0, "history", "show", "room:Trees")
        let messages = try history.output.split(separator: "\n").map {
            try RPCCoding.decode(MessageReply.self, from: Array($0.utf8))
        }
        let message = try #require(messages.first { $0.files?.isEmpty == false })
        #expect(message.files?.first?.name == "voice.ogg")
        let here = all.folder.url.path
        let saved = try await all.reply(MediaCall.Reply.self, 0, "media", message.id, "--to", here)
        #expect(saved.path == all.folder.path("voice.ogg") && FileManager.default.fileExists(atPath: saved.path))
        let table: [(arguments: [String], status: Int32)] = [
            (["media", message.id, "--number", "0"], 64), (["media", message.id, "--number", "2"], 65),
            (["media", String(repeating: "0", count: 32)], 65), (["media", "x"], 65),
        ]
        for (arguments, status) in table {
            let run = try await EarshotProcess.run(["--home", all.folder.path("hanna"), "--json"] + arguments)
            #expect(run.status == status && run.output == "", "\(arguments): \(run)")
        }
        try await all.close()
    }

    @Test("Bad input ends with a clear word and the right status, and leaves nothing behind")
    func badInput() async throws {
        let all = try await Gathering(["hanna", "ben"])
        let made = try await all.reply(CreateRoomCall.Reply.self, 0, "room", "create", "Trees")
        let code = try #require(made.code)
        let wrong = code.dropLast() + (code.hasSuffix("0") ? "1" : "0")
        let table: [(arguments: [String], status: Int32, word: String)] = [
            (["room", "join", String(wrong)], 65, "code is wrong"),
            (["room", "join", "47-48291"], 65, "eight digits"),
            (["room", "leave", "Nowhere"], 65, "Nowhere"),
            (["send", "room:Nowhere", "x"], 65, "Nowhere"),
            (["history", "show", "room:Nowhere"], 65, "Nowhere"),
            (["room", "code", "Nowhere"], 65, "Nowhere"),
            (["room", "create", "x", "--expires", "0s"], 65, "365 days"),
            (["room", "create", "x", "--members", "1"], 65, "4096"),
            (["room", "create", ""], 65, "title"),
            (["room", "create", "x", "--admission", "friends"], 64, "admission"),
        ]
        for (arguments, status, word) in table {
            let run = try await EarshotProcess.run(["--home", all.folder.path("ben"), "--json", "--quiet"] + arguments)
            #expect(run.status == status && run.output == "" && run.errors.contains(word), "\(arguments): \(run)")
        }
        #expect(try await all.reply([RoomReply].self, 1, "room", "list") == [])
        #expect(all.folders(of: 1) == [])
        try await all.close()
        let offline = try await all.run(0, "room", "create", "x")
        #expect(offline.status == 69 && offline.errors.contains("earshot node"), "\(offline)")
    }
}
