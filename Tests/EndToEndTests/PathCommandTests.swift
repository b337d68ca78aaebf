import Foundation
import Testing

/// Real processes in a line of three hosts.
@Suite("Ping and map through a relay", .serialized)
struct PathCommandTests {
    @Test("A ping tells two hops and its times, a map shows link and contact, and who is blocked hears nothing")
    func pingAndMap() async throws {
        guard let trio = try await Trio.start() else { return }
        try await trio.introduce()
        func alice(_ arguments: String...) throws -> Command {
            try Command.run([Command.earshot, "--home", trio.alice.home.path] + arguments)
        }

        let ping = try alice("ping", Trio.bobName, "--count", "2")
        #expect(ping.status == 0, "\(ping.errors)")
        let lines = ping.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("\(Trio.bobName): 2 hops, ") && $0.hasSuffix(" ms") })
        #expect(lines.dropFirst(2).first == "2 sent, 2 answered, 0 lost (0 %)")

        let counted = try alice("--json", "ping", trio.bobID, "--count", "1")
        let result = try JSONDecoder().decode(JSONValue.self, from: Data(counted.output.utf8))
        #expect(result["peer"]?.string == trio.bobID)
        #expect(result["answers"]?.array?.compactMap { $0["hops"]?.int } == [2])
        #expect([result["sent"], result["answered"], result["lost"]].map { $0?.int } == [1, 1, 0])

        try trio.line.lose(percent: 10)
        let live = try alice("--json", "ping", trio.bobID, "--live", "-c", "200", "-i", "0.02")
        let losses = try JSONDecoder().decode(JSONValue.self, from: Data(live.output.utf8))
        #expect(losses["sent"]?.int == 200)
        // The four links on the way there and back lose a third together. The range is six times the deviation of 200
        // draws.
        #expect((28...108).contains(losses["lost"]?.int ?? 0), "\(live.output)")
        #expect(losses["median"] != nil)

        let map = try await trio.alice.call("map")
        #expect(map["links"]?.array?.count == 1)
        #expect(map["links"]?.array?.first?["address"]?.string?.isEmpty == false)
        let bob = map["contacts"]?.array?.first { $0["id"]?.string == trio.bobID }
        #expect(bob?["hops"]?.int == 2)
        #expect(bob?["rtt"] != nil)
        let drawn = try alice("map").output.split(separator: "\n")
        #expect(drawn.contains { $0.hasPrefix("LINK TO ") })
        #expect(drawn.contains { $0.hasPrefix("\(Trio.bobName)  not verified") && $0.hasSuffix(" ms") })

        try await trio.bob.call("trust", ["peer": .string(trio.aliceID), "action": .string("block")])
        let refused = try alice("ping", Trio.bobName, "--count", "1")
        #expect(refused.status == 69)
        #expect(refused.output.contains("1 sent, 0 answered, 1 lost"))
        await trio.stop()
        let offline = try alice("map")
        #expect(offline.status == 69)
        #expect(offline.errors.contains("earshot node"))
    }
}
