#if os(Linux)
    import ChatHistory
    import Foundation
    import Testing

    /// Everything that two nodes leave on a disk, searched for the words that people wrote, chose and used as names.
    @Suite("What homes tell", .serialized, .timeLimit(.minutes(30)))
    struct HomeResidueTests {
        @Test(
            "Nothing that people wrote or chose is in clear in any file: of nodes that run, were killed, crashed or ended"
        )
        func files() async throws {
            let session = try Session()
            try await session.begin()
            try await session.talk()
            try await session.keepThings()
            try Data("beside \(session.words[0])".utf8).write(to: session.root.appending(path: "control"))
            #expect(try session.places() == ["control"], "the search finds what is there")
            try FileManager.default.removeItem(at: session.root.appending(path: "control"))

            await session.nodes[0].kill()
            #expect(try session.places() == [])
            await session.nodes[1].crash()
            #expect(try session.places() == [])
            #expect(try session.cores() == [])

            try await session.begin()
            try session.declineExport()
            for node in session.nodes { await node.stop() }
            #expect(try session.places() == [])
            let sealed = try session.sealedBytes()
            #expect(sealed.count > 100_000)
            #expect(Self.bytesThatStandOut(in: sealed) == [])
        }

        /// Returns the bytes that occur more or less often than chance allows once in a million times.
        private static func bytesThatStandOut(in bytes: [UInt8]) -> [Int] {
            var counts = [Int](repeating: 0, count: 256)
            for byte in bytes { counts[Int(byte)] += 1 }
            let mean = Double(bytes.count) / 256
            return counts.indices.filter { abs(Double(counts[$0]) - mean) > 6 * mean.squareRoot() }
        }
    }

    /// Makes a text that does not occur by chance.
    private func word(_ beginning: String, _ count: Int) -> String {
        beginning + " " + String((0..<count).map { _ in "bcdfghjkmnpqrstvwxz".randomElement() ?? "x" })
    }

    /// Alice, whose home has a passphrase, and Bob.
    private final class Session {
        private let folder: TemporaryFolder
        /// The folder to search: homes, temporary folders, working folders and the nodes' error output.
        let root: URL
        private(set) var nodes: [NodeProcess] = []
        private let names = [word("Alice", 12), word("Bob", 14)]
        private let texts = (0..<4).map { word("text \($0)", 60 * $0 + 12) }
        private let (title, room, alias) = (word("Title", 18), word("Room", 16), word("Owl", 16))
        private let (first, last, gone) = (word("first", 20), word("last", 20), word("gone", 20))
        private let (question, option) = (word("question", 12), word("option", 12))
        private let (draft, query) = (word("draft", 30), word("query", 14))
        private let (file, content, export) = (word("file", 20), word("content", 40), word("export", 12))
        private let (emoji, reaction) = ("🧑‍🚀", "👩‍🌾")
        private let passphrase = word("passphrase", 20)
        private let group = NodeProcess.randomGroup()

        var words: [String] {
            names + texts + [
                title, room, alias, first, last, gone, question, option, draft, query, file, content, export,
            ]
                + [emoji, reaction, passphrase]
        }

        init() throws {
            folder = try TemporaryFolder()
            root = folder.url.appending(path: "root")
            for name in ["alice", "bob"] {
                for part in ["cwd", "tmp"] {
                    let place = root.appending(path: name).appending(path: part)
                    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                }
            }
            for (number, name) in names.enumerated() {
                try run(number, ["init", "--name", name] + (number == 0 ? [] : ["--no-passphrase"]), status: 0)
            }
        }

        private func place(_ number: Int) -> URL { root.appending(path: number == 0 ? "alice" : "bob") }
        private func home(_ number: Int) -> URL { place(number).appending(path: ".earshot") }

        private func environment(_ number: Int) -> [String: String] {
            let tmp = place(number).appending(path: "tmp").path
            let secret = number == 0 ? passphrase : ""
            return ["HOME": place(number).path, "TMPDIR": tmp, "EARSHOT_PASSPHRASE": secret]
        }

        @discardableResult
        private func run(_ number: Int, _ arguments: [String], status: Int32) throws -> Command {
            let command = try Command.run(
                [Command.earshot, "--home", home(number).path] + arguments,
                environment: environment(number)
            )
            guard command.status == status else {
                throw NodeProcess.Failure(description: "\(arguments): \(command.status) \(command.errors)")
            }
            return command
        }

        /// Starts both nodes, which may write core files.
        func begin() async throws {
            nodes = try (0..<2).map { number in
                try NodeProcess(
                    place(number).lastPathComponent,
                    home: home(number),
                    NodeProcess.loopback(group),
                    environment: environment(number),
                    under: [
                        "sh", "-c", "ulimit -c unlimited; cd \"$0\"; exec \"$@\"",
                        place(number).appending(path: "cwd").path,
                    ]
                )
            }
            let ids = [try await nodes[0].ready(), try await nodes[1].ready()]
            for (node, other) in zip(nodes, ids.reversed()) {
                try await node.knows(other)
                try await node.call("trust", ["peer": .string(other), "action": .string("accept")])
            }
        }

        func talk() async throws {
            let bob = JSONValue.string(names[1])
            for text in texts {
                try await nodes[0].call("send", ["to": bob, "text": .string(text)])
                _ = try await nodes[1].message(text)
            }
            let edited = try await nodes[1].send(first, to: names[0])
            _ = try await nodes[0].message(first)
            try await nodes[1].call("edit", ["message": .string(edited), "text": .string(last)])
            try await nodes[0].call("react", ["message": .string(edited), "emoji": .string(reaction)])
            let deleted = try await nodes[0].send(gone, to: names[1])
            _ = try await nodes[1].message(gone)
            try await nodes[0].call("delete", ["message": .string(deleted), "forEveryone": .bool(true)])
            let source = folder.url.appending(path: file)
            try Data(String(repeating: content, count: 8_000).utf8).write(to: source)
            let sent = try await nodes[0].call("send", ["to": bob, "files": .array([.string(source.path)])])
            _ = try await nodes[1].event("whole file") {
                $0["type"]?.string == "progress" && $0["message"] == sent["message"] && $0["bytes"] == $0["total"]
            }
            try await nodes[0].call("group.create", ["title": .string(title), "members": .array([bob])])
            let group = JSONValue.string("group:\(title)")
            let options = JSONValue.array([.string(option), .string("other")])
            try await nodes[0].call("poll.create", ["to": group, "question": .string(question), "options": options])
            let made = try await nodes[0].call("room.create", ["title": .string(room), "name": .string(alias)])
            try await nodes[1].call("room.join", ["code": made["code"] ?? .null])
            try await nodes[0].call("send", ["to": .string("room:\(room)"), "text": .string(texts[0])])
        }

        /// Makes changes that concern the own node alone.
        func keepThings() async throws {
            let bob = JSONValue.string(names[1])
            try await nodes[0].call("draft", ["conversation": bob, "text": .string(draft)])
            try await nodes[0].call("pin", ["conversation": bob])
            try await nodes[0].call("profile", ["emoji": .string(emoji)])
            try await nodes[0].call("search", ["query": .string(query)])
            let found = try await nodes[1].call("search", ["query": .string(texts[1])])
            #expect(found.array?.isEmpty == false)
        }

        /// Asks for a plain export through the running node, and leaves the confirmation unanswered.
        func declineExport() throws {
            try run(0, ["history", "export", place(0).appending(path: export).path, "--plain"], status: 64)
        }

        /// Returns the files whose name or content holds a word that must not be found.
        func places() throws -> [String] {
            let needles = words.map { Array($0.utf8) }
            return try files().filter { path, bytes in
                path.withUTF8Bytes { name in needles.contains { ProcessMemory.contains($0, in: name) } }
                    || bytes.withUnsafeBytes { bytes in needles.contains { ProcessMemory.contains($0, in: bytes) } }
            }
            .map(\.path)
        }

        func cores() throws -> [String] {
            try files().map(\.path).filter { $0.contains("/cwd/") }
        }

        private func files() throws -> [(path: String, bytes: Data)] {
            try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted().compactMap { path in
                let url = root.appending(path: path)
                let isFile = try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
                // Files appear and disappear while nodes run; a folder's name counts too.
                return (path, isFile == true ? (try? Data(contentsOf: url)) ?? Data() : Data())
            }
        }

        /// Reads the sealed bytes: the rows of all stores, and the objects of messages.
        func sealedBytes() throws -> [UInt8] {
            var sealed: [UInt8] = []
            for (path, bytes) in try files() {
                if path.contains("/blobs/") { sealed += bytes }
                guard path.hasSuffix("history.sqlite") else { continue }
                let store = try SQLiteStore(directory: root.appending(path: path).deletingLastPathComponent().path)
                for table in RecordTable.allCases {
                    sealed += try store.rows(table, conversation: nil, after: nil, limit: 1_000).flatMap(\.sealed)
                }
                try store.close()
            }
            return sealed
        }
    }

    extension String {
        /// Passes the bytes to a body.
        fileprivate func withUTF8Bytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            Array(utf8).withUnsafeBytes(body)
        }
    }

    extension NodeProcess {
        /// Ends the process as a fault does, which leaves a core file if the system writes them.
        fileprivate func crash() {
            Foundation.kill(identifier, SIGSEGV)
            _ = ends()
        }
    }
#endif
