import Bytes
import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests with hubs, guests and neighbours that break the rules.
@Suite("Hostile hubs, guests and neighbours of gateways")
struct EngineHostileTests {
    private var mail = EngineMail()

    /// Returns the number of the last question of a kind.
    private func number(_ world: EngineWorld, _ isMeant: (String) -> Bool) throws -> UInt64 {
        let numbers = world.hubs[0].requests.compactMap { item -> UInt64? in
            if case .publish(let subject, _, _, let number) = item.request, isMeant(subject) { number } else { nil }
        }
        return try #require(numbers.last)
    }

    @Test("Mail of another kind, of another tag, of nobody's tag, or none at all is dropped")
    mutating func junk() throws {
        var world = try EngineWorld()
        world.connect()
        let (tag, other) = (mail.tag(), mail.tag())
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let good = mail.far(tag)
        let bodies: [[UInt8]] = [
            [], [0x18], mail.bytes(100), mail.bytes(20_000), mail.far(other).encoded(),
            Envelope(kind: 0, life: 9, body: good.body).encoded(), [0x28] + good.encoded().dropFirst(),
            Envelope(kind: .far, life: 9, body: tag.bytes + [0]).encoded(), mail.far(tag, life: 0).encoded(),
        ]
        for body in bodies { world.publish(body, to: tag) }
        world.publish(mail.far(other).encoded(), to: other)
        for subject in ["", "e", "e.0.0", tag.subject.uppercased(), tag.subject + ".x", "e.\u{E9}." + tag.subject] {
            world.deliver(.mail(subject: subject, body: good.encoded()))
        }
        world.settle()
        #expect(world.injected().isEmpty)
        #expect(world.hub().counters.dropped >= bodies.count)
        world.publish(good.encoded(), to: tag)
        world.settle()
        #expect(world.injected().count == 1)
        // A walk passes over the junk.
        world.cut(0)
        let late = mail.far(tag)
        world.publish(late.encoded(), to: tag)
        world.pass(.seconds(2))
        #expect(world.injected().map(\.body) == [good.body, late.body])
    }

    @Test("Answers that do not fit the question leave it open")
    mutating func misfits() throws {
        var world = try EngineWorld()
        world.connect()
        let (tag, other) = (mail.tag(), mail.tag())
        let letter = mail.far(tag)
        world.publish(letter.encoded(), to: tag)
        world.write(mail.watch([tag]), from: LinkID(1))
        let last = try number(world) { $0 == tag.lastSubject }
        func answer(_ subject: String?, _ sequence: UInt64?) -> HubAnswer {
            HubAnswer(subject: subject, sequence: sequence, body: letter.encoded())
        }
        for forged in [
            answer(other.subject, 1), answer(nil, 1), answer(tag.subject, nil), answer(tag.subject, 0),
            answer(tag.subject, .max), HubAnswer(status: 408, body: []), HubAnswer(body: Array("{}".utf8)),
        ] {
            world.deliver(.answer(last, forged))
        }
        #expect(world.hub().questions[last] != nil)
        world.settle()
        #expect(world.injected().count == 1)
    }

    @Test("Acknowledgements that are none leave the envelope in the queue")
    mutating func noAcknowledgement() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.far(tag))
        let number = try number(world) { $0 == tag.subject }
        for text in [
            "", "{}", "[[[[", #"{"stream":"OTHER","seq":1}"#, #"{"stream":"MAIL-g","seq":1}"#, #"{"stream":"MAIL"}"#,
            #"{"stream":"MAIL","seq":-1}"#, #"{"stream":"MAIL","seq":0}"#,
            #"{"stream":"MAIL","seq":99999999999999999999999}"#,
            #"{"stream":"MAIL","seq":1}"# + String(repeating: " ", count: 1_000),
        ] {
            world.deliver(.answer(number, HubAnswer(body: Array(text.utf8))))
        }
        #expect(world.hub().uploads.count == 1)
        world.settle()
        #expect(world.hub().uploads.count == 0)
    }

    @Test("An envelope whose acknowledgement was forged goes again on the next connection")
    mutating func forged() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.hubs[0].keepsMail = false
        world.write(mail.far(tag))
        let number = try number(world) { $0 == tag.subject }
        world.deliver(.answer(number, HubAnswer(body: Array(#"{"stream":"MAIL","seq":1000}"#.utf8))))
        #expect(world.hub().uploads.count == 0)
        world.hubs[0].keepsMail = true
        world.cut(0)
        world.pass(.seconds(2))
        #expect(world.hubs[0].mail[tag.subject]?.count == 1)
    }

    @Test("A hub with an endless row of mail is left after 4,000 envelopes of a tag, until the next day")
    mutating func endless() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.hubs[0].mailboxLimit = 10_000
        for _ in 0..<4_200 { world.publish(mail.bytes(60), to: tag) }
        world.write(mail.watch([tag]), from: LinkID(1))
        for _ in 0..<60 {
            world.pass(.seconds(60))
            world.write(mail.watch([tag]), from: LinkID(1))
        }
        #expect(world.asked().filter { $0 == "next" }.count == GatewayLimits.fetchCountOfDay)
        world.date += 86_400
        for _ in 0..<10 {
            world.pass(.seconds(60))
            world.write(mail.watch([tag]), from: LinkID(1))
        }
        #expect(world.asked().filter { $0 == "next" }.count == 4_200)
    }

    @Test("A flood of live mail is cut to the rate, and what was left out is fetched later")
    mutating func flood() throws {
        var world = try EngineWorld()
        world.connect()
        let tags = (0..<4).map { _ in mail.tag() }
        world.write(mail.watch(tags), from: LinkID(1))
        world.settle()
        for index in 0..<2_000 {
            let tag = tags[index % 4]
            world.publish(mail.far(tag).encoded(), to: tag)
        }
        world.settle()
        #expect(world.injected().count <= GatewayLimits.fetchBurst)
        #expect(world.hub().counters.dropped > 900)
        world.pass(.seconds(60))
        #expect(world.injected().count == 2_000)
        #expect(world.gates[0].injections.values.allSatisfy { $0 == 1 })
    }

    @Test("Mail that was left out is fetched even if later mail has come")
    mutating func leftOut() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        // The last one exceeds the bytes of a second, and the small one after it does not.
        for _ in 0..<66 { world.publish(mail.far(tag, byteCount: 16_000).encoded(), to: tag) }
        world.publish(mail.far(tag).encoded(), to: tag)
        world.settle()
        #expect(world.injected().count == 66)
        world.pass(.seconds(5))
        #expect(world.injected().count == 67)
    }

    @Test("A replay of old mail is known")
    mutating func replay() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let letters = (0..<50).map { _ in mail.far(tag) }
        for _ in 0..<10 {
            for letter in letters { world.publish(letter.encoded(), to: tag) }
            world.settle()
        }
        #expect(world.injected().count == 50)
    }

    @Test("Answers of any bytes, to any question, at any time do not stop the engine", arguments: 0..<20)
    func noise(seed: UInt64) throws {
        var mail = EngineMail(seed: seed)
        var world = try EngineWorld(seed: seed)
        let tags = (0..<30).map { _ in mail.tag() }
        world.connect()
        for step in 0..<600 {
            let tag = tags[Int.random(in: 0..<30, using: &mail.random)]
            let statuses: [Int?] = [nil, nil, nil, 404, 503, -1, .max]
            let texts = [
                #"{"stream":"MAIL","seq":\#(UInt64.max)}"#, #"{"error":{"err_code":10054,"description":"x"}}"#,
                #"{"error":{"err_code":-9,"description":""}}"#, #"{"stream":"MAIL-0","seq":5,"duplicate":true}"#,
            ]
            switch step % 6 {
            case 0: world.write(mail.watch([tag], subscribes: Bool.random(using: &mail.random)), from: LinkID(1))
            case 1: world.write(mail.far(tag), from: LinkID(UInt64(step % 5)))
            case 2: world.pass(.milliseconds(Int.random(in: 0..<3_000, using: &mail.random)))
            case 3: world.publish(mail.bytes(Int.random(in: 0..<200, using: &mail.random)), to: tag)
            default:
                let status = statuses.randomElement(using: &mail.random) ?? nil
                let text = texts.randomElement(using: &mail.random) ?? ""
                let answer = HubAnswer(
                    status: status,
                    subject: tag.subject,
                    sequence: UInt64.random(in: 0...(.max), using: &mail.random),
                    storedAt: ["x", "9999-99-99T99:99:99Z", "2026-11-29T20:25:50Z"].randomElement(using: &mail.random),
                    body: Bool.random(using: &mail.random) ? Array(text.utf8) : mail.far(tag).encoded()
                )
                world.deliver(.answer(UInt64.random(in: 0..<400, using: &mail.random), answer))
            }
        }
        world.pass(.seconds(600))
        #expect(world.hub().phase == .live)
    }
}
