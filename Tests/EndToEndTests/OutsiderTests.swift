import Foundation
import Testing

@Suite("An outsider", .serialized)
struct OutsiderTests {
    @Test("Captured traffic holds no nickname, no peer id, no text and no key")
    func capture() async throws {
        guard let line = try NamespaceLine() else { return }
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "all.pcap")
        let capture = try Capture(in: line.namespace("relay"), to: file)
        let relay = try Trio.start("relay", name: "Relay", line, folder)
        let alice = try Trio.start("alice", name: Trio.aliceName, line, folder)
        let bob = try Trio.start("bob", name: Trio.bobName, line, folder)
        _ = try await relay.ready()
        let aliceID = try await alice.ready()
        let bobID = try await bob.ready()
        try await alice.knows(bobID)
        try await bob.knows(aliceID)
        let trio = Trio(
            line: line,
            folder: folder,
            alice: alice,
            bob: bob,
            relay: relay,
            aliceID: aliceID,
            bobID: bobID
        )
        try await trio.introduce()
        let secret = "the meeting is at the old mill"
        try await bob.send(secret, to: aliceID)
        _ = try await alice.message(secret)
        try await bob.delivered(1)
        await trio.stop()
        try capture.stop()

        let traffic = try Data(contentsOf: file)
        #expect(traffic.count > 10_000)
        #expect(traffic.range(of: Data("EAR1".utf8)) != nil, "the beacons are there")
        for text in [secret, "first", Trio.aliceName, Trio.bobName, aliceID, bobID] {
            #expect(traffic.range(of: Data(text.utf8)) == nil, "\(text) is in the traffic")
        }
        for id in [aliceID, bobID] {
            #expect(traffic.range(of: Data(bytes(hex: id))) == nil)
        }
        for home in ["alice", "bob"] {
            let key = try Data(contentsOf: folder.url.appending(path: "\(home)/key.bin"))
            #expect(traffic.range(of: key.suffix(32)) == nil)
        }
    }

    @Test("A node with another mesh passphrase gets no link")
    func otherMesh() async throws {
        guard let trio = try await Trio.start() else { return }
        let passphrase = trio.folder.url.appending(path: "mesh")
        try Data("another mesh\n".utf8).write(to: passphrase)
        let home = trio.folder.url.appending(path: "stranger")
        _ = try Command.run([Command.earshot, "--home", home.path, "init", "--name", "Stranger", "--no-passphrase"])
        let unknownPeer = try NodeProcess(
            "stranger",
            home: home,
            in: trio.line.namespace("relay"),
            ["--mesh-passphrase-file", passphrase.path]
        )
        _ = try await unknownPeer.ready()
        try await trio.introduce()
        for number in 1...50 { try await trio.alice.send("message \(number)", to: trio.bobID) }
        try await trio.alice.delivered(51)
        let status = try await unknownPeer.call("status")
        #expect(status["links"]?.int == 0)
        #expect(status["contacts"]?.int == 0)
        await unknownPeer.stop()
        await trio.stop()
    }

    @Test("A second identity that takes a contact's name gets nothing, and sending says so with exit 77")
    func impostor() async throws {
        guard let trio = try await Trio.start() else { return }
        try await trio.introduce()
        let home = trio.folder.url.appending(path: "impostor")
        _ = try Command.run([Command.earshot, "--home", home.path, "init", "--name", Trio.bobName, "--no-passphrase"])
        let impostor = try NodeProcess("impostor", home: home, in: trio.line.namespace("relay"), [])
        let impostorID = try await impostor.ready()
        _ = try await trio.alice.event("changed") { $0["type"]?.string == "trust" && $0["event"]?.string == "changed" }
        let sent = try Command.run([
            "ip", "netns", "exec", trio.line.namespace("alice"), Command.earshot, "--home", trio.alice.home.path,
            "send",
            Trio.bobName, "for Bob alone",
        ])
        #expect(sent.status == 77)
        #expect(try await impostor.texts(with: trio.aliceID) == [])
        try await trio.alice.call("trust", ["peer": .string(trio.bobID), "action": .string("accept")])
        try await trio.alice.send("accepted again", to: trio.bobID)
        _ = try await trio.bob.message("accepted again")
        #expect(impostorID != trio.bobID)
        await impostor.stop()
        await trio.stop()
    }

    private func bytes(hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
        }
    }
}

/// A capture of everything on a host's interfaces.
final class Capture: Sendable {
    private let process: Process

    init(in namespace: String, to file: URL) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "ip", "netns", "exec", namespace, "tcpdump", "-i", "any", "--immediate-mode", "-U", "-Z", "root", "-w",
            file.path, "udp",
        ]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        // tcpdump reports that it listens before it does anything else; without that line there is nothing to search.
        var said = ""
        while !said.contains("listening on") {
            let chunk = errors.fileHandleForReading.availableData
            guard !chunk.isEmpty else { throw NodeProcess.Failure(description: "tcpdump: \(said)") }
            said += String(decoding: chunk, as: UTF8.self)
        }
    }

    func stop() throws {
        // A gentler signal does not work: a process started from a worker thread inherits its blocked signals. With
        // -U, tcpdump has written everything by then.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
