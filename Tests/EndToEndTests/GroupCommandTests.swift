import Foundation
import Testing

/// Four processes: Alice on one host, Bob and Carol on another, a relay between the two hosts.
@Suite("A group across a relay", .serialized)
struct GroupCommandTests {
    @Test("A group is founded, written to, changed, handed over and left, and all who stay know the same")
    func group() async throws {
        guard let scene = try await Scene.start() else { return }
        try await scene.befriend()
        let created = try scene.run("alice", ["group", "create", "Trees", "Bob", scene.carolID], status: 0)
        let group = try #require(created["id"]?.string)
        for node in [scene.bob, scene.carol] {
            _ = try await node.event("joined") { $0["type"]?.string == "group" && $0["event"]?.string == "joined" }
        }

        // Each member writes; every member has the message, and the author learns each recipient.
        let nodes = [("alice", scene.alice), ("bob", scene.bob), ("carol", scene.carol)]
        for (host, node) in nodes {
            let sent = try scene.run(host, ["send", "group:Trees", "from \(host)", "--wait", "delivered"], status: 0)
            #expect(sent["status"]?.string == "delivered")
            let id = try #require(sent["message"]?.string)
            let receipts = try scene.run(host, ["history", "receipts", id], status: 0).array ?? []
            #expect(receipts.map { $0["status"]?.string } == ["delivered", "delivered"])
            _ = try await node.events(2, "delivery") { $0["message"]?.string == id && $0["by"] != nil }
        }
        for (host, _) in nodes {
            let shown = try scene.lines(host, ["history", "show", "group:Trees"])
            let texts = shown.filter { $0["kind"]?.string != "system" }.compactMap { $0["text"]?.string }
            #expect(Set(texts) == ["from alice", "from bob", "from carol"])
            let lines = shown.compactMap { $0["system"]?["event"]?.string }
            // A member has the lines from its joining on.
            #expect(lines.sorted() == ["added", "added"] + (host == "alice" ? ["founded"] : []))
        }

        try await haveHelpers(scene, group)
        try scene.run("alice", ["group", "handover", "Forest", "Bob"], status: 0)
        for node in [scene.alice, scene.carol] {
            _ = try await node.event("handed over") {
                $0["event"]?.string == "handedOver" && $0["by"]?.string == scene.bobID
            }
        }
        try scene.run("alice", ["group", "leave", "Forest"], status: 0)
        for node in [scene.bob, scene.carol] {
            _ = try await node.event("left") { $0["event"]?.string == "left" && $0["by"]?.string == scene.aliceID }
        }
        try await scene.until("the two agree") {
            try scene.view(group, "bob") == scene.view(group, "carol")
                && (try scene.view(group, "carol")["members"]?.array?.count) == 2
        }
        try scene.run("bob", ["send", "group:Forest", "after Alice", "--wait", "delivered"], status: 0)
        let texts = try scene.lines("alice", ["history", "show", group]).compactMap { $0["text"]?.string }
        #expect(!texts.contains("after Alice"))
        await scene.stop()
    }

    /// Lets Bob rename the group as an admin, and makes Bob the successor, who takes nothing over while the owner is there.
    private func haveHelpers(_ scene: Scene, _ group: String) async throws {
        try scene.run("alice", ["group", "admin", "Trees", "Bob"], status: 0)
        _ = try await scene.bob.event("policy") { $0["event"]?.string == "policy" }
        try scene.run("bob", ["group", "rename", "Trees", "Forest"], status: 0)
        try scene.run("alice", ["group", "successor", group, "Bob"], status: 0)
        try await scene.until("Bob is the successor") {
            try scene.view(group, "carol")["successor"]?.string == scene.bobID
        }
        try scene.run("bob", ["group", "takeover", group], status: 75)
        try scene.run("carol", ["group", "takeover", group], status: 77)
        for node in [scene.bob, scene.carol] {
            _ = try await node.event("renamed") {
                $0["event"]?.string == "renamed" && $0["title"]?.string == "Forest"
            }
        }
    }

    @Test("An invitation by a stranger is asked for, and bad input is refused with its status")
    func refusals() async throws {
        guard let scene = try await Scene.start() else { return }
        try scene.run("alice", ["group", "create", "Trees", scene.bobID, scene.carolID], status: 0)
        for (host, node) in [("bob", scene.bob), ("carol", scene.carol)] {
            _ = try await node.event("invited") { $0["event"]?.string == "invited" }
            try scene.run(host, ["send", "group:Trees", "not yet"], status: 77)
        }
        try scene.run("bob", ["group", "accept", "Trees"], status: 0)
        try scene.run("carol", ["group", "decline", "Trees"], status: 0)
        _ = try await scene.bob.event("joined") { $0["event"]?.string == "joined" }
        try scene.run("bob", ["send", "group:Trees", "hello", "--wait", "carried"], status: 64)
        let hello = try await scene.bob.call("send", ["to": .string("group:Trees"), "text": .string("hello")])
        #expect(hello["message"]?.string != nil)
        _ = try await scene.alice.message("hello")

        try scene.run("bob", ["group", "rename", "Trees", "Mine"], status: 77)
        try scene.run("bob", ["group", "leave", "No such group"], status: 65)
        try scene.run("alice", ["group", "leave", "Trees"], status: 77)
        try scene.run("alice", ["group", "remove", "Trees", "Nobody"], status: 65)
        try scene.run("alice", ["group", "add", "Trees", "Nobody"], status: 65)
        try scene.run("alice", ["group", "create", " "], status: 65)
        try scene.run("alice", ["history", "receipts", "00"], status: 65)
        try scene.run("alice", ["group", "remove", "Trees", "Bob"], status: 0)
        _ = try await scene.bob.event("ended") { $0["event"]?.string == "ended" }
        try scene.run("bob", ["send", "group:Trees", "still here?"], status: 77)
        await #expect(throws: NodeProcess.Failure.self) {
            try await scene.bob.call("group.add", ["group": .string("Trees"), "members": .array([])])
        }
        await scene.stop()
    }
}

/// Alice, and behind a relay Bob and Carol on one host.
private struct Scene: Sendable {
    let folder: TemporaryFolder
    let line: NamespaceLine
    let alice: NodeProcess
    let bob: NodeProcess
    let carol: NodeProcess
    let relay: NodeProcess
    let aliceID: String
    let bobID: String
    let carolID: String

    /// Starts all processes and waits until they know each other; nil if the system forbids namespaces.
    static func start() async throws -> Scene? {
        guard let line = try NamespaceLine() else { return nil }
        let folder = try TemporaryFolder()
        func node(_ name: String, on host: String) throws -> NodeProcess {
            let home = folder.url.appending(path: name.lowercased())
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
            ])
            guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
            let options = host == "relay" ? ["--relay-only"] : []
            return try NodeProcess(name, home: home, in: line.namespace(host), options)
        }
        let relay = try node("Relay", on: "relay")
        let nodes = [try node("Alice", on: "alice"), try node("Bob", on: "bob"), try node("Carol", on: "bob")]
        _ = try await relay.ready()
        var ids: [String] = []
        for node in nodes { ids.append(try await node.ready()) }
        for (index, node) in nodes.enumerated() {
            for (other, id) in ids.enumerated() where other != index { try await node.knows(id) }
        }
        return Scene(
            folder: folder,
            line: line,
            alice: nodes[0],
            bob: nodes[1],
            carol: nodes[2],
            relay: relay,
            aliceID: ids[0],
            bobID: ids[1],
            carolID: ids[2]
        )
    }

    /// Makes Bob and Carol accept Alice.
    func befriend() async throws {
        for node in [bob, carol] {
            try await node.call("trust", ["peer": .string(aliceID), "action": .string("accept")])
        }
    }

    /// Runs a command on a home and returns the value that it printed.
    @discardableResult
    func run(_ home: String, _ arguments: [String], status: Int32) throws -> JSONValue {
        let result = try command(home, arguments)
        #expect(result.status == status, "\(home) \(arguments): \(result.errors)")
        return (try? JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))) ?? .null
    }

    /// Runs a command and returns the values that it printed, one on each line.
    func lines(_ home: String, _ arguments: [String]) throws -> [JSONValue] {
        try command(home, arguments).output.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
    }

    private func command(_ home: String, _ arguments: [String]) throws -> Command {
        try Command.run(
            [
                Command.earshot, "--home", folder.url.appending(path: home).path, "--json",
            ] + arguments
        )
    }

    /// Reads a group from one of the homes.
    func view(_ group: String, _ home: String) throws -> JSONValue {
        try run(home, ["group", "list"], status: 0).array?.first { $0["id"]?.string == group } ?? .null
    }

    /// Polls until the condition holds.
    func until(_ what: String, _ holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
        while try !holds() {
            guard ContinuousClock.now < deadline else { throw NodeProcess.Failure(description: "not in time: \(what)") }
        }
    }

    func stop() async {
        for node in [alice, bob, carol, relay] { await node.stop() }
    }
}
