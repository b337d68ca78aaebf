import Foundation
import Testing

@Suite("Files from before somebody came, by the command", .serialized, .timeLimit(.minutes(30)))
struct NewMemberFileCommandTests {
    @Test(
        "`media` and `listen --save` fetch what a newcomer was told of, and `media` says when nobody has this attachment any more"
    )
    func fetching() async throws {
        let scene = try await Scene()
        let (alice, bob, carol) = (scene.nodes[0], scene.nodes[1], scene.nodes[2])
        let group = try await scene.create()
        let contents = [scene.bytes(700_000), scene.bytes(20_000), scene.bytes(10)]
        var sent: [String] = []
        for (number, content) in contents.enumerated() {
            let path = scene.folder.url.appending(path: "\(number).bin")
            try content.write(to: path)
            let files = JSONValue.array([.string(path.path)])
            let message = try await alice.call("send", ["to": .string("group:Trees"), "files": files])["message"]
            sent.append(try #require(message?.string))
            _ = try await bob.event("whole file \(number)", where: scene.isWhole(sent[number]))
        }
        try await scene.bring(2, into: group, telling: sent)
        for (number, content) in contents.enumerated().prefix(2) {
            let saved = try scene.command(carol, ["media", sent[number], "--to", scene.saved.path])
            #expect(saved.status == 0, "\(saved.errors)")
            #expect(try Data(contentsOf: URL(filePath: saved.output.split(separator: "\n").joined())) == content)
        }
        // Both members that have the last file delete it, its author too. The new member asks a member along a path,
        // which takes a session.
        try await scene.greet(2, 1)
        for node in [alice, bob] { try await node.call("delete", ["message": .string(sent[2])]) }
        let gone = try scene.command(carol, ["media", sent[2], "--to", scene.saved.path])
        #expect(gone.status == 69 && gone.errors.contains("has this attachment any more"), "\(gone.errors)")
        let unknown = try scene.command(carol, ["media", String(repeating: "0", count: 32)])
        #expect(unknown.status == 65, "\(unknown.errors)")

        let kept = scene.folder.url.appending(path: "kept")
        let home = scene.nodes[3].home.path
        let listening = try LineProcess([Command.earshot, "--home", home, "listen", "--save", kept.path, "--json"])
        defer { listening.stop() }
        try await scene.bring(3, into: group, telling: Array(sent.prefix(2)))
        for number in 0...1 {
            _ = try await scene.nodes[3].event("whole file \(number)", where: scene.isWhole(sent[number]))
            try await scene.appears(contents[number], in: kept)
        }
        for node in scene.nodes { await node.stop() }
    }
}

/// Four nodes on the loopback interface, the first two of which are in a group.
private struct Scene {
    let nodes: [NodeProcess]
    let folder: TemporaryFolder
    private let ids: [String]

    var saved: URL { folder.url.appending(path: "saved") }

    init() async throws {
        folder = try TemporaryFolder()
        let group = NodeProcess.randomGroup()
        var nodes: [NodeProcess] = []
        for name in ["alice", "bob", "carol", "dave"] {
            let home = folder.url.appending(path: name)
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
            ])
            guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
            nodes.append(try NodeProcess(name, home: home, NodeProcess.loopback(group)))
        }
        var ids: [String] = []
        for node in nodes { ids.append(try await node.ready()) }
        (self.nodes, self.ids) = (nodes, ids)
        for node in nodes {
            for (id, other) in zip(ids, nodes) where other.name != node.name {
                try await node.knows(id)
                try await node.call("trust", ["peer": .string(id), "action": .string("accept")])
            }
        }
    }

    func create() async throws -> String {
        let made = try await nodes[0].call(
            "group.create",
            ["title": .string("Trees"), "members": .array([.string(ids[1])]), "history": .string("all")]
        )
        let id = made["id"]?.string ?? ""
        _ = try await nodes[1].event("joined") { $0["event"]?.string == "joined" }
        return id
    }

    /// Adds a member and waits until the member has received these earlier messages.
    func bring(_ index: Int, into group: String, telling messages: [String]) async throws {
        try await nodes[0].call("group.add", ["group": .string(group), "members": .array([.string(ids[index])])])
        for message in messages {
            _ = try await nodes[index].event("told of a message") { $0["message"]?["id"]?.string == message }
        }
    }

    /// Sends a message between two nodes in each direction.
    func greet(_ index: Int, _ other: Int) async throws {
        for (from, to) in [(index, other), (other, index)] {
            try await nodes[from].call("send", ["to": .string(ids[to]), "text": .string("hello \(to)")])
            _ = try await nodes[to].message("hello \(to)")
        }
    }

    func bytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    func isWhole(_ message: String) -> @Sendable (JSONValue) -> Bool {
        { $0["type"]?.string == "progress" && $0["message"]?.string == message && $0["bytes"] == $0["total"] }
    }

    /// Waits until a folder holds a file with this content.
    func appears(_ content: Data, in folder: URL) async throws {
        let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
        while ContinuousClock.now < deadline {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            if names.contains(where: { (try? Data(contentsOf: folder.appending(path: $0))) == content }) { return }
            await Task.yield()
        }
        throw NodeProcess.Failure(description: "no file of \(content.count) bytes was saved")
    }

    func command(_ node: NodeProcess, _ arguments: [String]) throws -> Command {
        try Command.run([Command.earshot, "--home", node.home.path] + arguments)
    }
}
