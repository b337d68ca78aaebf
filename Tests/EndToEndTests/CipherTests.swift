import Foundation
import Testing

#if DEBUG
    /// Real processes of which one seals with swift-crypto, as on a processor that libsodium does not support.
    @Suite("Nodes with different ciphers", .serialized, .timeLimit(.minutes(30)))
    struct CipherTests {
        @Test("They link, talk and send files, and either reads the data directory of the other")
        func talk() async throws {
            let folder = try TemporaryFolder()
            let group = NodeProcess.randomGroup()
            let alice = try start("Alice", group, folder, isPortable: true)
            let bob = try start("Bob", group, folder, isPortable: false)
            let (aliceID, bobID) = (try await alice.ready(), try await bob.ready())
            try await alice.knows(bobID)
            try await bob.knows(aliceID)
            let file = folder.url.appending(path: "file.bin")
            let content = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try content.write(to: file)

            try await alice.send("hello", to: bobID)
            _ = try await bob.message("hello")
            try await bob.send("good morning", to: aliceID)
            _ = try await alice.message("good morning")
            try await alice.delivered(1)
            for (sender, receiver) in [(alice, bobID), (bob, aliceID)] {
                let sent = try Command.run([
                    Command.earshot, "--home", sender.home.path, "send", receiver, "--file", file.path, "--wait",
                    "delivered",
                ])
                #expect(sent.status == 0, "\(sent.errors)")
            }
            await alice.stop()
            await bob.stop()

            let again = try start("Alice", group, folder, isPortable: false)
            _ = try await again.ready()
            #expect(try await again.texts(with: bobID).starts(with: ["hello", "good morning"]))
            await again.stop()
            let other = try start("Bob", group, folder, isPortable: true)
            _ = try await other.ready()
            #expect(try await other.texts(with: aliceID).starts(with: ["hello", "good morning"]))
            await other.stop()
        }

        private func start(
            _ name: String,
            _ group: String,
            _ folder: TemporaryFolder,
            isPortable: Bool
        ) throws -> NodeProcess {
            let home = folder.url.appending(path: name.lowercased())
            let environment = isPortable ? ["EARSHOT_AEAD": "portable"] : [:]
            if !FileManager.default.fileExists(atPath: home.path) {
                let made = try Command.run(
                    [Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase"],
                    environment: environment
                )
                try #require(made.status == 0, "\(made.errors)")
            }
            return try NodeProcess(name, home: home, NodeProcess.loopback(group), environment: environment)
        }
    }
#endif
