import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests of the states of a hub.
@Suite("Gateways connect to hubs")
struct EngineConnectionTests {
    private var mail = EngineMail()

    private func opens(_ world: EngineWorld) -> Int {
        world.gates[0].effects.filter { if case .open = $0 { true } else { false } }.count
    }

    @Test("A hub is examined by a canary before anything else, and is live once missed mail has come")
    mutating func states() throws {
        var world = try EngineWorld()
        #expect(world.hub().phase == .idle)
        let tag = mail.tag()
        world.write(mail.watch([tag]))
        world.handle(.tick)
        #expect(world.hub().phase == .connecting)
        world.settle(1)
        #expect(world.hub().phase == .checking)
        #expect(world.subscribed().count == 1)
        #expect(!world.subscribed().contains(tag.subject))
        world.settle(3)
        #expect(world.hub().phase == .catchingUp)
        #expect(world.subscribed().contains(tag.subject))
        world.settle()
        #expect(world.hub().phase == .live)
        let status = try #require(world.gates[0].engine.statuses.first)
        #expect(status.host == "hub0.example.org" && status.state == .live && status.tags == 1 && status.error == nil)
        // The canary's own subscription has ended.
        #expect(world.hubs[0].subscriptions[0]?.count == GatewayLimits.leastTagCount)
    }

    @Test("The waits for a hub that is away double from half a second to a minute, half more or less")
    mutating func waits() throws {
        var world = try EngineWorld()
        world.hubs[0].isUp = false
        var expected = 0.5
        for _ in 0..<12 {
            world.handle(.tick)
            world.settle()
            guard case .waiting(let until) = world.hub().phase else {
                Issue.record("the hub does not wait")
                return
            }
            let wait = world.now.duration(to: until) / .seconds(1)
            #expect((expected * 0.499...expected * 1.501).contains(wait))
            world.pass(world.now.duration(to: until) - .nanoseconds(1))
            world.now = until
            expected = min(expected * 2, 60)
        }
        #expect(world.hub().status(tags: 0).error?.code == "hubUnreachable")
    }

    @Test("The waits begin anew after five seconds of use, and not before")
    mutating func reset() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<6 {
            world.cut(0)
            for _ in 0..<600 where world.hub().phase != .live { world.pass(.milliseconds(100)) }
        }
        world.cut(0)
        guard case .waiting(let long) = world.hub().phase else { return }
        #expect(world.now.duration(to: long) > .seconds(14))
        for _ in 0..<600 where world.hub().phase != .live { world.pass(.milliseconds(100)) }
        world.pass(GatewayLimits.steadyTime)
        world.cut(0)
        guard case .waiting(let short) = world.hub().phase else { return }
        #expect(world.now.duration(to: short) < .seconds(1))
    }

    @Test("A hub that refuses the login is tried each hour")
    mutating func refusal() throws {
        var world = try EngineWorld()
        world.hubs[0].isUp = false
        world.handle(.tick)
        world.handle(.failed(0, .login(try HubURL("tls://hub0.example.org"))))
        let status = world.hub().status(tags: 0)
        #expect(status.state == .refused && status.error?.code == "hubLogin")
        let count = opens(world)
        world.pass(.seconds(3_200))
        #expect(opens(world) == count)
        world.pass(.seconds(800))
        #expect(opens(world) > count)
    }

    @Test("A hub without a store is tried soon, and each minute when that lasts")
    mutating func noStore() throws {
        var world = try EngineWorld()
        world.hubs[0].keepsMail = false
        world.pass(.seconds(20))
        #expect(world.hub().status(tags: 0).error?.code == "hubNoStore")
        world.hubs[0].keepsMail = true
        world.pass(.seconds(60))
        #expect(world.hub().phase == .live)
        #expect(world.hub().status(tags: 0).error == nil)
        world.hubs[0].keepsMail = false
        world.cut(0)
        world.pass(.seconds(7_200))
        #expect(world.hub().status(tags: 0).error?.code == "hubNoStore")
        // Its operator has made one.
        world.hubs[0].keepsMail = true
        world.pass(.seconds(100))
        #expect(world.hub().phase == .live)
    }

    @Test("A hub in use is examined every half hour")
    mutating func examinations() throws {
        var world = try EngineWorld()
        world.connect()
        let canaries = { (world: EngineWorld) in
            world.hubs[0].requests.filter {
                if case .publish(_, let body, .some, _) = $0.request { body.first == 0x1F } else { false }
            }.count
        }
        #expect(canaries(world) == 1)
        world.pass(.seconds(4_000))
        #expect(canaries(world) == 3)
        // A store that is gone is found by it.
        world.hubs[0].keepsMail = false
        world.pass(.seconds(2_000))
        #expect(world.hub().status(tags: 0).error?.code == "hubNoStore")
    }

    @Test(
        "Where the clocks are a day apart mail crosses all the same, and the finding lasts until they are set",
        arguments: [-23, 23]
    )
    func clocks(hours: Int) throws {
        var (world, mail) = (try EngineWorld(gates: [0, 1]), EngineMail())
        world.hubs[0].clockError = Double(hours) * 3_600
        world.connect()
        #expect(world.statuses.map(\.state) == [.live] && world.statuses.map { $0.error?.code } == ["hubClock"])
        let tag = mail.tag()
        world.write(mail.watch([tag]), in: 1, from: LinkID(1))
        let letters = (0..<3).map { _ in mail.far(tag) }
        for letter in letters { world.write(letter) }
        world.pass(.seconds(1))
        #expect(Set(world.injected(1).map(EngineHashes.id)) == Set(letters.map(EngineHashes.id)))
        #expect(world.injected(1).allSatisfy { $0.life > 0 })
        world.hubs[0].clockError = 0
        world.pass(.seconds(2_100))
        #expect(world.statuses.map { $0.error?.code } == [nil])
    }

    @Test("A hub that is silent to three rounds of questions is left and connected again")
    mutating func silence() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.hubs[0].silentSubjects = [tag.lastSubject]
        world.write(mail.watch([tag], subscribes: false))
        world.pass(.seconds(14))
        #expect(world.hub().phase == .live)
        world.pass(.seconds(3))
        #expect(world.hub().counters.reconnects == 1)
    }

    @Test("Single questions without an answer, long apart, do not make a hub silent")
    mutating func singles() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<3 {
            let proof = mail.bytes(16)
            world.write(mail.far(mail.tag(), proof: proof))
            world.dropDeliveries()
            // So nothing is repeated, and nothing answered.
            world.write(EngineMail.release([proof]))
            world.pass(.seconds(100))
        }
        #expect(world.hub().counters.timeouts == 3)
        #expect(world.hub().counters.reconnects == 0)
    }

    @Test("Messages of hubs that do not exist, or are not connected, change nothing")
    mutating func strangers() throws {
        var world = try EngineWorld()
        let url = try HubURL("tls://hub0.example.org")
        for event in [
            GatewayEvent.opened(7, .whole), .failed(-1, .lost(url)), .hub(9, .closed), .failed(0, .lost(url)),
        ] {
            world.handle(event)
        }
        #expect(world.hub().phase == .idle)
        #expect(world.gates[0].effects.isEmpty)
        // A connection that nobody asked for is closed.
        world.handle(.opened(0, .whole))
        guard case .close(0) = try #require(world.gates[0].effects.first) else {
            Issue.record("the connection stays open")
            return
        }
        world.connect()
        world.deliver(.timeUp(3))
        world.deliver(.answer(1_000_000, HubAnswer(status: 404, body: [])))
        world.deliver(.mail(subject: "e.0.zz", body: []))
        #expect(world.hub().phase == .live)
    }
}
