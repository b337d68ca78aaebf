import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("History for newcomers against who does not play fair")
struct HistoryFraudTests {
    /// A group that Mallory owns, with Bob.
    ///
    /// Dave joins, and has asked Mallory.
    private struct Scene {
        let scene: GroupScene
        let group: GroupID
        /// The message that Bob wrote before Dave joined.
        let old: MessageID
        let mallory = 0
        let bob = 1
        let carol = 2
        let dave = 3

        init() throws {
            scene = try GroupScene(["Mallory", "Bob", "Carol", "Dave"])
            group = try scene.create(with: [1], history: .all)
            old = try scene.say("old", by: 1, in: group)
            scene.world.run(for: 5_000)
            try scene.add(3, to: group)
        }

        func id(_ index: Int) -> PeerID { scene.world[index].id }

        /// The texts that Dave's node shows.
        var texts: [String] { get throws { try scene.texts(group, of: dave) } }

        var refusedCount: UInt64 { scene.world[dave].engine.earlier.refusedCount }

        /// Sends Dave records that Dave has not asked for.
        func notify(_ records: HistoryRecord..., by index: Int = 0) throws {
            try scene.notify(records, from: index, to: dave, in: group)
        }
    }

    @Test("What is made up is shown as what it is: on the word of who made it up, and of nobody else")
    func forgery() throws {
        let play = try Scene()
        try play.notify(play.scene.claim("made up", by: play.id(play.bob)))
        let made = try #require(try play.scene.messages(play.group, of: play.dave).first { $0.text == "made up" })
        #expect(made.sender == play.id(play.bob) && made.attestedBy.map(\.name) == ["Mallory"] && !made.isOutgoing)
        // Bob has never written it. Dave's change to it does not create the message at other members.
        try play.scene.world.step(play.dave) { try $0.react("👍", to: made.id) }
        play.scene.world.run(for: 5_000)
        #expect(try play.scene.texts(play.group, of: play.bob) == ["old"])
    }

    @Test("Nobody can put words into the newcomer's own mouth, or into that of somebody who is not there")
    func authors() throws {
        let play = try Scene()
        let (dave, carol) = (play.id(play.dave), play.id(play.carol))
        try play.notify(play.scene.claim("I, Dave", by: dave), play.scene.claim("by Carol", by: carol))
        let reactions = [dave, carol].map { play.scene.claim(.react("👍", isOn: true, number: 1), of: play.old, by: $0) }
        try play.notify(reactions[0], reactions[1])
        #expect(try play.texts == ["old"])
        #expect(
            try play.scene.messages(play.group, of: play.dave).allSatisfy { $0.reactions.isEmpty && !$0.isOutgoing }
        )
        #expect(play.refusedCount == 4)
        try play.scene.world.step(play.dave) { try $0.decide(.block, about: play.id(play.bob)) }
        try play.notify(play.scene.claim("by Bob", by: play.id(play.bob)))
        #expect(try play.texts == ["old"] && play.refusedCount == 5)
    }

    @Test("What could not be a message, or is to go, is not taken")
    func contents() throws {
        let play = try Scene()
        let bob = play.id(play.bob)
        let time = play.scene.world.now
        let long = MessageContent.Decoded(
            .text(.init(String(repeating: "x", count: ChatLimits.textByteCount + 1))),
            sentAt: 1,
            order: 1
        )
        let contents = [
            [1, 2, 3], MessageContent.receipt(.init(delivered: [play.old]), salt: [], at: time),
            MessageContent.control(.leave(play.group), at: time), MessageContent.message(long, salt: []),
            MessageContent.message(.init(.timer(60, number: 1), sentAt: 1, order: 1), salt: []),
            MessageContent.change(of: play.old, .delete, salt: [], at: time),
        ]
        for content in contents { try play.notify(HistoryRecord(author: bob, content: content)) }
        try play.notify(play.scene.claim("gone soon", by: bob, seconds: 60))
        #expect(try play.texts == ["old"] && play.refusedCount == 7)
    }

    @Test("A message vouched for with a time beyond the year 9999 is not taken, and any other is shown and searched")
    func times() throws {
        let play = try Scene()
        let bob = play.id(play.bob)
        for number in ExtremeNumbers.all {
            try play.notify(
                HistoryRecord(author: bob, content: ContentBytes.text("\(number)", order: 1, sentAt: number))
            )
        }
        try play.scene.world[play.dave].showAll(at: play.scene.world.now)
        let taken = ExtremeNumbers.all.filter { $0 <= 253_402_300_799_999 }
        #expect(Set(try play.texts) == Set(taken.map(String.init) + ["old"]))
    }

    @Test("Who vouches can say what became of a message only within the rules, and only of what it vouches for itself")
    func changes() throws {
        let play = try Scene()
        let (scene, bob, mallory) = (play.scene, play.id(play.bob), play.id(play.mallory))
        let before = try scene.shown(play.group, of: play.dave)
        let claims: [HistoryRecord] = [
            scene.claim(.edit("by Mallory", mentions: [], number: 1), of: play.old, by: mallory),
            scene.claim(.delete, of: play.old, by: mallory),
            scene.claim(.vote(1, number: 1), of: play.old, by: bob),
            scene.claim(.close(counting: []), of: play.old, by: bob),
            scene.claim(.react("no emoji", isOn: true, number: 1), of: play.old, by: bob),
            scene.claim(.edit("x", mentions: [], number: 0), of: play.old, by: bob),
            scene.claim(.edit("x", mentions: [], number: 1), of: Numbered.message(5), by: bob),
        ]
        for claim in claims { try play.notify(claim) }
        #expect(try scene.shown(play.group, of: play.dave) == before)
        #expect(play.refusedCount == UInt64(claims.count))
        // Dave has not asked Bob. Bob can add no records, and cannot change messages that Mallory attests.
        try play.notify(scene.claim("by Bob", by: bob), by: play.bob)
        try play.notify(scene.claim(.edit("by Bob", mentions: [], number: 1), of: play.old, by: bob), by: play.bob)
        #expect(try scene.shown(play.group, of: play.dave) == before)
        try play.notify(scene.claim(.edit("edited", mentions: [], number: 7), of: play.old, by: bob))
        #expect(try play.texts == ["edited"])
    }

    @Test("An author's own word stands above what others say, whichever comes first")
    func ownWord() throws {
        let play = try Scene()
        let (scene, world, bob) = (play.scene, play.scene.world, play.id(play.bob))
        try play.notify(
            scene.claim(.edit("lie", mentions: [], number: 4_000_000_000), of: play.old, by: bob),
            scene.claim(.react("👎", isOn: true, number: 4_000_000_000), of: play.old, by: bob, id: Numbered.message(8))
        )
        #expect(try play.texts == ["lie"])
        try world.step(play.bob) { try $0.edit(play.old, to: "true") }
        try world.step(play.bob) { try $0.react("👍", to: play.old) }
        world.run(for: 5_000)
        let seen = try #require(try scene.messages(play.group, of: play.dave).first)
        #expect(seen.text == "true" && seen.earlierTexts.map(\.text) == ["old"])
        #expect(seen.reactions == [Reaction(emoji: "👍", members: [bob])])

        // Records do not change a message that Dave has opened himself.
        let own = try scene.say("mine", by: play.bob, in: play.group)
        world.run(for: 5_000)
        try play.notify(
            scene.claim(.edit("lie", mentions: [], number: 9), of: own, by: bob),
            scene.claim(.delete, of: own, by: bob)
        )
        let opened = try #require(try scene.messages(play.group, of: play.dave).first { $0.id == own })
        #expect(opened.text == "mine" && opened.attestedBy.isEmpty && !opened.isDeleted)
    }

    @Test("What was vouched for and then comes by itself is the author's own from then on, once and in its place")
    func original() throws {
        let play = try Scene()
        let (scene, world) = (play.scene, play.scene.world)
        world.deaf = [play.dave]
        let id = try scene.say("original", by: play.bob, in: play.group)
        world.run(for: 5_000)
        let record = try scene.record(of: id, at: play.mallory)
        world.deaf = []
        try play.notify(
            record,
            scene.claim(.edit("lie", mentions: [], number: 9), of: id, by: play.id(play.bob))
        )
        #expect(try play.texts == ["old", "lie"])
        world.run(for: 5_000)
        try world.restart(play.dave)
        world.run(for: 10_000)
        #expect(try play.texts == ["old", "original"])
        #expect(try scene.attesters(play.group, of: play.dave).map(\.count) == [1, 0])
        #expect(try scene.messages(play.group, of: play.dave).last?.earlierTexts == [])
        // The same record once more changes nothing.
        try play.notify(record)
        #expect(try scene.attesters(play.group, of: play.dave).map(\.count) == [1, 0])
        world.run(for: 60_000)
        #expect(try scene.deliveries(of: id, at: play.bob)[play.id(play.dave)] == .delivered)
    }

    @Test("Who takes its word back takes the message with it, and nothing stays of it")
    func takenBack() throws {
        let play = try Scene()
        try play.notify(play.scene.claim(.delete, of: play.old, by: play.id(play.bob)))
        #expect(try play.texts.isEmpty)
        #expect(try play.scene.world[play.dave].stored(.messages, play.old.bytes) == nil)
        let events = play.scene.world[play.dave].events
        #expect(events.contains(.removed(.group(play.group), play.old)))
    }

    @Test("Pages that go back on themselves end the asking, and somebody else is asked")
    func circles() throws {
        let scene = try GroupScene(["Mallory", "Bob", "Carol"])
        let group = try scene.create(with: [1], history: .all)
        try scene.say("old", by: 1, in: group)
        scene.world.run(for: 5_000)
        scene.world.deaf = [0]
        try scene.add(2, to: group, for: 5_000)
        let (mallory, bob) = (scene.world[0].id, scene.world[1].id)
        #expect(scene.pull(group, of: 2)?.attester == mallory)
        let circle = HistoryPage(from: .newest, next: .newest, records: [scene.claim("made up", by: bob)])
        try scene.notify(.page(circle), from: 0, to: 2, in: group)
        scene.world.run(for: 10_000)
        #expect(scene.pull(group, of: 2)?.asked[mallory]?.isBarred == true)
        #expect(try scene.texts(group, of: 2) == ["old"])
        #expect(try scene.attesters(group, of: 2) == [[bob]])
        // A barred member stays barred.
        try scene.notify([scene.claim("made up", by: bob)], from: 0, to: 2, in: group)
        #expect(try scene.texts(group, of: 2) == ["old"] && scene.pull(group, of: 2)?.isOver == true)
    }

    @Test("Who tells without end is listened to no longer than the limit, over restarts too")
    func endless() throws {
        let play = try Scene()
        let begun = try #require(play.scene.pull(play.group, of: play.dave)).pageCount
        let world = play.scene.world
        let page = HistoryPage(from: nil, next: nil, records: [])
        for _ in begun..<EarlierMessageLimits.pageCount {
            try world.step(play.dave) { engine in
                try engine.take(page, of: play.group, from: play.id(play.mallory))
            }
        }
        try world.restart(play.dave)
        #expect(play.scene.pull(play.group, of: play.dave)?.pageCount == EarlierMessageLimits.pageCount)
        try play.notify(play.scene.claim("one more", by: play.id(play.bob)))
        #expect(try play.texts == ["old"])
    }
}
