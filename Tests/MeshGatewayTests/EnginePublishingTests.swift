import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Tests of envelopes on their way to hubs.
@Suite("Gateways publish mail")
struct EnginePublishingTests {
    private var mail = EngineMail()

    @Test("Mail of the mesh goes to every hub under its id, and once")
    mutating func publishing() throws {
        var world = try EngineWorld(hubs: 2)
        world.connect()
        let letter = mail.far(mail.tag())
        world.write(letter, from: LinkID(1))
        world.pass(.seconds(60))
        for hub in 0..<2 {
            #expect(world.published(hub) == [EngineHashes.id(letter)])
            #expect(world.hub(hub).counters.published == 1)
            #expect(world.hub(hub).uploads.count == 0)
        }
    }

    @Test("The chat learns of own mail that a hub has acknowledged, and of no other")
    mutating func noted() throws {
        var world = try EngineWorld(hubs: 2)
        world.connect()
        let own = mail.far(mail.tag())
        world.write(own)
        world.write(mail.far(mail.tag()), from: LinkID(1))
        world.pass(.seconds(60))
        let notes = world.gates[0].effects.compactMap { effect in
            if case .noteStored(let name, let hub) = effect { (name, hub) } else { nil }
        }
        #expect(notes.map(\.0) == [Array(own.body[16..<32]), Array(own.body[16..<32])])
        #expect(Set(notes.map(\.1)) == [0, 1])
    }

    @Test("Beyond its rate own mail goes in batches of 16, and a lone letter at once")
    mutating func batches() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<GatewayLimits.ownRate + 160 { world.write(mail.far(mail.tag())) }
        world.settle()
        var counts = [world.published().count]
        for _ in 0..<200 {
            world.pass(.milliseconds(1))
            counts.append(world.published().count)
        }
        let batches = zip(counts, counts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        #expect(counts[0] == GatewayLimits.ownRate && batches.count <= 11)
        #expect(counts.last == GatewayLimits.ownRate + 160)
        world.pass(.seconds(10))
        world.write(mail.far(mail.tag()))
        world.settle()
        #expect(world.published().count == GatewayLimits.ownRate + 161)
    }

    @Test("Only mail is published")
    mutating func kinds() throws {
        var world = try EngineWorld()
        world.connect()
        for kind in (0..<16).compactMap({ EnvelopeKind(rawValue: $0) }) where kind != .far {
            let body = mail.tag().bytes + mail.bytes(100)
            world.write(Envelope(kind: kind, life: 1_000, body: body), from: LinkID(1))
        }
        world.write(Envelope(kind: .far, life: 1_000, body: mail.bytes(31)), from: LinkID(1))
        world.write(mail.far(mail.tag(), life: 0), from: LinkID(1))
        world.pass(.seconds(10))
        #expect(world.published().isEmpty)
    }

    @Test("Mail that the mesh kept goes to a hub that was away, oldest first")
    mutating func stored() throws {
        var world = try EngineWorld()
        world.hubs[0].isUp = false
        let letters = (0..<10).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter) }
        world.pass(.seconds(30))
        world.hubs[0].isUp = true
        world.pass(.seconds(61))
        #expect(world.published() == letters.map(EngineHashes.id))
    }

    @Test("An envelope without an answer goes again after five seconds")
    mutating func silence() throws {
        var world = try EngineWorld()
        world.connect()
        let letter = mail.far(mail.tag())
        world.write(letter)
        world.dropDeliveries()
        world.pass(.seconds(4))
        #expect(world.published().count == 1)
        world.pass(.seconds(2))
        #expect(world.published().count == 2)
        #expect(world.hub().counters.timeouts == 1)
        #expect(world.hub().counters.duplicates == 1)
        #expect(world.hub().uploads.count == 0)
    }

    @Test("An acknowledgement that comes late counts, and its hub is not silent")
    mutating func late() throws {
        var world = try EngineWorld()
        world.connect()
        let letters = (0..<6).map { _ in mail.far(mail.tag()) }
        world.hubs[0].silentSubjects = Set(letters.compactMap { FarLetter($0)?.tag.subject })
        for letter in letters { world.write(letter) }
        var answered = 0
        // Beyond that the envelopes wait in the store.
        for round in 0..<GatewayLimits.repeatCount {
            world.pass(GatewayLimits.answerTime + .milliseconds(1))
            // The answer to the first publication of the next letter, a round or more too late.
            guard let tag = FarLetter(letters[round])?.tag else { continue }
            let numbers = world.hubs[0].requests.compactMap { item -> UInt64? in
                guard case .publish(tag.subject, _, .some, let number) = item.request else { return nil }
                return number
            }
            world.deliver(
                .answer(try #require(numbers.first), HubAnswer(body: Array(#"{"stream":"MAIL","seq":9}"#.utf8)))
            )
            answered += 1
            #expect(world.hub().phase == .live)
            #expect(world.hub().uploads.count == letters.count - answered)
        }
    }

    @Test("An acknowledgement that comes late and after a loss says nothing")
    mutating func lateAfterLoss() throws {
        var world = try EngineWorld()
        world.connect()
        for _ in 0..<5 { world.write(mail.far(mail.tag())) }
        world.settle()
        let letter = mail.far(mail.tag())
        let subject = try #require(FarLetter(letter)?.tag.subject)
        world.hubs[0].silentSubjects = [subject]
        world.write(letter)
        world.pass(GatewayLimits.answerTime + .milliseconds(1))
        let number = world.hubs[0].requests.compactMap { item -> UInt64? in
            if case .publish(subject, _, .some, let number) = item.request { number } else { nil }
        }.first
        world.hubs[0].wipe()
        world.write(mail.far(mail.tag()))
        world.settle()
        #expect(world.hub().counters.lost == 1)
        let answer = HubAnswer(body: Array(#"{"stream":"MAIL","seq":9}"#.utf8))
        world.deliver(.answer(try #require(number), answer))
        #expect(world.hub().uploads.count == 1)
    }

    @Test("What was acknowledged in the last five minutes goes again on the next connection, what is older does not")
    mutating func again() throws {
        var world = try EngineWorld()
        world.connect()
        let old = mail.far(mail.tag())
        world.write(old)
        world.pass(.seconds(301))
        let young = mail.far(mail.tag())
        world.write(young)
        world.pass(.seconds(1))
        world.hubs[0].forgetRequests()
        world.cut(0)
        world.pass(.seconds(2))
        #expect(world.published() == [EngineHashes.id(young)])
        #expect(world.hub().counters.duplicates == 1)
    }

    @Test(
        "A delivery proof ends the way of its envelope, in each of the sizes of such envelopes",
        arguments: [1, 4, 16, 64]
    )
    mutating func release(count: Int) throws {
        var world = try EngineWorld()
        world.connect()
        let proofs = (0..<count).map { _ in mail.bytes(16) }
        let letters = proofs.map { mail.far(mail.tag(), proof: $0) }
        // Nothing is answered, so everything stays in the queue.
        for letter in letters { world.write(letter) }
        world.dropDeliveries()
        #expect(world.hub().uploads.count == count)
        world.write(EngineMail.release(proofs), from: LinkID(1))
        #expect(world.hub().uploads.count == 0)
        world.hubs[0].forgetRequests()
        world.pass(.seconds(6))
        #expect(world.published().isEmpty)
    }

    @Test("Proofs of another count end nothing")
    mutating func proofCount() throws {
        var world = try EngineWorld()
        world.connect()
        let proof = mail.bytes(16)
        world.write(mail.far(mail.tag(), proof: proof))
        world.dropDeliveries()
        world.write(EngineMail.release([proof, mail.bytes(16)]))
        world.write(Envelope(kind: .release, life: 9, body: proof + [0]))
        #expect(world.hub().uploads.count == 1)
    }

    @Test("Mail for a reader in this network waits for 30 seconds, and is left out if the receipt came")
    mutating func near() throws {
        var world = try EngineWorld()
        world.connect()
        let tags = [mail.tag(), mail.tag()]
        world.write(mail.watch(tags), from: LinkID(1))
        world.settle()
        let proof = mail.bytes(16)
        let (read, unread) = (mail.far(tags[0], proof: proof), mail.far(tags[1]))
        world.write(read)
        world.write(unread)
        world.pass(.seconds(29))
        #expect(world.published().isEmpty)
        world.write(EngineMail.release([proof]), from: LinkID(1))
        world.pass(.seconds(2))
        #expect(world.published() == [EngineHashes.id(unread)])
        // It comes back by the subscription, and is no mail from afar.
        #expect(world.injected().isEmpty)
    }

    @Test("Mail in the queue that somebody else has put into the hub is not published")
    mutating func fetched() throws {
        var world = try EngineWorld(hubs: 2)
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.settle()
        let letter = mail.far(tag)
        world.write(letter, from: LinkID(1))
        world.publish(letter.encoded(), to: tag)
        world.pass(.seconds(60))
        #expect(world.published().isEmpty)
        #expect(world.published(1).isEmpty)
    }

    @Test("A full mailbox is tried again after 1, 2, 4 seconds, and the other mail goes on")
    mutating func mailboxFull() throws {
        var world = try EngineWorld()
        world.connect()
        let (full, other) = (mail.tag(), mail.tag())
        world.hubs[0].mailboxLimit = 1
        world.publish(mail.bytes(10), to: full)
        for _ in 0..<3 { world.write(mail.far(full)) }
        world.settle()
        #expect(world.hub().status(tags: 0).error?.code == "hubMailboxFull")
        let letter = mail.far(other)
        world.write(letter)
        world.settle()
        #expect(world.published().last == EngineHashes.id(letter))
        var counts: [Int] = []
        for _ in 0..<8 {
            world.hubs[0].forgetRequests()
            world.pass(.seconds(1))
            counts.append(world.published().count)
        }
        #expect(counts == [3, 0, 3, 0, 0, 0, 3, 0])
        world.hubs[0].mailboxLimit = 1_000
        world.pass(.seconds(600))
        #expect(world.hubs[0].mail[full.subject]?.count == 4)
        #expect(world.hub().status(tags: 0).error == nil)
    }

    @Test("Two full mailboxes with different waits are both tried again")
    mutating func twoFull() throws {
        var world = try EngineWorld()
        world.connect()
        world.hubs[0].mailboxLimit = 0
        let tags = [mail.tag(), mail.tag()]
        world.write(mail.far(tags[0]))
        world.pass(.seconds(60))
        world.write(mail.far(tags[1]))
        world.settle()
        world.hubs[0].mailboxLimit = 1_000
        world.pass(.seconds(100))
        for tag in tags { #expect(world.hubs[0].mail[tag.subject]?.count == 1) }
    }

    @Test("A full hub is tried again after a pause, and gives mail out meanwhile")
    mutating func hubFull() throws {
        var world = try EngineWorld()
        world.connect()
        world.hubs[0].byteLimit = 0
        for _ in 0..<3 { world.write(mail.far(mail.tag())) }
        world.settle()
        #expect(world.hub().status(tags: 0).error?.code == "hubFull")
        world.hubs[0].forgetRequests()
        world.pass(.milliseconds(900))
        #expect(world.published().isEmpty)
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.deliver(.mail(subject: tag.subject, body: mail.far(tag).encoded()))
        #expect(world.injected().count == 1)
        world.hubs[0].byteLimit = .max
        world.pass(.seconds(10))
        #expect(world.published().count == 3)
        #expect(world.hub().uploads.count == 0)
        #expect(world.hub().status(tags: 0).error == nil)
    }

    @Test("A hub that lost what it had confirmed gets everything again that the mesh keeps")
    mutating func lost() throws {
        var world = try EngineWorld()
        world.connect()
        let letters = (0..<20).map { _ in mail.far(mail.tag()) }
        for letter in letters { world.write(letter) }
        world.pass(.seconds(1_000))
        world.hubs[0].wipe()
        world.hubs[0].forgetRequests()
        // All of them were sent before the loss shows.
        let next = (0..<5).map { _ in mail.far(mail.tag()) }
        for letter in next { world.write(letter) }
        world.pass(.seconds(1))
        #expect(world.hub().counters.lost == 1)
        #expect(world.hub().status(tags: 0).error?.code == "hubMailLost")
        let all = Set((letters + next).map(EngineHashes.id))
        #expect(Set(world.published()) == all)
        #expect(world.hubs[0].mail.values.joined().count == 25)
        // A second loss within a minute is found after it.
        world.hubs[0].wipe()
        world.hubs[0].forgetRequests()
        let later = (0..<3).map { _ in mail.far(mail.tag()) }
        for letter in later { world.write(letter) }
        world.pass(.seconds(1))
        #expect(world.hub().counters.lost == 1)
        world.pass(GatewayLimits.lossSpacing)
        #expect(world.hub().counters.lost == 2)
        #expect(world.hubs[0].mail.values.joined().count == 28)
        // The next examination ends the finding.
        world.pass(.seconds(2_000))
        #expect(world.hub().status(tags: 0).error == nil)
    }

    @Test("The life of an envelope ends in the queue")
    mutating func life() throws {
        var world = try EngineWorld()
        world.connect()
        let tag = mail.tag()
        world.write(mail.watch([tag]), from: LinkID(1))
        world.write(mail.far(tag, life: 2))
        let long = mail.far(tag, life: 10)
        world.write(long)
        world.pass(.seconds(31))
        #expect(world.published() == [EngineHashes.id(long)])
        let kept = world.hubs[0].mail[tag.subject]?.first.flatMap { Envelope(decoding: $0.body[...]) }
        #expect(kept?.life == 7)
    }
}
