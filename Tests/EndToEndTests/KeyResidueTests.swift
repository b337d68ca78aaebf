#if os(Linux)
    import ChatHistory
    import Foundation
    import Testing

    @testable import ChatCrypto
    @testable import Earshot

    /// A program that uses the library alone, so that nothing clears its freed memory.
    @Suite("What remains of keys", .serialized, .timeLimit(.minutes(30)))
    struct KeyResidueTests {
        enum End: String, Codable, CaseIterable {
            case locking, erasing
        }

        @Test(
            "Of a home that was locked or erased a program's memory holds no key, and of an erased one no file does",
            arguments: End.allCases
        )
        func keys(end: End) async throws {
            guard getuid() == 0 else { return print("SKIPPED: only root reads the memory of any process") }
            let folder = try TemporaryFolder()
            let keys = try await Self.makeHome(folder.url.appending(path: "home"), hasPassphrase: end == .locking)
            let dialogue = try Dialogue(in: folder.url)
            async let program: Void = Self.run(folder.url.path, end)
            let memory = ProcessMemory(process: try #require(Int32(try await dialogue.hear())))
            let needles = keys.map { (word: $0.key, bytes: $0.value) }
            let present = try memory.places(of: needles)
            // A node needs the master key only while it opens a home, and has released it by then.
            #expect(
                Set(present.keys) == Set(keys.keys).subtracting(["master"]),
                "the search finds keys that are in use"
            )
            dialogue.goOn()
            #expect(try await dialogue.hear() == "ended")
            #expect(try memory.places(of: needles) == [:])
            if end == .erasing { #expect(try Self.files(of: folder.url, with: keys) == []) }
            dialogue.goOn()
            await program
        }

        /// Makes a home and returns its keys.
        private static func makeHome(_ directory: URL, hasPassphrase: Bool) async throws -> [String: [UInt8]] {
            let node = try await ChatNode.open(.directory(directory), orCreate: "Alice")
            try await node.conversations.createGroup(title: "Trees")
            let identity = try await node.account.read { $0.sessions.identity.exported() }
            let databaseID = await node.account.databaseID
            await node.stop()
            let home = try NodeHome(directory)
            let master = try home.openKey(.keyFile)
            var secrets = [
                "master": master.secret, "signing": identity.slice(1..<33), "agreement": identity.slice(33..<65),
            ]
            func key(_ label: Label) -> SecretBytes {
                HKDF.derive(salt: databaseID, inputKey: master.secret, info: label, count: 32)
            }
            secrets["sessions"] = key(.databaseSessions)
            secrets["digests"] = key(.databaseDigests)
            // For this key a node keeps the prepared HMAC state, whose first 32 bytes differ from those of every
            // other key.
            secrets["names"] = HMACSHA256.PreparedKey(key(.databaseNames)).state.slice(0..<32)
            if hasPassphrase { try home.changeKey(from: .keyFile, to: .passphrase("horse"), cost: .small) }
            home.close()
            return secrets.mapValues { $0.withBytes { Array($0) } }
        }

        private static func run(_ path: String, _ end: End) async {
            await #expect(processExitsWith: .success) { [path = path as String, end = end as End] in
                try await KeyResidueTests.live(in: URL(filePath: path), to: end)
            }
        }

        /// Runs the steps of the program.
        private static func live(in folder: URL, to end: End) async throws {
            closeInherited()
            let dialogue = try Dialogue(with: folder)
            var mesh = MeshOptions()
            mesh.interfaces = ["lo"]
            mesh.discoveryGroups = ["239.255.7.\(Int.random(in: 1...254)):\(Int.random(in: 20_000...30_000))"]
            let home = Home.directory(folder.appending(path: "home"))
            let place = home.with(passphrase: end == .locking ? "horse" : nil)
            let node = try await ChatNode.open(place, ChatConfiguration(mesh: mesh))
            try await node.start()
            dialogue.say("\(ProcessInfo.processInfo.processIdentifier)")
            dialogue.wait()
            switch end {
            case .locking: try await node.lock()
            case .erasing: try await node.destroy()
            }
            dialogue.say("ended")
            dialogue.wait()
            await node.stop()
        }

        /// Closes the pipes of other tests' programs, which this program inherits and which its own descriptors are told
        /// from by their flag: as long as it holds one, a test that waits for the end of such a program waits for this
        /// one, which waits for its own test.
        private static func closeInherited() {
            for descriptor in Int32(3)..<1_024 {
                let flags = fcntl(descriptor, F_GETFD)
                if flags >= 0, flags & FD_CLOEXEC == 0 { close(descriptor) }
            }
        }

        private static func files(of folder: URL, with keys: [String: [UInt8]]) throws -> [String] {
            let needles = keys.values.map { Data($0) }
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
                let url = folder.appending(path: path)
                guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return false }
                let bytes = try Data(contentsOf: url)
                return needles.contains { bytes.range(of: $0) != nil }
            }
        }
    }

    /// Two processes that take turns through named pipes.
    private final class Dialogue: Sendable {
        private let said: Int32
        private let turns: Int32

        /// Opens the test's side, and makes the pipes.
        init(in folder: URL) throws {
            for name in ["said", "turns"] { mkfifo(folder.appending(path: name).path, 0o600) }
            // Each side holds both ends of a pipe, so neither opening nor writing waits for the other side.
            said = open(folder.appending(path: "said").path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            turns = open(folder.appending(path: "turns").path, O_RDWR | O_CLOEXEC)
            guard said >= 0, turns >= 0 else { throw NodeProcess.Failure(description: "there are no pipes") }
        }

        /// Opens the program's side.
        init(with folder: URL) throws {
            said = open(folder.appending(path: "said").path, O_WRONLY | O_CLOEXEC)
            turns = open(folder.appending(path: "turns").path, O_RDONLY | O_CLOEXEC)
            guard said >= 0, turns >= 0 else { throw NodeProcess.Failure(description: "there are no pipes") }
        }

        deinit {
            close(said)
            close(turns)
        }

        func say(_ line: String) {
            let bytes = Array((line + "\n").utf8)
            _ = write(said, bytes, bytes.count)
        }

        /// Waits for the next message of the program.
        func hear() async throws -> String {
            let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
            var buffer = [UInt8](repeating: 0, count: 100)
            while true {
                let count = read(said, &buffer, buffer.count)
                if count > 1 { return String(decoding: buffer.prefix(count - 1), as: UTF8.self) }
                guard ContinuousClock.now < deadline else {
                    throw NodeProcess.Failure(description: "the program says nothing")
                }
                await Task.yield()
            }
        }

        func goOn() { _ = write(turns, [1], 1) }

        func wait() {
            var byte: UInt8 = 0
            _ = read(turns, &byte, 1)
        }
    }
#endif
