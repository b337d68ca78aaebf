import ArgumentParser
import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Changes of the hubs of a running node", .timeLimit(.minutes(5)))
struct HubListChangesTests {
    /// A node that has not joined the mesh, and its hubs.
    private struct Trial {
        let folder: TemporaryFolder
        let node: ChatNode
        let hubs: NodeHubs

        init(_ arguments: [String] = []) async throws {
            folder = try TemporaryFolder()
            var mesh = MeshOptions()
            (mesh.interfaces, mesh.usesMulticast) = (["lo"], false)
            node = try await ChatNode.create(name: "Alice", ChatConfiguration(mesh: mesh))
            let home = HomeDirectory(try GlobalOptions.parse(["--home", folder.path("home")]))
            hubs = try await NodeHubArguments.parse(arguments).connect(node, in: home)
        }

        /// The lines of the file; nil without a file.
        var lines: [String]? {
            let text = try? String(contentsOf: URL(filePath: folder.path("home/hubs")), encoding: .utf8)
            return text?.split(separator: "\n").map(String.init)
        }

        func call<Method: RPCMethod>(_ method: Method) async throws -> Method.Reply {
            try await LocalCaller(node: node).call(method)
        }

        /// Returns the error of a call that must fail.
        func refusal(_ method: some RPCMethod) async throws -> RPCError {
            try await #require(throws: RPCError.self) { _ = try await call(method) }
        }

        func stop() async {
            await hubs.stop()
            await node.stop()
        }
    }

    @Test("A hub is added with its login, shown without it, changed and removed, and the node follows at once")
    func changes() async throws {
        let trial = try await Trial()
        let none = try await trial.call(HubsCall())
        #expect(none.hubs.isEmpty && none.changeable && none.advice == nil && none.fixed.isEmpty)
        let added = try await trial.call(AddHubCall(address: "nats://club:S%40crEt@127.0.0.1:1"))
        #expect(added.hubs.map(\.address) == ["nats://127.0.0.1:1"])
        #expect(try !String(decoding: JSONEncoder().encode(added), as: UTF8.self).contains("crEt"))
        #expect(trial.lines == ["nats://club:S%40crEt@127.0.0.1:1"])
        let attributes = try FileManager.default.attributesOfItem(atPath: trial.folder.path("home/hubs"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The server does not answer; the user reads why, and learns a remedy.
        var hub = added.hubs.first
        while hub?.advice == nil {
            hub = try await trial.call(HubsCall()).hubs.first
            await Task.yield()
        }
        #expect(hub?.problem == "hubUnreachable" && hub?.advice?.contains("Is the server running") == true)
        _ = try await trial.call(AddHubCall(address: "nats://club:other@127.0.0.1:1"))
        #expect(trial.lines == ["nats://club:other@127.0.0.1:1"])
        let unknown = try await trial.refusal(RemoveHubCall(address: "tls://club:S%40crEt@hub.example.org"))
        #expect(unknown.kind == .notFound && !unknown.message.contains("crEt"))
        #expect(try await trial.call(RemoveHubCall(address: "nats://127.0.0.1:1")).hubs.isEmpty)
        #expect(trial.lines == [])
        await trial.stop()
    }

    @Test(
        "An address that is none changes nothing; the error is that of the command, and shows no login",
        arguments: [
            ("hub", "hubURL", "Give one such as tls://hub.example.org"),
            ("https://a:crEt@hub.example.org", "hubURL", "This is no address of a hub."),
            ("nats://a:crEt@hub.example.org", "hubClearText", "nats://hub.example.org is not encrypted"),
            ("tls://club@hub.example.org:1", "hubLogin", "tls://USER:PASSWORD@hub.example.org:1"),
        ]
    )
    func addresses(address: String, name: String, words: String) async throws {
        let trial = try await Trial()
        let error = try await trial.refusal(AddHubCall(address: address))
        #expect(error.kind == .invalidParameters && error.data?.code == name && error.message.contains(words))
        #expect(!error.message.contains("crEt"))
        #expect(trial.lines == nil)
        await trial.stop()
    }

    @Test("A node has four hubs at most, those of its start among them, and these change at the start alone")
    func given() async throws {
        let trial = try await Trial(["--hub", "nats://a:b@127.0.0.1:1"])
        #expect(try await trial.call(HubsCall()).fixed == ["nats://127.0.0.1:1"])
        for port in 2...4 { _ = try await trial.call(AddHubCall(address: "nats://127.0.0.1:\(port)")) }
        let fifth = try await trial.refusal(AddHubCall(address: "nats://127.0.0.1:5"))
        #expect(fifth.kind == .limited && fifth.message.contains("Remove one first."))
        #expect(trial.lines == [2, 3, 4].map { "nats://127.0.0.1:\($0)" })
        let address = "nats://127.0.0.1:1"
        for error in [
            try await trial.refusal(RemoveHubCall(address: address)),
            try await trial.refusal(AddHubCall(address: address)),
        ] {
            #expect(error.data?.code == "hubFixed" && error.message.contains("started with --hub"))
        }
        #expect(try await trial.call(HubsCall()).hubs.count == 4)
        await trial.stop()
    }

    @Test("A node that was started with --no-hub leaves its list alone, and says so")
    func without() async throws {
        let trial = try await Trial(["--no-hub"])
        #expect(try await !trial.call(HubsCall()).changeable)
        let error = try await trial.refusal(AddHubCall(address: "tls://hub.example.org"))
        #expect(error.data?.code == "noHubs" && error.message.contains("without --no-hub"))
        #expect(trial.lines == nil)
        await trial.stop()
    }

    @Test("A list that cannot be read is reported, and left as it is")
    func broken() async throws {
        let trial = try await Trial()
        try FileManager.default.createDirectory(atPath: trial.folder.path("home"), withIntermediateDirectories: true)
        try Data("hub\n".utf8).write(to: URL(filePath: trial.folder.path("home/hubs")))
        for error in [
            try await trial.refusal(AddHubCall(address: "tls://a")),
            try await trial.refusal(RemoveHubCall(address: "tls://a")),
        ] {
            #expect(error.data?.code == "homeUnusable" && error.message.contains("Line 1"))
        }
        #expect(trial.lines == ["hub"])
        await trial.stop()
    }
}
