import Foundation
import Testing

/// Two processes on the loopback interface, driven by commands and by JSON-RPC.
@Suite("Reactions, edits, polls, replies, timers and typing by command", .serialized, .timeLimit(.minutes(30)))
struct ContentCommandTests {
    private struct Pair {
        let folder: TemporaryFolder
        let alice: NodeProcess
        let bob: NodeProcess
        let aliceID: String
        let bobID: String

        static func start() async throws -> Pair {
            let folder = try TemporaryFolder()
            let group = NodeProcess.randomGroup()
            let alice = try start("Alice", group, folder)
            let bob = try start("Bob", group, folder)
            let pair = Pair(
                folder: folder,
                alice: alice,
                bob: bob,
                aliceID: try await alice.ready(),
                bobID: try await bob.ready()
            )
            try await alice.knows(pair.bobID)
            try await bob.knows(pair.aliceID)
            return pair
        }

        private static func start(_ name: String, _ group: String, _ folder: TemporaryFolder) throws -> NodeProcess {
            let home = folder.url.appending(path: name.lowercased())
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
            ])
            try #require(made.status == 0, "\(made.errors)")
            return try NodeProcess(name, home: home, NodeProcess.loopback(group) + ["--typing"])
        }

        /// Runs a command that must succeed and returns the id that it prints.
        @discardableResult
        func done(_ node: NodeProcess, _ arguments: String...) throws -> String {
            let run = try Command.run([Command.earshot, "--home", node.home.path, "--json"] + arguments)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))["message"]?.string ?? ""
        }

        func stop() async {
            await alice.stop()
            await bob.stop()
        }
    }

    @Test("Every command reaches the other process, and bad input is refused with a status")
    func commands() async throws {
        let pair = try await Pair.start()
        let text = try pair.done(pair.alice, "send", "Bob", "Hello, @Bob")
        _ = try await pair.bob.message("Hello, @Bob")
        let answer = try pair.done(pair.bob, "send", "Alice", "Yes?", "--reply-to", text, "--wait", "delivered")
        let received = try await pair.alice.message("Yes?")
        #expect(received["message"]?["replyTo"]?["text"]?.string == "Hello, @Bob")

        try pair.done(pair.alice, "react", answer, "👍")
        let liked = try await pair.bob.change(of: answer) { $0["reactions"]?.array?.count == 1 }
        #expect(liked["reactions"]?.array?.first?["from"]?.array?.compactMap(\.string) == [pair.aliceID])
        try pair.done(pair.alice, "edit", text, "Good morning")
        let edited = try await pair.bob.change(of: text) { $0["edited"] == .bool(true) }
        #expect(edited["text"]?.string == "Good morning")
        #expect(edited["earlier"]?.array?.first?["text"]?.string == "Hello, @Bob")

        let poll = try pair.done(pair.alice, "poll", "create", "Bob", "Tea?", "yes", "no", "--multiple")
        _ = try await pair.bob.event("poll") { $0["message"]?["id"]?.string == poll }
        try pair.done(pair.bob, "vote", poll, "1", "2")
        _ = try await pair.alice.change(of: poll) { message in
            message["poll"]?["options"]?.array?.allSatisfy { $0["votes"]?.array?.count == 1 } ?? false
        }
        try pair.done(pair.alice, "poll", "close", poll)
        _ = try await pair.bob.change(of: poll) { $0["poll"]?["closed"] == .bool(true) }

        try pair.done(pair.alice, "delete", text, "--for-everyone")
        let deleted = try await pair.bob.change(of: text) { $0["deleted"] == .bool(true) }
        #expect(deleted["text"]?.string == "")
        try pair.done(pair.bob, "delete", poll)
        let shown = try Command.run([
            Command.earshot, "--home", pair.bob.home.path, "history", "show", "Alice", "--ids",
        ])
        #expect(shown.output.contains("(deleted)") && shown.output.contains("👍 1") && !shown.output.contains("Tea?"))
        #expect(shown.output.contains(text) && shown.output.contains("> Alice: (deleted)"))

        for (node, arguments, status) in [
            (pair.alice, ["react", answer, "ok"], 65), (pair.alice, ["react", "x", "👍"], 65),
            (pair.alice, ["react", String(repeating: "0", count: 32), "👍"], 65),
            (pair.bob, ["edit", text, "mine"], 65),
            (pair.alice, ["edit", answer, "mine"], 65), (pair.alice, ["delete", answer, "--for-everyone"], 65),
            (pair.alice, ["poll", "create", "Bob", "?", "one"], 65), (pair.alice, ["vote", poll, "1"], 65),
            (pair.alice, ["vote", answer, "1"], 65), (pair.alice, ["timer", "Bob", "9000h"], 65),
            (pair.alice, ["timer", "Bob", "soon"], 64), (pair.alice, ["poll", "create", "Bob"], 64),
            (pair.alice, ["send", "Bob", "x", "--reply-to", "x"], 65), (pair.alice, ["timer", "Carol", "5m"], 65),
        ] as [(NodeProcess, [String], Int32)] {
            let run = try Command.run([Command.earshot, "--home", node.home.path, "--json"] + arguments)
            #expect(run.status == status && run.output == "" && !run.errors.isEmpty, "\(arguments): \(run)")
        }
        await pair.stop()
    }

    @Test("What waits for somebody who is away is taken back by command; what has arrived, or is none, is not")
    func cancelling() async throws {
        let pair = try await Pair.start()
        try pair.done(pair.alice, "send", "Bob", "first")
        _ = try await pair.bob.message("first")
        try pair.done(pair.bob, "trust", "accept", "Alice")
        let arrived = try pair.done(pair.alice, "send", "Bob", "second", "--wait", "delivered")
        await pair.bob.stop()
        let waiting = try pair.done(pair.alice, "send", "Bob", "never mind")
        try pair.done(pair.alice, "cancel", waiting)
        let failed = try await pair.alice.event("the end of it") {
            $0["message"]?.string == waiting && $0["status"]?.string == "failed"
        }
        #expect(failed["reason"]?.string == "cancelled")
        for message in [arrived, waiting, String(repeating: "0", count: 32), "x"] {
            let again = try Command.run([Command.earshot, "--home", pair.alice.home.path, "cancel", message])
            #expect(again.status == 65 && !again.errors.isEmpty, "\(again)")
        }
        await pair.alice.stop()
    }

    @Test("Messages go by the timer on both sides, and typing is told while it lasts")
    func timersAndTyping() async throws {
        let pair = try await Pair.start()
        try pair.done(pair.alice, "send", "Bob", "Hello")
        _ = try await pair.bob.message("Hello")
        try pair.done(pair.bob, "send", "Alice", "Hello too", "--wait", "delivered")
        let line = try pair.done(pair.alice, "timer", "Bob", "2s")
        let system = try await pair.bob.event("system line") { $0["message"]?["id"]?.string == line }
        #expect(system["message"]?["system"]?["expiresAfter"] == .number(2))
        let kept = try pair.done(pair.alice, "send", "Bob", "kept", "--expires-after", "0s")
        let gone = try pair.done(pair.alice, "send", "Bob", "gone")
        _ = try await pair.bob.message("gone")
        try await pair.bob.call("markRead", ["conversation": .string(pair.aliceID), "upTo": .string(gone)])
        for node in [pair.alice, pair.bob] {
            _ = try await node.event("removal") {
                $0["type"]?.string == "message.removed" && $0["message"]?.string == gone
            }
            let page = try await node.call("history", ["conversation": .string(node.name == "Bob" ? "Alice" : "Bob")])
            let ids = page.array?.compactMap { $0["id"]?.string } ?? []
            #expect(ids.contains(kept) && !ids.contains(gone))
        }
        try await pair.alice.call("typing", ["to": .string("Bob")])
        let sign = try await pair.bob.event("typing") { $0["type"]?.string == "typing" }
        #expect(sign["by"]?.string == pair.aliceID && sign["active"] == .bool(true))
        await #expect(throws: NodeProcess.Failure.self) {
            try await pair.alice.call("typing", ["to": .string("Carol")])
        }
        await pair.stop()
    }
}

extension NodeProcess {
    /// Waits until a message has changed so that it fits, and returns the message.
    func change(of id: String, where fits: @escaping @Sendable (JSONValue) -> Bool) async throws -> JSONValue {
        let event = try await event("change of \(id)") { event in
            event["type"]?.string == "message.changed" && event["message"]?["id"]?.string == id
                && event["message"].map(fits) ?? false
        }
        return event["message"] ?? .null
    }
}
