import Earshot
import EarshotRPC
import Foundation
import Testing

/// Three homes on the loopback interface, each with a node.
@Suite("What newcomers to a group are told", .timeLimit(.minutes(30)))
struct GroupHistoryCommandTests {
    private struct Trio {
        static let names = ["Alice", "Bob", "Carol"]

        let folder: TemporaryFolder
        let nodes: [RunningProcess]

        /// Starts all nodes and makes them accept each other.
        init() async throws {
            let folder = try TemporaryFolder()
            let mesh =
                "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...30_000))"
            var nodes: [RunningProcess] = []
            for name in Self.names {
                let home = folder.path(name)
                let made = try await EarshotProcess.run(["--home", home, "init", "--name", name, "--no-passphrase"])
                try #require(made.status == 0, "\(made.errors)")
                nodes.append(try await RunningProcess(home: home, ["--discovery", mesh]))
            }
            self.folder = folder
            self.nodes = nodes
            for (index, node) in nodes.enumerated() {
                for (other, name) in Self.names.enumerated() where other != index {
                    try await Self.until(node, ["contact"]) {
                        try await node.client.call(ContactsCall()).contains { $0.name == name }
                    }
                    _ = try await node.client.call(TrustCall(peer: name, action: "accept"))
                }
            }
        }

        /// Waits until a condition holds, and checks it after each event of these types.
        static func until(
            _ node: RunningProcess,
            _ types: [String],
            _ holds: () async throws -> Bool
        ) async throws {
            let events = try await node.client.events(types)
            if try await holds() { return }
            for await _ in events where try await holds() { return }
            Issue.record("the node has ended")
        }

        func run(_ index: Int, _ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", folder.path(Self.names[index])] + arguments)
        }

        func history(_ index: Int) async throws -> [MessageReply] {
            try await nodes[index].client.call(HistoryCall(conversation: "group:Trees", limit: 50))
        }

        func close() async throws {
            for node in nodes {
                try node.closeInput()
                #expect(await node.end() == 0)
                await node.client.close()
            }
        }
    }

    @Test("The last two messages are shown to who comes later, with the name of who vouches for them")
    func lastTwo() async throws {
        let trio = try await Trio()
        for words in ["last:0", "some"] {
            #expect(try await trio.run(0, "group", "create", "Trees", "Bob", "--history", words).status == 64)
        }
        let made = try await trio.run(0, "--json", "group", "create", "Trees", "Bob", "--history", "last:2")
        #expect(made.status == 0 && made.output.contains(#""history":"last:2""#), "\(made)")
        try await Trio.until(trio.nodes[1], ["group"]) {
            try await trio.nodes[1].client.call(GroupsCall()).contains { $0.standing == "member" }
        }
        for (number, text) in ["one", "two", "three"].enumerated() {
            let sent = try await trio.run(number % 2, "send", "group:Trees", text, "--wait", "delivered")
            #expect(sent.status == 0, "\(sent)")
        }
        let carol = trio.nodes[2]
        let events = try await carol.client.events(["group"])
        #expect(try await trio.run(0, "group", "add", "Trees", "Carol").status == 0)
        let complete = await events.first { event in
            if case .group(let event) = event { event.complete == true } else { false }
        }
        guard case .group(let progress) = complete else {
            Issue.record("the node has ended")
            return
        }
        #expect(progress.event == "history" && progress.messages == 2)
        let reported = try await trio.history(2).filter { $0.system == nil }
        #expect(reported.map(\.text) == ["two", "three"])
        #expect(reported.map(\.fromName) == ["Bob", "Alice"])
        #expect(reported.map { $0.vouchedBy?.map(\.name) } == [["Alice"], ["Alice"]])
        #expect(try await trio.history(0).allSatisfy { $0.vouchedBy == nil })
        let shown = try await trio.run(2, "history", "show", "group:Trees")
        #expect(shown.status == 0 && shown.output.contains("(attested by Alice) three"), "\(shown)")

        #expect(try await trio.run(1, "group", "history", "Trees", "all").status == 77)
        #expect(try await trio.run(0, "group", "history", "Trees", "last").status == 64)
        let changed = try await trio.run(0, "--json", "group", "history", "Trees", "none")
        #expect(changed.status == 0 && changed.output.contains(#""history":"none""#), "\(changed)")
        try await Trio.until(carol, ["group"]) {
            try await carol.client.call(GroupsCall()).contains { $0.history == "none" }
        }
        try await trio.close()
    }
}
