import Foundation
import Testing

/// A node beside `earshot conformance`, on the loopback interface, as another implementation would be.
@Suite("Conformance command", .serialized)
struct ConformanceCommandTests {
    @Test("A node that takes every step is told so, one after the other, and the command ends with 0")
    func steps() async throws {
        let folder = try TemporaryFolder()
        let group = NodeProcess.randomGroup()
        let served = try LineProcess([Command.earshot, "conformance", "--interface", "lo", "--discovery", group])
        var facts: [String: String] = [:]
        for _ in 0..<4 {
            let words = try #require(await served.next()).split(separator: " ").map(String.init)
            facts[words.dropLast().joined(separator: " ")] = words.last
        }
        let peer = try #require(facts["peer id"])
        #expect(facts["signing seed"] == String(repeating: "11", count: 32))
        let code = try #require(facts["room code"])

        let home = folder.url.appending(path: "Bob")
        let made = try Command.run([
            Command.earshot, "--home", home.path, "init", "--name", "Bob", "--no-passphrase",
        ])
        try #require(made.status == 0, "\(made.errors)")
        let bob = try NodeProcess("Bob", home: home, NodeProcess.loopback(group))
        _ = try await bob.ready()
        try await bob.knows(peer)
        try await bob.call("trust", ["peer": .string(peer), "action": .string("accept")])
        try await bob.send("Hello", to: peer)
        _ = try await bob.message("You wrote: Hello")
        try await bob.send("Again", to: peer)
        _ = try await bob.message("You wrote: Again")
        let trees = try await bob.call("group.create", ["title": .string("Trees"), "members": .array([.string(peer)])])
        try await bob.send("To all", to: try #require(trees["id"]?.string))
        _ = try await bob.message("You wrote: To all")
        let room = try await bob.call("room.join", ["code": .string(code)])
        try await bob.send("In here", to: try #require(room["id"]?.string))

        var lines: [String] = []
        while let line = await served.next() { lines.append(line) }
        #expect(lines.count { $0.hasPrefix("✓ ") } == 10 && lines.last == "All steps were taken.", "\(lines)")
        await bob.stop()
    }
}
