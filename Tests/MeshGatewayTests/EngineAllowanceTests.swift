import MeshCore
import Testing

@testable import GatewayCore

@Suite("The bytes of a day")
struct EngineAllowanceTests {
    private var mail = EngineMail()
    private static let limit = 250_000

    @Test("Once the bytes of a day are used up, only own mail goes and comes; the next day all does")
    mutating func spent() throws {
        var world = try EngineWorld(dayLimit: Self.limit)
        world.connect()
        let (own, other) = (mail.tag(), mail.tag())
        world.write(mail.watch([own]))
        world.write(mail.watch([other]), from: LinkID(1))
        world.settle()
        let far = (0..<24).map { _ in mail.far(mail.tag(), byteCount: 16_000) }
        for letter in far { world.write(letter, from: LinkID(1)) }
        world.pass(.seconds(1))
        // Less than the first window of the hub exceeds the limit.
        #expect((8...23).contains(world.published().count) && world.hub().uploads.count == 0)
        #expect(world.statuses.map { $0.error?.code } == ["hubLimit"])
        let subscriptions = try #require(world.hubs[0].subscriptions[0])
        #expect(subscriptions.contains(own.subject) && !subscriptions.contains(other.subject))
        for tag in [own, other] { world.publish(mail.far(tag).encoded(), to: tag) }
        let (mine, theirs) = (mail.far(mail.tag()), mail.far(mail.tag()))
        world.write(mine)
        world.write(theirs, from: LinkID(1))
        world.write(mail.watch([other]), from: LinkID(2))
        world.pass(.seconds(100))
        #expect(world.injected().count == 1 && world.injected().first?.body.starts(with: own.bytes) == true)
        #expect(world.published().contains(EngineHashes.id(mine)))
        #expect(!world.published().contains(EngineHashes.id(theirs)))
        world.pass(.seconds(86_400))
        world.write(mail.watch([other]), from: LinkID(1))
        world.pass(.seconds(100))
        #expect(world.published().contains(EngineHashes.id(theirs)) && world.injected().count == 2)
        #expect(world.statuses.map { $0.error?.code } == [nil])
    }

    @Test("Mail that comes counts as that which goes")
    mutating func downwards() throws {
        var world = try EngineWorld(dayLimit: Self.limit)
        world.connect()
        let other = mail.tag()
        world.write(mail.watch([other]), from: LinkID(1))
        world.settle()
        for _ in 0..<40 { world.publish(mail.far(other, byteCount: 16_000).encoded(), to: other) }
        world.settle()
        #expect((8...15).contains(world.injected().count))
        #expect(world.hubs[0].subscriptions[0]?.contains(other.subject) == false)
    }
}
