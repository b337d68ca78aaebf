import MeshCore
import Testing

@testable import ChatCore
@testable import ChatCrypto
@testable import GatewayCore

@Suite("Cover mail")
struct EngineCoverTests {
    private var mail = EngineMail()

    private static func mail(of world: EngineWorld) -> [Envelope] {
        var envelopes: [Envelope] = []
        for item in world.hubs[0].requests {
            guard case .publish(let subject, let body, .some, _) = item.request, MailTag(subject: subject) != nil,
                let envelope = Envelope(decoding: body[...]), FarLetter(envelope) != nil
            else { continue }
            envelopes.append(envelope)
        }
        return envelopes
    }

    @Test("Random mail comes about every 30 s, at times that tell nothing, each for a mailbox of its own")
    func cover() throws {
        var (cover, random, now) = (CoverMail(isOn: true), MeshRandom(seed: 3), MeshInstant(nanoseconds: 1))
        #expect(cover.next(now: now, using: &random) == nil)
        var (intervals, tags): ([Double], Set<MailTag>) = ([], [])
        for _ in 0..<10_000 {
            let due = try #require(cover.due)
            intervals.append(now.duration(to: due) / .seconds(1))
            now = due
            let envelope = try #require(cover.next(now: now, using: &random))
            tags.insert(try #require(FarLetter(envelope)).tag)
        }
        #expect(tags.count == 10_000)
        #expect(intervals.allSatisfy { (0...300).contains($0) })
        // A Poisson process forgets: at any moment the rest of the time to the next is spread in the same way.
        for elapsed in [0.0, 15, 30, 60] {
            let rest = intervals.filter { $0 >= elapsed }
            let share = Double(rest.count { $0 < elapsed + 30 }) / Double(rest.count)
            #expect(abs(share - 0.632) < 0.03, "\(elapsed)")
        }
    }

    @Test("It has the size and the life of a short text")
    func likeness() throws {
        let smallest = try #require(CarrierKind.sealed.bodyByteCounts.min())
        #expect(GatewayLimits.coverByteCount == MailboxKey.overheadByteCount + smallest)
        #expect(GatewayLimits.coverLife == ChatLimits.sealedLife)
        var world = try EngineWorld(sendsCover: true)
        world.connect()
        world.pass(.seconds(600))
        let cover = Self.mail(of: world)
        #expect(!cover.isEmpty && Set(cover.map(\.body.count)) == [GatewayLimits.coverByteCount])
        #expect(Set(cover.map(\.life)) == [GatewayLimits.coverLife])
    }

    @Test("Without the setting there is none, nor after the bytes of a day")
    mutating func none() throws {
        var world = try EngineWorld()
        world.connect()
        world.pass(.seconds(3_600))
        #expect(world.published().isEmpty)
        var limited = try EngineWorld(dayLimit: 250_000, sendsCover: true)
        limited.connect()
        for _ in 0..<24 { limited.write(mail.far(mail.tag(), byteCount: 16_000), from: LinkID(1)) }
        limited.pass(.seconds(1))
        #expect(limited.statuses.map { $0.error?.code } == ["hubLimit"])
        let count = limited.published().count
        limited.pass(.seconds(3_600))
        #expect(limited.published().count == count)
    }
}
