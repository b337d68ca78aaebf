import MeshCore
import Testing

@testable import MeshSimulation

/// Tests of relays that write another life into what they pass on.
@Suite("Poisoned life")
struct PoisonTests {
    /// Hosts of a mesh of 40, of which 24 are hostile and hand every message on before any honest copy can come.
    private static let hostile = Set(0..<24)
    /// Units: ticks of 10 s.
    private static let messageLife: UInt16 = 25_920

    @Test(
        "Hostile links that shorten the life of what they pass on cost no copy",
        arguments: [(1, Lane.interactive), (1, .background), (361, .background)] as [(UInt16, Lane)]
    )
    func poison(life: UInt16, lane: Lane) {
        // Honest hosts hear each other along one line, and all hostile ones.
        let pairs = (0..<40).flatMap { host in (0..<host).map { ($0, host) } }
        let links = pairs.filter { Self.hostile.contains($0) || $1 - $0 == 1 }
        let topology = SimOverlay(hostCount: 40, links: links)
        var net = SimLinks(topology, seed: 11)
        let honest = net.hostNumbers.filter { !Self.hostile.contains($0) }
        for number in 0..<50 {
            let author = honest[number % honest.count]
            let body = SimNet.body(number)
            let poisoned = Envelope(kind: .sealed, life: life, body: body).encoded()
            for enemy in Self.hostile {
                for victim in honest where victim != author {
                    net.inject(poisoned, lane: lane, to: victim, from: enemy)
                }
            }
            net.submit(body: body, life: Self.messageLife, from: author)
            net.run(for: .milliseconds(200))
        }
        net.run(for: .seconds(60))
        let least = net.spreads.flatMap { spread in honest.map { net.life(of: spread.id, at: $0) } }.min()
        #expect(least ?? 0 > Self.messageLife - 360)
        net.run(for: .seconds(3_600))
        let late = net.spreads.flatMap { spread in honest.map { net.life(of: spread.id, at: $0) } }.min()
        #expect(late ?? 0 > Self.messageLife - 2 * 360)
    }
}

extension SimLinks {
    /// Returns the life that a host would write into a stored envelope now; 0 if it stores none.
    fileprivate func life(of id: EnvelopeID, at host: Int) -> UInt16 {
        hosts[host].router.store[id.shortID]?.message(now: now).flatMap { Envelope(decoding: $0[...])?.life } ?? 0
    }
}
