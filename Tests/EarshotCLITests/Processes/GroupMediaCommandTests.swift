import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

/// Three nodes on the loopback interface, each a process, and the commands of three people in one group.
@Suite(
    "What a group is sent besides texts",
    .timeLimit(.minutes(30)),
    .enabled(if: MediaSamples.areToolsInstalled, MediaSamples.need)
)
struct GroupMediaCommandTests {
    /// Three nodes whose users are in one group, which Alice owns.
    struct Trio {
        let folder: TemporaryFolder
        let nodes: [RunningProcess]

        init() async throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            let group =
                "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...30_000))"
            var nodes: [RunningProcess] = []
            for name in ["Alice", "Bob", "Carol"] {
                let home = folder.path(name)
                let made = try await EarshotProcess.run(["--home", home, "init", "--name", name, "--no-passphrase"])
                try #require(made.status == 0, "\(made)")
                nodes.append(try await RunningProcess(home: home, ["--discovery", group]))
            }
            self.nodes = nodes
            for node in nodes.dropFirst() { try await Self.befriend(node, "Alice") }
            for name in ["Bob", "Carol"] { try await Self.befriend(nodes[0], name) }
            let joining = try await [nodes[1].client.events(["group"]), nodes[2].client.events(["group"])]
            _ = try await nodes[0].client.call(CreateGroupCall(title: "Trees", members: ["Bob", "Carol"]))
            for events in joining {
                _ = await events.first { if case .group(let group) = $0 { group.event == "joined" } else { false } }
            }
        }

        /// Waits until a node knows a contact, and accepts the contact.
        private static func befriend(_ node: RunningProcess, _ name: String) async throws {
            let events = try await node.client.events(["contact"])
            if try await !node.client.call(ContactsCall()).contains(where: { $0.name == name }) {
                _ = await events.first { if case .contact(let contact) = $0 { contact.name == name } else { false } }
            }
            _ = try await node.client.call(TrustCall(peer: name, action: "accept"))
        }

        func run(_ name: String, _ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", folder.path(name), "--json", "--quiet"] + arguments)
        }

        /// Returns the newest message of the group at a node, and the paths of the copies of its files.
        func received(by index: Int) async throws -> (message: MessageReply, paths: [String]) {
            let client = nodes[index].client
            let message = try #require(try await client.call(HistoryCall(conversation: "group:Trees")).last)
            var paths: [String] = []
            for place in (message.files ?? []).indices {
                let call = MediaCall(message: message.id, index: place, folder: folder.path("saved by \(index)"))
                paths.append(try await client.call(call).path)
            }
            return (message, paths)
        }

        func close() async throws {
            for node in nodes {
                try node.closeInput()
                #expect(await node.end() == 0)
                await node.client.close()
            }
        }
    }

    @Test("A file, a picture, a voice note and a long text reach all members of a group, cleaned like those to one")
    func everything() async throws {
        let trio = try await Trio()
        let photo = try MediaSamples.photo(in: trio.folder)
        let recording = try MediaSamples.recording(seconds: 1, in: trio.folder)
        let film = trio.folder.path("film.bin")
        let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try bytes.write(to: URL(filePath: film))
        let text = String(repeating: "a long letter ", count: 1_500)
        let sent = try await trio.run(
            "Alice",
            "send",
            "group:Trees",
            text,
            "--file",
            film,
            "--image",
            photo,
            "--voice",
            recording,
            "--wait",
            "delivered",
            "--timeout",
            "120s"
        )
        #expect(sent.status == 0 && sent.output.contains(#""status":"delivered""#), "\(sent)")
        for index in 1...2 {
            let (message, paths) = try await trio.received(by: index)
            #expect(message.text == text)
            #expect(message.files?.map(\.name) == ["film.bin", "picture.jpg", "voice.ogg"])
            #expect(message.files?.map(\.complete) == [true, true, true])
            try #require(paths.count == 3)
            #expect(try Data(contentsOf: URL(filePath: paths[0])) == bytes)
            for path in paths.dropFirst() {
                #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(MediaSamples.secret.utf8)) == nil)
            }
        }
        try await trio.close()
    }

    @Test("Who listens with --save finds what comes to its groups in that folder")
    func listening() async throws {
        let trio = try await Trio()
        let folder = trio.folder.path("found")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try EarshotProcess.executable())
        process.arguments = ["--home", trio.folder.path("Carol"), "listen", "--save", folder]
        process.environment = EarshotProcess.inherited
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        let note = trio.folder.path("note.txt")
        try Data("a note".utf8).write(to: URL(filePath: note))
        // Nothing reports the moment at which listening begins, so the test sends notes until one is saved.
        for _ in 0..<60 where (try? Data(contentsOf: URL(filePath: folder + "/note.txt"))) != Data("a note".utf8) {
            let sent = try await trio.run("Bob", "send", "group:Trees", "--file", note, "--wait", "delivered")
            #expect(sent.status == 0, "\(sent)")
        }
        kill(process.processIdentifier, SIGINT)
        for await _ in exit {}
        #expect(process.terminationStatus == 0)
        #expect(try Data(contentsOf: URL(filePath: folder + "/note.txt")) == Data("a note".utf8))
        try await trio.close()
    }

    @Test("What happened in a group is shown to people and programs, a timer and marks of reading are set by both")
    func lines() async throws {
        let trio = try await Trio()
        let changed = try await trio.nodes[1].client.events(["message"])
        #expect(try await trio.run("Alice", "group", "rename", "Trees", "Forest").status == 0)
        #expect(try await trio.run("Alice", "timer", "group:Forest", "1h").status == 0)
        let timer = await changed.first { event in
            if case .message(let message) = event { message.system?.event == "timer" } else { false }
        }
        guard case .message(let line) = timer else {
            Issue.record("no line came")
            return
        }
        #expect(line.fromName == "Alice" && line.kind == "system" && line.system?.expiresAfter == 3_600)
        let shown = try await EarshotProcess.run(["--home", trio.folder.path("Bob"), "history", "show", "group:Forest"])
        // A member has the lines from its joining on.
        #expect(!shown.output.contains("(created the group)"))
        for text in [
            "(added Bob)", "(added Carol)", "(renamed the group to Forest)",
            "(set messages to disappear 1 hour",
        ] {
            #expect(shown.output.contains(text), "\(shown)")
        }
        let first = try await trio.nodes[1].client.call(SendCall(to: "group:Forest", text: "one")).message
        _ = try await trio.nodes[1].client.call(TypingCall(to: "group:Forest"))
        _ = try await trio.nodes[1].client.call(MarkReadCall(conversation: "group:Forest", upTo: first))
        for call in [
            MarkReadCall(conversation: "group:Bushes"), MarkReadCall(conversation: "group:Forest", upTo: "00"),
        ] {
            await #expect(throws: RPCError.self) { try await trio.nodes[1].client.call(call) }
        }
        #expect(try await trio.run("Bob", "timer", "group:Forest", "400d").status != 0)
        try await trio.close()
    }

    @Test("What a group cannot take is refused with the status that one person's gets, and nothing is sent")
    func refusals() async throws {
        let trio = try await Trio()
        let text = trio.folder.path("notes.txt")
        try Data("no picture".utf8).write(to: URL(filePath: text))
        let cases: [([String], Int32, String)] = [
            (["group:Trees", "--image", text], 65, "send it as a file"),
            (["group:Trees", "--file", trio.folder.path("none")], 65, "cannot be found"),
            (["group:Trees", String(repeating: "x", count: 65_537)], 65, "65536"),
            (["group:Bushes", "--file", text], 65, "No group is called"),
            (["group:Trees"], 64, "Give a text"),
        ]
        for (arguments, status, reason) in cases {
            let run = try await EarshotProcess.run(
                ["--home", trio.folder.path("Alice"), "--json", "--quiet", "send"] + arguments
            )
            #expect(run.status == status && run.output == "" && run.errors.contains(reason), "\(run)")
        }
        let call = SendCall(to: "group:Trees", text: "", files: Array(repeating: text, count: 17))
        await #expect(throws: RPCError.self) { try await trio.nodes[0].client.call(call) }
        for node in trio.nodes {
            let history = try await node.client.call(HistoryCall(conversation: "group:Trees"))
            #expect(history.allSatisfy { $0.kind == "system" })
        }
        try await trio.close()
    }
}
