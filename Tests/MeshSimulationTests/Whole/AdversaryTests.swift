import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Adversaries")
struct AdversaryTests {
    /// Runs the attack of a name with its own rate on a mesh of a few hosts.
    private static func attack(_ name: String, nodes: Int, seed: UInt64 = 1) throws -> ScenarioResult {
        var settings = ScenarioSettings()
        (settings.nodeCount, settings.seed) = (nodes, seed)
        return try #require(NamedScenario(name)).scenario(settings).run()
    }

    @Test(
        "Each attack acts: the mesh has other figures than the same mesh without it",
        arguments: SimAdversary.Behaviour.allCases
    )
    func acts(behaviour: SimAdversary.Behaviour) throws {
        let name = try #require(NamedScenario(behaviour.rawValue))
        let scenario = try ScenarioTableTests.small(name)
        let result = scenario.run()
        let calm = try #require(result.calmFigures)
        #expect(result.traceHash != scenario.withoutAdversary.run().traceHash)
        #expect(result.figures[.trafficRatio] != 1 || behaviour == .offlink)
        let acts = [.hostileMessages, .reflected].compactMap { result.figures[$0] }.max() ?? 0
        // Nobody answers a handshake from elsewhere, and nobody sees it.
        #expect(acts > 0 || [.holes, .eclipse, .offlink].contains(behaviour))
        #expect(result.figures[.delivered] != nil && calm[.delivered] == 1)
    }

    @Test("An adversary that does nothing changes nothing that hosts notice")
    func idle() throws {
        var scenario = Scenario("own", .clique(5))
        scenario.linking = .whole
        scenario.write(3)
        scenario.adversary = SimAdversary(.fakes, rate: 0, for: .seconds(1))
        let result = scenario.run()
        let calm = try #require(result.calmFigures)
        #expect(result.figures[.hostileMessages] == 0 && result.figures[.trafficRatio] == 1)
        #expect([.delivered, .pieces, .heldCopies].allSatisfy { result.figures[$0] == calm[$0] })
    }

    @Test("What a hostile host sends to an address that nobody has is counted, and what it hears of another it keeps")
    func raw() throws {
        var net = SimNet.linked(.clique(3))
        let hostile = net.addHost()
        net.attach(hostile, to: 0)
        net.startRaw(hostile)
        net.watch.traffic[Attack.victimEndpoint.address] = SimTraffic()
        net.watch.listeners[1] = hostile
        net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(20))
        let heard = net.takeReceived(by: hostile)
        #expect(heard.contains { $0.isMulticast && $0.bytes.first == 0x45 })
        #expect(heard.contains { !$0.isMulticast && $0.receiver == 1 })
        #expect(heard.allSatisfy { $0.isMulticast || [1, hostile].contains($0.receiver) })
        let again = net.takeReceived(by: hostile)
        #expect(again.isEmpty)
        let beacon = try #require(heard.last { $0.isMulticast }).bytes
        let forged = HostileMessage.beacon(like: beacon, node: NodeID(5), port: 4_000, sequence: 1, .fromElsewhere)
        net.multicast(forged, ofHostile: hostile, claiming: Attack.victimEndpoint, on: 0)
        net.run(for: .seconds(10))
        let reflected = try #require(net.watch.traffic[Attack.victimEndpoint.address])
        #expect(reflected.datagramCount > 0)
        #expect(net.sentTraffic(of: hostile).beaconCount == 1)
    }

    @Test("Copied ids, packets under another's address and handshakes from elsewhere cost no link")
    func links() throws {
        for name in ["linkkill", "ban"] {
            let result = try Self.attack(name, nodes: 7)
            #expect(try #require(result.figures[.hostileMessages]) > 0)
            #expect(result.missedLimits.isEmpty && result.figures[.linksLost] ?? 0 == 0)
        }
        let reflected = try Self.attack("reflect", nodes: 4)
        #expect(try #require(reflected.figures[.reflected]) <= 121 && reflected.missedLimits.isEmpty)
        let offLink = try Self.attack("offlink", nodes: 4)
        #expect(offLink.figures[.reflected] ?? 0 == 0 && offLink.missedLimits.isEmpty)
    }

    @Test("Small junk in all stores erases little mail from a mesh", arguments: ["sybil", "lifefirst"])
    func junk(name: String) throws {
        let filled = try Self.attack(name, nodes: name == "sybil" ? 4 : 16)
        print("FIGURE messages held under \(name): \(filled.figures[.heldMessages] ?? 0)")
        #expect(try #require(filled.figures[.heldMessages]) > 0.85 && filled.calmFigures?[.heldMessages] == 1)
    }

    @Test("A relay that shortens lives costs no message")
    func poison() throws {
        let result = try Self.attack("poison", nodes: 40)
        print("FIGURE poison: \(result.figures[.heldCopies] ?? 0) of copies held")
        #expect(result.missedLimits.isEmpty)
    }
}
