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
        #expect(result.figures[.trafficRatio] != 1)
        let acts = [.hostileMessages, .reflected].compactMap { result.figures[$0] }.max() ?? 0
        #expect(acts > 0 || [.holes, .eclipse].contains(behaviour))
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
        #expect(reflected.linkDatagramCount + reflected.beaconCount > 0)
        #expect(net.sentTraffic(of: hostile).beaconCount == 1)
    }

    /// The figures before any mend: each mend turns one of them into its bar.
    @Test("Today's mesh under attack: links are lost, challenges are reflected, and small envelopes fill stores")
    func baseline() throws {
        let killed = try Self.attack("linkkill", nodes: 7)
        #expect(killed.figures[.linksLost] == 6 && killed.calmFigures?[.linksLost] == nil)
        #expect(killed.missedLimits.map(\.figure) == [.linksLost])
        let banned = try Self.attack("ban", nodes: 5)
        #expect(banned.figures[.linksLost] == 1)
        let reflected = try Self.attack("reflect", nodes: 4)
        let count = try #require(reflected.figures[.hostileMessages])
        #expect(reflected.figures[.reflected] == count * 121)
        let offLink = try Self.attack("offlink", nodes: 4)
        #expect(try #require(offLink.figures[.reflected]) > 0)
        let filled = try Self.attack("share", nodes: 4)
        #expect(try #require(filled.figures[.heldMessages]) < 0.6 && filled.calmFigures?[.heldMessages] == 1)
    }
}
