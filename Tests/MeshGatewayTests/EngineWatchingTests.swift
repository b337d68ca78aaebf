import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests of tags, subscriptions and fetched mail.
@Suite("Gateways watch mailboxes")
struct EngineWatchingTests {
    private var mail = EngineMail()

    @Test("A new tag is subscribed before it is asked for, and its mail is fetched in order")
    mutating func watching() throws {
        var world = try EngineWorld()
        let tag = mail.tag()
        let letters = (0..<3).map { _ in mail.far(tag) }
        for letter in letters { world.publish(letter.encoded(), to: tag) }
        world.connect()
        #expect(world.hub().phase == .live)
        world.hubs[0].forgetRequests()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let first = world.hubs[0].requests.prefix(1).map(\.request)
        guard case .subscribe(tag.subject) = try #require(first.first) else {
            Issue.record("the subscription is not the first request")
            return
        }
        #expect(world.asked().filter { $0 == tag.lastSubject }.count == 1)
        #expect(world.asked().filter { $0 == "next" }.count == 3)
        #expect(world.injected().map(\.body) == letters.map(\.body))
        #expect(world.hub().counters.fetched == 3)
    }

    @Test("Mail that comes by the subscription is handed on at once, and once")
    mutating func live() throws {
        var world = try EngineWorld()
        let tag = mail.tag()
        world.connect()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let letter = mail.far(tag)
        world.publish(letter.encoded(), to: tag)
        world.publish(letter.encoded(), to: tag)
        world.settle()
        #expect(world.injected().count == 1)
        // Fetched mail is never published.
        world.pass(.seconds(100))
        #expect(world.published().isEmpty)
    }

    @Test("Mail of a lost connection is fetched on the next one, and nothing twice")
    mutating func gap() throws {
        var world = try EngineWorld()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.connect()
        world.publish(mail.far(tag).encoded(), to: tag)
        world.settle()
        world.cut(0)
        world.publish(mail.far(tag).encoded(), to: tag)
        #expect(world.injected().count == 1)
        world.pass(.seconds(2))
        #expect(world.hub().phase == .live)
        #expect(world.injected().count == 2)
        #expect(world.hub().counters.reconnects == 1)
    }

    @Test("A tag that is asked for once is not subscribed, and a tag is forgotten after its time")
    mutating func time() throws {
        var world = try EngineWorld()
        world.connect()
        world.hubs[0].forgetRequests()
        let (once, long) = (mail.tag(), mail.tag())
        world.publish(mail.far(once).encoded(), to: once)
        world.write(mail.watch([once], subscribes: false), from: LinkID(1))
        world.settle()
        #expect(world.injected().count == 1)
        #expect(world.subscribed().isEmpty)
        world.write(mail.watch([long]), from: LinkID(1))
        world.settle()
        #expect(world.subscribed().contains(long.subject))
        world.pass(.seconds(1_499))
        #expect(world.gates[0].engine.tags.isWatched(once) && world.gates[0].engine.tags.isWatched(long))
        world.pass(.seconds(2))
        #expect(!world.gates[0].engine.tags.isWatched(once) && !world.gates[0].engine.tags.isWatched(long))
        #expect(world.hubs[0].subscriptions[0]?.contains(long.subject) == false)
        let late = mail.far(long)
        world.deliver(.mail(subject: long.subject, body: late.encoded()))
        #expect(world.injected().count == 1)
    }

    @Test("A tag that is asked for once and then subscribed is asked for again at once")
    mutating func upgrade() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag], subscribes: false), from: LinkID(1))
        // The answer is under way as mail comes and the subscription begins.
        let letter = mail.far(tag)
        world.publish(letter.encoded(), to: tag)
        world.write(mail.watch([tag]), from: LinkID(2))
        world.settle()
        #expect(world.injected().map(\.body) == [letter.body])
        let other = mail.tag()
        world.write(mail.watch([other], subscribes: false), from: LinkID(1))
        world.settle()
        world.publish(mail.far(other).encoded(), to: other)
        world.write(mail.watch([other]), from: LinkID(2))
        world.settle()
        #expect(world.injected().count == 2)
    }

    @Test("A tag whose mail is being fetched stays beyond its time")
    mutating func longWalk() throws {
        var table = TagTable()
        let (tag, now) = (mail.tag(), MeshInstant(nanoseconds: 1))
        _ = table.watch(tag, subscribes: false, from: LinkID(1), now: now)
        let end = now.advanced(by: GatewayLimits.watchTime)
        #expect(table.ended(by: end) == tag)
        table.keep(tag, now: end)
        #expect(table.ended(by: end) == nil && table.isWatched(tag) && table.count == 1)
        #expect(table.ended(by: end.advanced(by: GatewayLimits.watchGrace)) == tag)
        let wasSubscribed = table.end(tag)
        #expect(!wasSubscribed && !table.isWatched(tag) && table.count == 0)
        // A walk ends, and with it the stay.
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<1_500 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.write(mail.watch([tag], subscribes: false), from: LinkID(1))
        world.settle()
        #expect(world.hub().downloads.isFetching(tag))
        world.pass(.seconds(10))
        #expect(!world.hub().downloads.isFetching(tag) && world.injected().count == 1_500)
    }

    @Test("A question does not shorten a subscription")
    mutating func both() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.write(mail.watch([tag], subscribes: false), from: LinkID(1))
        world.pass(.seconds(1_400))
        #expect(world.gates[0].engine.tags.isSubscribed(tag))
    }

    @Test("A request from the store holds for the rest of its time")
    mutating func oldRequest() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        let request = mail.watch([tag])
        world.write(Envelope(kind: .watch, life: 6, body: request.body), from: LinkID(1))
        world.pass(.seconds(359))
        #expect(world.gates[0].engine.tags.isWatched(tag))
        world.pass(.seconds(2))
        #expect(!world.gates[0].engine.tags.isWatched(tag))
    }

    @Test("A renewed tag is asked for again after a while, so that a gap in the subscription closes")
    mutating func renewal() throws {
        var world = try EngineWorld()
        let tag = mail.tag()
        world.connect()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        // The hub keeps mail that the subscription does not bring.
        world.hubs[0].disconnect(0)
        world.publish(mail.far(tag).encoded(), to: tag)
        world.pass(.seconds(200))
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().isEmpty)
        world.pass(.seconds(700))
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().count == 1)
    }

    @Test("Mail that passed by the server of a city while it had lost its hub is fetched, though later mail came")
    mutating func city() throws {
        var world = try EngineWorld()
        world.hubs[0].role = .part
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.connect()
        world.hubs[0].disconnect(0)
        let (missed, later) = (mail.far(tag), mail.far(tag))
        world.publish(missed.encoded(), to: tag)
        _ = world.hubs[0].take(.subscribe(tag.subject), from: 0, date: world.date)
        world.publish(later.encoded(), to: tag)
        world.settle()
        #expect(world.injected().map(\.body) == [later.body])
        world.pass(.seconds(900))
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().map(\.body) == [later.body, missed.body])
    }

    @Test("A hub that was wiped gives out mail with lower numbers than before")
    mutating func wiped() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        for _ in 0..<10 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().count == 10)
        world.hubs[0].wipe()
        world.cut(0)
        for _ in 0..<2 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.pass(.seconds(2))
        #expect(world.injected().count == 12)
        #expect(world.hub().counters.lost == 1)
    }

    @Test("A hub that was wiped, and has more mail than before by now, gives out all of it")
    mutating func refilled() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        for _ in 0..<4 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().count == 4)
        for count in [7, 40] {
            let before = world.injected().count
            world.hubs[0].wipe()
            world.cut(0)
            for _ in 0..<count { world.publish(mail.far(tag).encoded(), to: tag) }
            world.pass(.seconds(5))
            #expect(world.hub().phase == .live)
            #expect(world.injected().count == before + count)
        }
        // A hub that kept its mail is asked for the newest known and for nothing older.
        world.cut(0)
        world.hubs[0].forgetRequests()
        world.publish(mail.far(tag).encoded(), to: tag)
        world.pass(.seconds(5))
        #expect(world.injected().count == 52)
        #expect(world.asked().filter { $0 == "next" }.count == 2)
    }

    @Test("After a loss the hub shows again what it has, though the connection lasts")
    mutating func doubt() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        for _ in 0..<4 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.write(mail.watch([tag]), from: LinkID(1))
        world.write(mail.far(mail.tag()))
        world.settle()
        #expect(world.injected().count == 4)
        // The subscription brings nothing more, and own mail shows the loss.
        world.hubs[0].wipe()
        world.hubs[0].disconnect(0)
        world.write(mail.far(mail.tag()))
        world.pass(.seconds(1))
        #expect(world.hub().counters.lost == 1 && world.hub().counters.reconnects == 0)
        for _ in 0..<9 { world.publish(mail.far(tag).encoded(), to: tag) }
        world.pass(.seconds(900))
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        #expect(world.injected().count == 13)
    }

    @Test("The life of fetched mail is at most seven days less its age")
    mutating func life() throws {
        var world = try EngineWorld()
        let tag = mail.tag()
        let (long, short) = (mail.far(tag), mail.far(tag, life: 100))
        world.publish(long.encoded(), to: tag)
        world.publish(short.encoded(), to: tag)
        world.pass(.seconds(86_405))
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let lives = world.injected().map(\.life)
        #expect(lives == [Envelope.maximumLife - 8_640, 100])
        // Mail older than its longest life has an hour, as the clocks may differ; later it is of no use.
        for (days, count) in [(8, 3), (10, 3)] {
            let old = mail.tag()
            world.publish(mail.far(old).encoded(), to: old)
            world.date += Double(days) * 86_400
            world.write(mail.watch([old]), from: LinkID(1))
            world.settle()
            #expect(world.injected().count == count && world.injected().last?.life == 360)
        }
    }

    @Test("No more than 256 questions are open")
    mutating func questions() throws {
        var world = try EngineWorld()
        world.connect()
        world.hubs[0].forgetRequests()
        let tags = (0..<300).map { _ in mail.tag() }
        for start in stride(from: 0, to: 300, by: 15) {
            world.write(mail.watch(Array(tags[start..<start + 15])), from: LinkID(1))
        }
        // The answers are under way.
        #expect(world.asked().count == GatewayLimits.questionCount)
        world.settle()
        #expect(Set(world.asked()).isSuperset(of: tags.map(\.lastSubject)))
    }

    @Test("A question without an answer is asked again after five seconds, thrice")
    mutating func silence() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.hubs[0].silentSubjects = [tag.lastSubject]
        world.write(mail.watch([tag], subscribes: false), from: LinkID(1))
        for _ in 0..<10 {
            // The hub answers others.
            world.write(mail.far(mail.tag()))
            world.pass(.seconds(4))
        }
        #expect(world.asked().filter { $0 == tag.lastSubject }.count == 4)
        #expect(world.hub().phase == .live)
        #expect(world.hub().counters.timeouts == 4)
    }
}
