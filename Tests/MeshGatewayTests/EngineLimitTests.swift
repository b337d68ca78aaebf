import Bytes
import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests that reach each limit of a gateway.
@Suite("Limits of gateways")
struct EngineLimitTests {
    private var mail = EngineMail()
    private let now = MeshInstant(nanoseconds: 1_000_000_000_000)

    @Test("Other nodes have 4,096 tags, this node has 2,048")
    mutating func tags() {
        var table = TagTable()
        let tags = (0..<5_000).map { _ in mail.tag() }
        for tag in tags { _ = table.watch(tag, subscribes: true, from: LinkID(1), now: now) }
        #expect(table.otherCount == GatewayLimits.otherTagCount)
        // A link displaces none of its own.
        #expect(tags.prefix(GatewayLimits.otherTagCount).allSatisfy { table.isWatched($0) })
        for _ in 0..<3_000 { _ = table.watch(mail.tag(), subscribes: true, from: nil, now: now) }
        #expect(table.count == GatewayLimits.otherTagCount + GatewayLimits.ownTagCount)
    }

    @Test("A link that fills the table gives way to others, up to equal shares")
    mutating func shares() {
        var table = TagTable()
        let flood = (0..<4_096).map { _ in mail.tag() }
        for tag in flood { _ = table.watch(tag, subscribes: true, from: LinkID(1), now: now) }
        for link in [LinkID(2), LinkID(3), LinkID(4)] {
            for _ in 0..<3_000 { _ = table.watch(mail.tag(), subscribes: true, from: link, now: now) }
        }
        #expect(table.otherCount == GatewayLimits.otherTagCount)
        let left = flood.filter { table.isWatched($0) }.count
        #expect((1_023...1_026).contains(left))
    }

    @Test("A tag that several links ask for counts for the one with fewest, and so outlives a flood")
    mutating func shared() {
        var table = TagTable()
        let tag = mail.tag()
        _ = table.watch(tag, subscribes: true, from: LinkID(1), now: now)
        for _ in 0..<4_095 {
            _ = table.watch(mail.tag(), subscribes: true, from: LinkID(1), now: now.advanced(by: .seconds(1)))
        }
        _ = table.watch(tag, subscribes: true, from: LinkID(2), now: now)
        for _ in 0..<2_000 { _ = table.watch(mail.tag(), subscribes: true, from: LinkID(3), now: now) }
        #expect(table.isWatched(tag))
    }

    @Test("A tag that is evicted is no longer subscribed")
    mutating func eviction() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<274 { world.write(mail.watch((0..<15).map { _ in mail.tag() }), from: LinkID(1)) }
        world.pass(.seconds(1))
        let before = try #require(world.hubs[0].subscriptions[0])
        world.write(mail.watch((0..<15).map { _ in mail.tag() }), from: LinkID(2))
        let after = try #require(world.hubs[0].subscriptions[0])
        #expect(before.subtracting(after).count == 15)
        #expect(after.subtracting(before).count == 15)
        #expect(before.count >= 4_096)
    }

    @Test("Subscriptions are filled up to the next power of two, at least 64")
    mutating func cover() throws {
        var world = try EngineWorld()
        world.connect()
        #expect(world.hubs[0].subscriptions[0]?.count == GatewayLimits.leastTagCount)
        let tags = (0..<75).map { _ in mail.tag() }
        for start in stride(from: 0, to: 75, by: 15) {
            world.write(mail.watch(Array(tags[start..<start + 15])), from: LinkID(1))
            world.settle()
            #expect(world.hubs[0].subscriptions[0]?.count ?? 0 >= (start < 60 ? 64 : 128))
        }
        // Their mail is no mail of this network.
        let subjects = try #require(world.hubs[0].subscriptions[0]).subtracting(tags.map(\.subject))
        for subject in subjects {
            let tag = try #require(MailTag(subject: subject))
            world.publish(mail.far(tag).encoded(), to: tag)
        }
        world.settle()
        #expect(world.injected().isEmpty)
        // They stay longer than one request.
        for _ in 0..<3 {
            world.pass(.seconds(1_200))
            for start in stride(from: 0, to: 75, by: 15) {
                world.write(mail.watch(Array(tags[start..<start + 15])), from: LinkID(1))
            }
        }
        #expect(world.hubs[0].subscriptions[0]?.isSuperset(of: subjects) == true)
        // Those of the day before go at midnight, and then the number fits exactly.
        for _ in 0..<90 {
            world.pass(.seconds(1_200))
            for start in stride(from: 0, to: 75, by: 15) {
                world.write(mail.watch(Array(tags[start..<start + 15])), from: LinkID(1))
            }
        }
        world.settle()
        #expect(world.hubs[0].subscriptions[0]?.count == 128)
        #expect(world.hubs[0].subscriptions[0]?.isDisjoint(with: subjects) == true)
    }

    @Test("No more than 8,000 tags are subscribed; random ones give way")
    mutating func subscriptions() throws {
        var world = try EngineWorld()
        world.connect()
        for number in 0..<420 {
            let link = number < 280 ? LinkID(1) : nil
            world.write(mail.watch((0..<15).map { _ in mail.tag() }), from: link)
        }
        world.settle()
        #expect(world.gates[0].engine.tags.count == GatewayLimits.otherTagCount + GatewayLimits.ownTagCount)
        #expect(world.hubs[0].subscriptions[0]?.count == GatewayLimits.subscriptionCount)
    }

    @Test("A queue holds its share of 4,096 envelopes, and what found no place comes from the store later")
    mutating func queue() throws {
        var world = try EngineWorld(hubs: 2)
        world.connect()
        let count = 5_000
        for index in 0..<count { world.write(mail.far(mail.tag()), from: LinkID(UInt64(index % 50))) }
        for hub in 0..<2 { #expect(world.hub(hub).uploads.count == GatewayLimits.queueCount / 2) }
        world.pass(.seconds(60))
        for hub in 0..<2 {
            #expect(world.hub(hub).uploads.count == 0)
            #expect(world.hubs[hub].mail.count == count + 1)
            #expect(Set(world.published(hub)).count == world.published(hub).count)
        }
    }

    @Test("A queue holds its share of 16 MiB")
    mutating func queueBytes() throws {
        var world = try EngineWorld(hubs: 4)
        world.connect()
        for _ in 0..<1_000 { world.write(mail.far(mail.tag(), byteCount: 16_000), from: LinkID(1)) }
        let count = world.hub(0).uploads.count
        #expect(count == (4 << 20) / 16_036)
    }

    @Test("A link that fills the queue gives way to others")
    mutating func queueShares() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<5_000 { world.write(mail.far(mail.tag()), from: LinkID(1)) }
        // Mail under way does not give way, so the window is full first.
        let letters = (0..<300).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter, from: LinkID(2)) }
        world.pass(.seconds(2))
        #expect(Set(world.published()).isSuperset(of: letters.map(EngineHashes.id)))
    }

    @Test("The window is 512 envelopes, or 2 MiB")
    mutating func window() throws {
        var small = try EngineWorld()
        small.connect()
        for _ in 0..<900 { small.write(mail.far(mail.tag())) }
        #expect(small.published().count == GatewayLimits.windowCount)
        // It begins with less, and grows with what the hub takes in time.
        var large = try EngineWorld()
        large.connect()
        func write() { for _ in 0..<300 { large.write(mail.far(mail.tag(), byteCount: 16_000)) } }
        func places(_ byteCount: Int) -> ClosedRange<Int> { byteCount / 16_448 - 1...byteCount / 16_000 }
        write()
        #expect(places(GatewayLimits.firstWindowByteCount).contains(large.published().count))
        large.settle()
        #expect(large.published().count == 300)
        write()
        #expect(places(GatewayLimits.windowByteCount).contains(large.published().count - 300))
    }

    @Test("Of a hub that answers late, less is under way at once")
    mutating func slow() throws {
        var world = try EngineWorld()
        world.connect()
        let letters = (0..<40).map { _ in mail.far(mail.tag(), byteCount: 16_000) }
        world.hubs[0].silentSubjects = Set(letters.compactMap { FarLetter($0)?.tag.subject })
        for letter in letters { world.write(letter) }
        let first = world.published().count
        world.hubs[0].forgetRequests()
        world.pass(GatewayLimits.answerTime)
        #expect(first >= 15)
        #expect((1...3).contains(world.published().count))
    }

    @Test("Own pieces of attachments go after own messages, those written later too")
    mutating func chunks() throws {
        var world = try EngineWorld()
        world.connect()
        let pieces = (0..<40).map { _ in
            Envelope(kind: .farChunk, life: 4_320, body: mail.tag().bytes + mail.bytes(16_380))
        }
        for piece in pieces { world.write(piece) }
        let letters = (0..<20).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter) }
        world.settle()
        let order = world.hubs[0].requests.compactMap { item -> EnvelopeKind? in
            guard case .publish(_, let body, .some, _) = item.request else { return nil }
            return Envelope(decoding: body[...])?.kind
        }.filter { $0 == .far || $0 == .farChunk }
        #expect(order.count == 60)
        // Those under way by then stay in front.
        let early = order.prefix { $0 == .farChunk }.count
        #expect((1...17).contains(early) && order.dropFirst(early).prefix(20).allSatisfy { $0 == .far })
    }

    @Test("A link may publish 400 envelopes at once and 20 a second, this node 1,000")
    mutating func rates() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<600 { world.write(mail.far(mail.tag()), from: LinkID(1)) }
        world.settle()
        #expect(world.published().count == GatewayLimits.linkBurst)
        world.pass(.seconds(2))
        #expect((439...441).contains(world.published().count))
        for _ in 0..<900 { world.write(mail.far(mail.tag())) }
        world.settle()
        #expect((1_339...1_341).contains(world.published().count))
    }

    @Test("All links together publish 200 envelopes a second, in turn")
    mutating func total() throws {
        var world = try EngineWorld()
        world.connect()
        for link in 1...20 {
            for _ in 0..<100 { world.write(mail.far(mail.tag()), from: LinkID(UInt64(link))) }
        }
        world.settle()
        #expect(world.published().count == GatewayLimits.linkBurst)
        world.pass(.seconds(3))
        #expect((999...1_001).contains(world.published().count))
        let counts = world.islands[0].stored.reduce(into: [LinkID: Int]()) { counts, item in
            guard let link = item.link,
                world.hubs[0].mail[MailTag(bytes: item.envelope.body.prefix(16))?.subject ?? ""] != nil
            else { return }
            counts[link, default: 0] += 1
        }
        // The first four had the burst for themselves.
        #expect(counts.filter { $0.key.value > 4 }.values.allSatisfy { (37...38).contains($0) })
    }

    @Test("Own mail goes first")
    mutating func own() throws {
        var world = try EngineWorld()
        world.connect()
        // They fill the window.
        for _ in 0..<200 { world.write(mail.far(mail.tag(), byteCount: 16_000), from: LinkID(1)) }
        let letter = mail.far(mail.tag())
        world.write(letter)
        world.hubs[0].forgetRequests()
        world.settle()
        #expect(world.published().first == EngineHashes.id(letter))
    }

    @Test("A megabyte a second is fetched")
    mutating func fetchedBytes() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        for _ in 0..<400 { world.publish(mail.far(tag, byteCount: 16_000).encoded(), to: tag) }
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect((50...70).contains(world.injected().count))
        world.pass(.seconds(2))
        #expect((180...200).contains(world.injected().count))
    }

    @Test("Remembered ids and full mailboxes have limits, and the oldest make room")
    mutating func memory() {
        var ids = RecentIDs<Int>(limit: 3)
        let all = (0..<5).map { _ in EngineHashes.id(mail.far(mail.tag())) }
        for (number, id) in all.enumerated() { ids.note(id, number) }
        #expect(all.map { ids[$0] } == [nil, nil, 2, 3, 4])
        ids.note(all[2], 9)
        #expect(ids.count == 3 && ids[all[2]] == 9)
        var full = FullMailboxes()
        let tags = (0..<1_100).map { _ in mail.tag() }
        for tag in tags { _ = full.refuse(tag, now: now) }
        #expect(full.count == GatewayLimits.fullCount)
    }

    @Test("Only four hubs are used")
    func hubs() throws {
        #expect(try EngineWorld(hubs: 6).gates[0].engine.hubs.count == GatewayLimits.hubCount)
    }
}
