import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests of several gateways in one network, and of their announcements.
@Suite("Several gateways of one network")
struct EngineGatewaysTests {
    private var mail = EngineMail()

    private func announcements(_ world: EngineWorld, _ gate: Int = 0) -> [[UInt8]] {
        world.gates[gate].effects.compactMap {
            if case .submit(.gateway, let body, GatewayLimits.announcementLife) = $0 { body } else { nil }
        }
    }

    @Test("A gateway announces itself once it has a hub, and every five minutes, a fifth more or less")
    mutating func announcing() throws {
        var world = try EngineWorld()
        world.handle(.tick)
        #expect(announcements(world).isEmpty)
        world.connect()
        let first = try #require(announcements(world).first)
        #expect(first.count == 252)
        #expect(first[17] == 1)
        let hub = EngineHashes.hash(Array("earshot/v1/hubhub0.example.org:4222".utf8)).prefix(8)
        #expect(first[18..<26] == hub[...])
        world.pass(.seconds(239))
        #expect(announcements(world).count == 1)
        world.pass(.seconds(122))
        #expect(announcements(world).count == 2)
        #expect(announcements(world)[1].prefix(16) == first.prefix(16))
        world.pass(.seconds(3_600))
        #expect((12...17).contains(announcements(world).count))
    }

    @Test("A change of hubs is announced at most once a minute")
    mutating func changes() throws {
        var world = try EngineWorld(hubs: 2)
        world.hubs[1].isUp = false
        world.connect()
        #expect(announcements(world).last?[17] == 1)
        world.hubs[1].isUp = true
        world.pass(.seconds(55))
        #expect(world.hub(1).phase == .live)
        #expect(announcements(world).count == 1)
        world.pass(.seconds(10))
        #expect(announcements(world).count == 2)
        #expect(announcements(world).last?[17] == 2)
        world.hubs[1].isUp = false
        world.cut(0, from: 1)
        world.pass(.seconds(119))
        #expect(announcements(world).count == 2)
        world.pass(.seconds(2))
        #expect(announcements(world).count == 3)
        #expect(announcements(world).last?[17] == 1)
    }

    @Test("Gateways keep their order when all lose the hub for a moment")
    mutating func order() throws {
        var world = try EngineWorld(gates: [0, 0, 0])
        world.connect()
        world.pass(.seconds(61))
        for gate in 0..<3 { world.cut(gate) }
        world.pass(.seconds(2))
        #expect((0..<3).allSatisfy { world.hub(of: $0).phase == .live })
        let letters = (0..<30).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter, from: LinkID(1)) }
        world.pass(.seconds(10))
        #expect(world.published().count == 30)
    }

    @Test("Of several gateways one publishes each envelope; the others find it at the hub")
    mutating func ranks() throws {
        var world = try EngineWorld(gates: [0, 0, 0])
        world.connect()
        #expect(world.gates.allSatisfy { $0.engine.otherGatewayCount == 2 })
        let letters = (0..<60).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter, from: LinkID(1)) }
        world.pass(.seconds(10))
        #expect(world.published().count == 60)
        #expect(Set(world.published()) == Set(letters.map(EngineHashes.id)))
        let counts = (0..<3).map { world.hub(of: $0).counters }
        #expect(counts.allSatisfy { $0.published >= 5 })
        #expect(counts.reduce(0) { $0 + $1.duplicates } == 120)
        #expect((0..<3).allSatisfy { world.hub(of: $0).uploads.count == 0 })
    }

    @Test("A dead gateway costs two seconds, and once")
    mutating func dead() throws {
        var world = try EngineWorld(gates: [0, 0])
        world.connect()
        world.pass(GatewayLimits.doubtTime)
        // The second is gone without a word.
        world.handle(.hub(0, .closed), at: 1)
        world.hubs[0].disconnect(1)
        let letters = (0..<20).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.handle(.envelope(letter, EngineHashes.id(letter), from: LinkID(1))) }
        world.settle()
        let atOnce = world.published().count
        #expect((1..<20).contains(atOnce))
        world.pass(.milliseconds(2_001))
        #expect(world.published().count == 20)
        let later = (0..<20).map { _ in mail.far(mail.tag()) }
        for letter in later { world.handle(.envelope(letter, EngineHashes.id(letter), from: LinkID(1))) }
        world.settle()
        #expect(world.published().count == 40)
        // It counts again once it announces itself.
        #expect(world.gates[0].engine.otherGatewayCount == 0)
        world.handle(.tick, at: 1)
        world.pass(.seconds(400))
        #expect(world.gates[0].engine.otherGatewayCount == 1)
    }

    @Test("Gateways of other hubs come first nowhere")
    mutating func otherHubs() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<30 {
            let body = mail.bytes(16) + [0, 1] + mail.bytes(234)
            world.write(Envelope(kind: .gateway, life: 60, body: body), from: LinkID(1))
        }
        #expect(world.gates[0].engine.otherGatewayCount == 30)
        let letter = mail.far(mail.tag())
        world.write(letter, from: LinkID(1))
        #expect(world.published() == [EngineHashes.id(letter)])
    }

    @Test("No more than 64 others are remembered, each for ten minutes, and bad announcements are none")
    mutating func limits() throws {
        var world = try EngineWorld()
        world.connect()
        let own = try #require(announcements(world).first)
        func announce(_ body: [UInt8]) {
            world.write(Envelope(kind: .gateway, life: 60, body: body), from: LinkID(1))
        }
        announce(mail.bytes(251))
        announce(mail.bytes(16) + [0, 17] + mail.bytes(234))
        announce(own)
        // Neighbours still have what this node announced before it started again.
        let old = mail.bytes(16) + [0, 1] + own[18...]
        world.write(Envelope(kind: .gateway, life: 58, body: old), from: LinkID(1))
        #expect(world.gates[0].engine.otherGatewayCount == 0)
        for _ in 0..<100 { announce(mail.bytes(16) + [0, 1] + own[18..<26] + mail.bytes(226)) }
        #expect(world.gates[0].engine.otherGatewayCount == GatewayLimits.gatewayCount)
        // At most, an envelope waits two seconds for each of them.
        let letter = mail.far(mail.tag())
        world.write(letter, from: LinkID(1))
        world.pass(.seconds(130))
        #expect(world.published() == [EngineHashes.id(letter)])
        world.pass(.seconds(600))
        announce(mail.bytes(16) + [0, 0] + mail.bytes(234))
        #expect(world.gates[0].engine.otherGatewayCount == 1)
    }
}
