import Foundation
import Testing

/// Commands on a home without a node, and through a node that runs on the loopback interface.
@Suite("Search by command", .serialized)
struct SearchCommandTests {
    @Test("Messages are found by words, place, sender, kind and time, with a node and without")
    func commands() async throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appending(path: "alice")
        func run(_ arguments: String...) throws -> Command {
            try Command.run([Command.earshot, "--home", home.path, "--quiet"] + arguments)
        }
        let mesh = NodeProcess.loopback()
        #expect(try run("init", "--name", "Alice", "--no-passphrase").status == 0)
        let bobHome = folder.url.appending(path: "bob")
        try Command.run([Command.earshot, "--home", bobHome.path, "init", "--name", "Bob", "--no-passphrase"])
        var node = try NodeProcess("Alice", home: home, mesh)
        let bob = try NodeProcess("Bob", home: bobHome, mesh)
        _ = try await node.ready()
        try await node.knows(try await bob.ready())
        for title in ["Trees", "Birds"] {
            #expect(try run("group", "create", title, "Bob").status == 0)
            for text in ["The old Oak of \(title)", "東京に行く \(title)"] {
                #expect(try run("send", "group:\(title)", text).status == 0)
            }
        }
        await bob.stop()
        await node.stop()

        try find(in: home)

        node = try NodeProcess("Alice", home: home, mesh)
        _ = try await node.ready()
        let hits = try run("history", "search", "trees oak", "--json").output.split(separator: "\n")
        let hit = try JSONDecoder().decode(JSONValue.self, from: Data(try #require(hits.first).utf8))
        #expect(hits.count == 1 && hit["text"]?.string == "The old Oak of Trees")
        #expect(hit["places"]?.array?.first?["start"]?.int == 8)
        let progress = try await node.call("search.progress")
        #expect(progress["complete"] == .bool(true) && progress["done"]?.int == 8)
        try await node.call("send", ["to": .string("group:Trees"), "text": .string("a new oak")])
        let answer = try await node.call("search", ["query": .string("new")])
        #expect(answer.array?.compactMap { $0["text"]?.string } == ["a new oak"])
        await node.stop()
    }

    private func find(in home: URL) throws {
        func run(_ arguments: String...) throws -> Command {
            try Command.run([Command.earshot, "--home", home.path, "--quiet"] + arguments)
        }
        let found = try run("history", "search", "oak")
        #expect(found.status == 0 && found.output.split(separator: "\n").count == 2)
        #expect(found.output.contains("Alice in group:Birds  The old Oak of Birds"))
        #expect(try run("history", "search", "東京", "--in", "group:Trees").output.contains("東京に行く Trees"))
        #expect(try run("history", "search", "ash").output == "Nothing was found.\n")
        #expect(try run("history", "search", "oak", "--before", "1d").output == "Nothing was found.\n")
        #expect(try run("history", "search", "oak", "--after", "1d", "--limit", "1").output.contains("Birds"))
        let system = try run("history", "search", "", "--kind", "system", "--json")
        #expect(system.output.split(separator: "\n").count == 4)

        #expect(try run("history", "search", "").status == 65)
        #expect(try run("history", "search", "?!").status == 65)
        #expect(try run("history", "search", "oak", "--in", "Nobody").status == 65)
        #expect(try run("history", "search", "oak", "--kind", "film").status == 65)
        #expect(try run("history", "search", "oak", "--after", "soon").status == 64)
        #expect(try run("history", "search", "oak", "--limit", "0").status == 64)
    }
}
