import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Two networks and a hub between them, with losses at random.
@Suite("Mail between networks")
struct EngineScheduleTests {
    /// A run with a seed: gateways of two islands, mail both ways, and losses.
    private struct Run {
        var world: EngineWorld
        var mail: EngineMail
        var expected: [Set<EnvelopeID>] = [[], []]
        var released: Set<EnvelopeID> = []
        private let tags: [[MailTag]]

        init(seed: UInt64) throws {
            mail = EngineMail(seed: seed)
            let gates = Bool.random(using: &mail.random) ? [0, 1] : [0, 0, 1]
            world = try EngineWorld(gates: gates, hubs: Int.random(in: 1...2, using: &mail.random), seed: seed)
            var mail = mail
            tags = (0..<2).map { _ in (0..<Int.random(in: 1...20, using: &mail.random)).map { _ in mail.tag() } }
            self.mail = mail
        }

        /// Asks for the tags of both islands again, as their readers do every fifteen minutes.
        mutating func watch() {
            for island in 0..<2 {
                for start in stride(from: 0, to: tags[island].count, by: 15) {
                    let part = Array(tags[island][start...].prefix(15))
                    world.write(mail.watch(part), in: island, from: LinkID(1))
                }
            }
        }

        mutating func step() {
            let hub = Int.random(in: 0..<world.hubs.count, using: &mail.random)
            let gate = Int.random(in: 0..<world.gates.count, using: &mail.random)
            switch Int.random(in: 0..<12, using: &mail.random) {
            case 0: world.cut(gate, from: hub)
            case 1: world.hubs[hub].isUp = false
            case 2, 3: world.hubs[hub].isUp = true
            case 4: world.settle(Int.random(in: 0..<10, using: &mail.random))
            case 5: if Int.random(in: 0..<4, using: &mail.random) == 0 { wipe(hub) }
            case 6: world.pass(.seconds(Int.random(in: 0..<40, using: &mail.random)))
            default: write()
            }
            if Int.random(in: 0..<3, using: &mail.random) == 0 {
                world.pass(.milliseconds(Int.random(in: 0..<2_000, using: &mail.random)))
            }
        }

        /// Writes mail of one island for a reader of the other.
        private mutating func write() {
            let author = Int.random(in: 0..<2, using: &mail.random)
            guard let tag = tags[1 - author].randomElement(using: &mail.random) else { return }
            let letter = mail.far(tag)
            expected[1 - author].insert(EngineHashes.id(letter))
            world.write(letter, in: author, from: Bool.random(using: &mail.random) ? nil : LinkID(2))
        }

        /// A server that dies and comes back without its disk.
        private mutating func wipe(_ hub: Int) {
            for gate in world.gates.indices { world.cut(gate, from: hub) }
            world.hubs[hub].wipe()
        }

        /// Mends everything, and lets the islands come to rest.
        mutating func finish() {
            for hub in world.hubs.indices { world.hubs[hub].isUp = true }
            world.pass(.seconds(100))
            // The authors still lack receipts, and repeat: a wiped hub shows by its numbers.
            for _ in 0..<3 {
                write()
                watch()
                world.pass(.seconds(400))
            }
        }
    }

    @Test("In 1,000 random schedules all mail arrives once at each gateway, and nothing that was fetched goes back")
    func schedules() throws {
        for seed in 0..<1_000 as Range<UInt64> {
            var run = try Run(seed: seed)
            run.watch()
            for _ in 0..<40 { run.step() }
            run.finish()
            try check(run, seed)
        }
    }

    private func check(_ run: Run, _ seed: UInt64) throws {
        for (number, gate) in run.world.gates.enumerated() {
            let injected = gate.injections
            let arrived = Set(injected.keys)
            // A hub that was wiped may have been the way of the other gateway of the island.
            let island = run.world.gates.indices.filter { run.world.gates[$0].island == gate.island }
            let all = island.reduce(into: Set<EnvelopeID>()) { $0.formUnion(run.world.gates[$1].injections.keys) }
            #expect(run.expected[gate.island].subtracting(all).isEmpty, "seed \(seed): mail is missing at \(number)")
            #expect(arrived.isSubset(of: run.expected[gate.island]), "seed \(seed): foreign mail at \(number)")
            #expect(injected.values.allSatisfy { $0 == 1 }, "seed \(seed): mail came twice at \(number)")
            for hub in run.world.hubs {
                let published = hub.requests.compactMap { item -> EnvelopeID? in
                    guard item.gate == number, case .publish(_, let body, .some, _) = item.request,
                        let envelope = Envelope(decoding: body[...]), envelope.kind == .far
                    else { return nil }
                    return EngineHashes.id(envelope)
                }
                #expect(Set(published).isSubset(of: run.expected[1 - gate.island]), "seed \(seed): mail went back")
            }
            #expect(gate.engine.hubs.allSatisfy { $0.phase == .live && $0.uploads.count == 0 }, "seed \(seed)")
        }
    }
}
