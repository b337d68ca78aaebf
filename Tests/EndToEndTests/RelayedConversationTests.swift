import Foundation
import Testing

/// Real processes in a line of three hosts.
///
/// This does not show radio: loss here is random, never in bursts.
@Suite("Two people and a relay between them", .serialized)
struct RelayedConversationTests {
    @Test("Texts of 1 B to 64 KiB go both ways and all are delivered", arguments: [0, 10])
    func sizes(lossPercent: Int) async throws {
        guard let trio = try await Trio.start(lossPercent: lossPercent) else { return }
        try await trio.introduce()
        let unit = "Zażółć gęślą jaźń 🦊 語 "
        let texts = [1, 2, 100, 1_000, 4_000, 13_312, 65_536].map { size in
            var text = size < 4 ? "" : "\(size) "
            while text.utf8.count + unit.utf8.count <= size { text += unit }
            while text.utf8.count < size { text += "x" }
            return text
        }
        for text in texts {
            try await trio.alice.send("a" + text.dropLast(), to: trio.bobID)
            try await trio.bob.send("b" + text.dropLast(), to: trio.aliceID)
        }
        for text in texts {
            _ = try await trio.bob.message("a" + text.dropLast())
            _ = try await trio.alice.message("b" + text.dropLast())
        }
        try await trio.alice.delivered(texts.count + 1)
        try await trio.bob.delivered(texts.count)
        await #expect(throws: NodeProcess.Failure.self) {
            try await trio.alice.send(String(repeating: "x", count: 65_537), to: trio.bobID)
        }
        await trio.stop()
    }

    @Test("1,000 messages come in order, each once, though the relay dies and comes back", arguments: [0, 10])
    func relayRestart(lossPercent: Int) async throws {
        guard let trio = try await Trio.start(lossPercent: lossPercent) else { return }
        try await trio.introduce()
        var relay = trio.relay
        for number in 1...1_000 {
            try await trio.alice.send("message \(number)", to: trio.bobID)
            if number == 400 { await relay.kill() }
            if number == 600 {
                relay = try trio.restart("relay")
                _ = try await relay.ready()
            }
        }
        try await trio.alice.delivered(1_001)
        let texts = try await trio.bob.texts(with: trio.aliceID)
        #expect(texts == ["first"] + (1...1_000).map { "message \($0)" })
        let shown = await trio.bob.eventsSoFar {
            $0["type"]?.string == "message" && $0["message"]?["outgoing"] == .bool(false)
        }
        #expect(shown.compactMap { $0["message"]?["text"]?.string } == texts)
        await relay.stop()
        await trio.stop()
    }

    @Test(
        "A receiver killed 20 times at random loses nothing, sees nothing twice, and no nonce is reused",
        arguments: [0, 10]
    )
    func killedReceiver(lossPercent: Int) async throws {
        guard let trio = try await Trio.start(lossPercent: lossPercent) else { return }
        try await trio.introduce()
        var bob = trio.bob
        var generator = SystemRandomNumberGenerator()
        var killedAfter: [Int] = []
        for round in 0..<20 {
            // Alice sends more than Bob waits for in this round; a client receives no events from before it
            // subscribed.
            let sending = Task {
                for number in 1...100 {
                    try await trio.alice.send("message \(round * 100 + number)", to: trio.bobID)
                }
            }
            let count = Int.random(in: 0...80, using: &generator)
            killedAfter.append(count)
            _ = try await bob.events(count, "message") { $0["type"]?.string == "message" }
            await bob.kill()
            bob = try trio.restart("bob")
            _ = try await bob.ready()
            try await sending.value
        }
        try await trio.alice.delivered(2_001)
        let texts = try await bob.texts(with: trio.aliceID)
        #expect(texts.count == 2_001, "killed after \(killedAfter) messages")
        #expect(
            Set(texts) == Set(["first"] + (1...2_000).map { "message \($0)" }),
            "killed after \(killedAfter) messages"
        )
        await bob.stop()
        await trio.stop()
        #expect(try trio.mostUsesOfOneNonce(of: "alice") == 1)
        #expect(try trio.mostUsesOfOneNonce(of: "bob") == 1)
    }

    @Test("From the second node's start to its first message delivered")
    func timeToFirstMessage() async throws {
        guard let line = try NamespaceLine() else { return }
        let folder = try TemporaryFolder()
        let relay = try Trio.start("relay", name: "Relay", line, folder)
        let alice = try Trio.start("alice", name: Trio.aliceName, line, folder)
        _ = try await relay.ready()
        let aliceID = try await alice.ready()
        let made = try Trio.start("bob", name: Trio.bobName, line, folder)
        let bobID = try await made.ready()
        try await made.knows(aliceID)
        try await alice.knows(bobID)
        try await alice.call("trust", ["peer": .string(bobID), "action": .string("accept")])
        await made.stop()

        let clock = ContinuousClock()
        let start = clock.now
        let bob = try Trio.start("bob", name: Trio.bobName, line, folder)
        _ = try await bob.ready()
        let ready = clock.now
        try await bob.send("I am here", to: aliceID)
        try await bob.delivered(1)
        print("FIGURE first message delivered \(start.duration(to: clock.now)) after the start of its sender's process")
        print("FIGURE of that the process took \(start.duration(to: ready)) to be ready")
        for node in [alice, bob, relay] { await node.stop() }
    }
}
