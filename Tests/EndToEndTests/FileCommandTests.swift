import Foundation
import Testing

@Suite("Files by the command, through a relay", .serialized, .timeLimit(.minutes(30)))
struct FileCommandTests {
    @Test("`send --file` through a relay brings each file whole, also after its author has gone")
    func throughRelay() async throws {
        guard let trio = try await Trio.start() else { return }
        try await trio.introduce()
        let photo = try trio.file("photo.jpg", byteCount: 262_144)
        let note = try trio.file("note.txt", byteCount: 1)
        let sent = try Command.run([
            Command.earshot, "--home", trio.alice.home.path, "send", trio.bobID, "look", "--file", photo.path,
            "--file", note.path, "--wait", "delivered", "--timeout", "60s",
        ])
        #expect(sent.status == 0, "\(sent.errors)")
        let message = try await trio.bob.message("look")
        let id = try #require(message["message"]?["id"]?.string)
        for (index, file) in [photo, note].enumerated() {
            #expect(try await trio.bob.copy(index, of: id) == Data(contentsOf: file))
        }

        await trio.bob.stop()
        let map = try trio.file("map.pdf", byteCount: 100_000)
        let path = JSONValue.array([.string(map.path)])
        let later = try await trio.alice.call("send", ["to": .string(trio.bobID), "files": path])
        // The relay has reported the message and its seven pieces: it holds them.
        _ = try await trio.relay.events(7 + 17 + 1, "piece") {
            $0["type"]?.string == "envelope" && $0["kind"] == .number(7)
        }
        await trio.alice.stop()
        let bob = try trio.restart("bob")
        _ = try await bob.ready()
        let laterID = try #require(later["message"]?.string)
        try await bob.hasFile(of: laterID, from: trio.aliceID)
        #expect(try await bob.copy(0, of: laterID) == Data(contentsOf: map))
        await bob.stop()
        await trio.relay.stop()
    }

    @Test("`send --file` of 20 MB tells how far it is, and ends when the file is there")
    func largeFile() async throws {
        guard let trio = try await Trio.start() else { return }
        try await trio.introduce()
        let film = try trio.file("film.mp4", byteCount: 20_000_000)
        let sent = try Command.run([
            Command.earshot, "--home", trio.alice.home.path, "send", trio.bobID, "watch", "--file", film.path,
            "--wait", "delivered", "--timeout", "60s", "--json",
        ])
        #expect(sent.status == 0, "\(sent.errors)")
        let lines = try sent.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
        }
        #expect(lines.last?["status"]?.string == "delivered")
        let shares = lines.dropLast().compactMap { line -> Double? in
            guard line["type"]?.string == "progress", case .number(let count)? = line["bytes"] else { return nil }
            return count
        }
        #expect(!shares.isEmpty)
        #expect(shares == shares.sorted())
        #expect(shares.allSatisfy { $0 < 20_000_000 })
        let id = try #require(lines.last?["message"]?.string)
        #expect(try await trio.bob.copy(0, of: id) == Data(contentsOf: film))
        let status = try Command.run([Command.earshot, "--home", trio.bob.home.path, "status", "--json"])
        let metrics = try JSONDecoder().decode(JSONValue.self, from: Data(status.output.utf8))["metrics"]
        #expect(metrics?["mesh_bulk_fetches_ended_total"]?["finished"] == .number(1))
        await trio.stop()
    }

    @Test("A file goes on where it was when the only relay was killed and came back, with a tenth of all lost")
    func relayRestart() async throws {
        guard let trio = try await Trio.start(lossPercent: 10) else { return }
        try await trio.introduce()
        var film = try trio.file("film.mp4", byteCount: 6_000_000)
        var id = try await trio.send(film)
        // A fast machine may have a small file there before the relay is gone.
        var relay = trio.relay
        while try await !trio.kill(relay, during: id) {
            relay = try trio.restart("relay")
            _ = try await relay.ready()
            film = try trio.file("film.mp4", byteCount: 2 * Data(contentsOf: film).count)
            id = try await trio.send(film)
        }
        let isUnderWay = NodeProcess.isUnderWay(id)
        relay = try trio.restart("relay")
        _ = try await relay.ready()
        try await trio.bob.hasFile(of: id, from: trio.aliceID)
        #expect(try await trio.bob.copy(0, of: id) == Data(contentsOf: film))
        // The receiver requested nothing again that had arrived by then.
        let counts = await trio.bob.eventsSoFar(where: isUnderWay).compactMap { $0["bytes"]?.int }
        #expect(counts == counts.sorted())
        await relay.stop()
        await trio.stop()
    }
}

extension Trio {
    /// Sends a file from Alice to Bob, without waiting, and returns the message's identifier.
    fileprivate func send(_ file: URL) async throws -> String {
        let path = JSONValue.array([.string(file.path)])
        return try #require(try await alice.call("send", ["to": .string(bobID), "files": path])["message"]?.string)
    }

    /// Kills a relay once Bob has a part of a message's only file; false if Bob had all of it before.
    fileprivate func kill(_ relay: NodeProcess, during message: String) async throws -> Bool {
        _ = try await bob.event("part of the file", where: NodeProcess.isUnderWay(message))
        await relay.kill()
        let whole = await bob.eventsSoFar {
            $0["type"]?.string == "progress" && $0["message"]?.string == message && $0["bytes"] == $0["total"]
        }
        return whole.isEmpty
    }

    /// Makes a file of random bytes.
    func file(_ name: String, byteCount: Int) throws -> URL {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let url = folder.url.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }
}

extension NodeProcess {
    /// Recognises events of a message's file that has arrived in part.
    fileprivate static func isUnderWay(_ message: String) -> @Sendable (JSONValue) -> Bool {
        { $0["type"]?.string == "progress" && $0["message"]?.string == message && $0["bytes"] != $0["total"] }
    }

    /// Waits until the only file of a peer's newest message is here.
    func hasFile(of message: String, from peer: String) async throws {
        let page = try await call("history", ["conversation": .string(peer), "limit": .number(1)])
        let newest = page.array?.last
        if newest?["id"]?.string == message, newest?["files"]?.array?.first?["complete"] == .bool(true) { return }
        _ = try await event("whole file") {
            $0["type"]?.string == "progress" && $0["message"]?.string == message && $0["bytes"] == $0["total"]
        }
    }

    /// Copies a message's file and returns its bytes.
    func copy(_ index: Int, of message: String) async throws -> Data {
        let reply = try await call("media", ["message": .string(message), "index": .number(Double(index))])
        return try Data(contentsOf: URL(filePath: reply["path"]?.string ?? ""))
    }
}
