#if os(Linux)
    import Foundation
    import Testing

    @Suite("What remains of a room", .serialized, .timeLimit(.minutes(30)))
    struct RoomResidueTests {
        @Test(
            "After a room's end its keys, names, texts, files and invite are in no file and in no memory of any member's node"
        )
        func remains() async throws {
            guard getuid() == 0 else { return print("SKIPPED: only root reads the memory of a hardened process") }
            let scene = try await Scene()
            var keys = try await scene.keys()
            try await scene.gather()
            try await scene.talk()
            var found: Set<String> = []
            for node in scene.nodes {
                found.formUnion(try ProcessMemory(process: await node.identifier).places(of: scene.words).keys)
            }
            #expect(found.isSuperset(of: scene.present), "the search finds what is in use")
            for (name, during) in try await scene.keys() { keys[name] = during.subtracting(keys[name] ?? []) }
            // The keys are those of an identity, of the room, and of each sender in it.
            #expect(keys.values.allSatisfy { $0.count > 10 }, "\(keys.mapValues(\.count))")

            try await scene.nodes[0].call("room.leave", ["room": .string(scene.title)])
            for node in scene.nodes.dropFirst() {
                _ = try await node.event("closed") { $0["event"]?.string == "closed" }
            }
            for node in scene.nodes { try await scene.isForgotten(by: node, keys[node.name] ?? []) }
            await scene.stop()
        }
    }

    /// Three nodes on the loopback interface, the first of which hosts a room.
    private final class Scene {
        let nodes: [NodeProcess]
        let title = Scene.word("Title", 24)
        private let folder: TemporaryFolder
        /// The names of the members in the room.
        ///
        /// Swift stores texts of up to 15 bytes inline and longer ones in separate memory.
        private let names = [Scene.word("Owl", 8), Scene.word("Fox", 10), Scene.word("Elk", 20)]
        private let short = Scene.word("tea", 8)
        private let long = Scene.word("text", 200)
        private let edited = Scene.word("edited", 20)
        private let option = Scene.word("option", 8)
        private let file = Scene.word("file", 8)
        private let content = Scene.word("content", 40)
        /// The key of the invite, and below it the code that people type instead.
        private var key = ""
        private var code = ""

        /// The words that every member's node has in its memory while the room exists.
        var present: [String] { [title] + names }

        /// All words of the room that must not be found later.
        var words: [String] { [title, short, long, edited, option, file, content, key, code] + names }

        init() async throws {
            folder = try TemporaryFolder()
            let place = NodeProcess.loopback()
            var nodes: [NodeProcess] = []
            for name in ["hanna", "ben", "cleo"] {
                let home = folder.url.appending(path: name)
                let made = try Command.run([
                    Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
                ])
                guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
                nodes.append(try NodeProcess(name, home: home, place))
            }
            self.nodes = nodes
            for node in nodes { _ = try await node.ready() }
            // Link keys change while links come and go, so the test waits for two links at each node.
            for node in nodes {
                while try await node.call("status")["links"]?.int != 2 { await Task.yield() }
            }
        }

        /// Collects the keys that each node holds.
        func keys() async throws -> [String: Set<[UInt8]>] {
            var keys: [String: Set<[UInt8]>] = [:]
            for node in nodes { keys[node.name] = try ProcessMemory(process: await node.identifier).lockedKeys() }
            return keys
        }

        private static func word(_ beginning: String, _ count: Int) -> String {
            beginning + String((0..<count).map { _ in "bcdfghjkmnpqrstvwxz".randomElement() ?? "x" })
        }

        func gather() async throws {
            let made = try await nodes[0].call("room.create", ["title": .string(title), "name": .string(names[0])])
            for (node, name) in zip(nodes, names).dropFirst() {
                try await node.call("room.join", ["code": made["code"] ?? .null, "name": .string(name)])
            }
            code = made["code"]?.string ?? ""
            key = made["invite"]?.string?.suffix(32).description ?? ""
        }

        /// Sends every kind of content, in each direction, and shows it at every member.
        func talk() async throws {
            let room = JSONValue.string("room:\(title)")
            // One member sends through its own client, another through a command.
            try await nodes[1].call("send", ["to": room, "text": .string(long)])
            let said = try Command.run([
                Command.earshot, "--home", nodes[2].home.path, "send", "room:\(title)", short, "--wait", "delivered",
            ])
            #expect(said.status == 0, "\(said.errors)")
            for (node, text) in [(nodes[1], long), (nodes[2], short)] {
                for other in nodes where other.name != node.name { _ = try await other.message(text) }
            }
            let message = try await nodes[0].call("send", ["to": room, "text": .string("first")])["message"] ?? .null
            for node in nodes.dropFirst() { _ = try await node.message("first") }
            try await nodes[0].call("edit", ["message": message, "text": .string(edited)])
            for node in nodes.dropFirst() {
                _ = try await node.change(of: message.string ?? "") { [edited] in $0["text"]?.string == edited }
            }
            let options = JSONValue.array([.string(option), .string("other")])
            try await nodes[2].call("poll.create", ["to": room, "question": .string("which"), "options": options])
            let path = folder.url.appending(path: file)
            try Data(String(repeating: content, count: 100).utf8).write(to: path)
            let sent = try await nodes[1].call("send", ["to": room, "files": .array([.string(path.path)])])
            for node in [nodes[0], nodes[2]] {
                _ = try await node.event("whole file") {
                    $0["type"]?.string == "progress" && $0["message"] == sent["message"] && $0["bytes"] == $0["total"]
                }
                _ = try await node.copy(0, of: sent["message"]?.string ?? "")
            }
            for node in nodes { try await node.call("history", ["conversation": room, "limit": .number(100)]) }
        }

        /// Waits until a search finds nothing of the room; the node clears some memory only moments after the room's
        /// end.
        func isForgotten(by node: NodeProcess, _ keys: Set<[UInt8]>) async throws {
            #expect(try remains(in: node.home, keys) == [], "\(node.name)")
            let keys = keys.enumerated().map { (word: "key \($0 + 1) of \(keys.count)", bytes: $1) }
            let memory = ProcessMemory(process: await node.identifier)
            // The last clearing is a minute and a half after the end, and each search takes seconds.
            let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit * 3)
            while true {
                var found = try memory.places(of: words)
                if found.isEmpty { found = try memory.places(of: keys) }
                if found.isEmpty { return }
                guard ContinuousClock.now < deadline else {
                    throw NodeProcess.Failure(description: "\(node.name) still has \(found)")
                }
            }
        }

        /// Returns the files of a home whose name or content holds one of the words.
        private func remains(in home: URL, _ keys: Set<[UInt8]>) throws -> [String] {
            let words = words.map { Data($0.utf8) } + keys.map { Data($0) }
            return try FileManager.default.subpathsOfDirectory(atPath: home.path).filter { path in
                let bytes = (try? Data(contentsOf: home.appending(path: path))) ?? Data()
                return words.contains { Data(path.utf8).range(of: $0) != nil || bytes.range(of: $0) != nil }
            }
        }

        func stop() async {
            for node in nodes { await node.stop() }
        }
    }
#endif
