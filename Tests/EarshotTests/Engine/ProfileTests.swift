import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Profiles")
struct ProfileTests {
    private static let fox = Profile(emoji: "🦊", colour: .teal)

    /// Encodes a text that states a profile.
    private static func text(_ emoji: String, _ colour: UInt64, revision: UInt64, order: UInt64) -> [UInt8] {
        let fields = ContentBytes.field(1, Array(emoji.utf8)) + ContentBytes.number(2, colour)
        let statement = ContentBytes.field(70, fields + ContentBytes.number(3, revision))
        return ContentBytes.text("hello", order: order, more: statement)
    }

    @Test("Emoji and colour reach whom the user talks to at once, outlive restarts, and go when they are taken away")
    func telling() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.send("hello", to: world[1].id)
        world.run(for: 5_000)
        try world.step(0) { try $0.setProfile(Self.fox) }
        world[1].forgetEvents()
        world.run(for: 5_000)
        #expect(try world.profileOfFirst() == Self.fox)
        #expect(world[1].profilesTold == [Self.fox])
        for index in [0, 1] { try world.restart(index) }
        world.run(for: 5_000)
        #expect(try world.profileOfFirst() == Self.fox && world[0].engine.contacts.profile == Self.fox)
        try world.step(0) { try $0.setProfile(Profile(colour: .pink)) }
        world.run(for: 5_000)
        #expect(try world.profileOfFirst() == Profile(colour: .pink))
        try world.step(0) { try $0.setProfile(Profile()) }
        world.run(for: 5_000)
        #expect(try world.profileOfFirst() == Profile())
        #expect(try world[0].isAtRest && world[1].isAtRest)
    }

    @Test("Who was away sees it beside the next message")
    func later() throws {
        let world = try EngineWorld()
        try world.step(0) { try $0.setProfile(Self.fox) }
        try world.friends()
        #expect(try world.profileOfFirst() == Profile())
        try world.send("hello", to: world[1].id)
        world.run(for: 5_000)
        #expect(try world.profileOfFirst() == Self.fox)
    }

    @Test(
        "The highest revision holds, whatever the order and however often it comes",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func order(seed: UInt64) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var random = SplitMix64(seed: seed)
        let emoji = ["🐻", "🦊", "🐸", "🐙"]
        for (order, index) in ([0, 1, 2, 3] + [0, 1, 2, 3]).shuffled(using: &random).enumerated() {
            let content = Self.text(emoji[index], 1, revision: UInt64(index + 1), order: UInt64(order + 1))
            try scene.bring(content, from: &bob)
        }
        #expect(try scene.profile(of: bob) == Profile(emoji: "🐙", colour: .red))
    }

    @Test(
        "Of what is not one emoji or not a colour nothing is taken, and the message is shown all the same",
        arguments: [
            "ab", "🦊🐻", " ", "1", "a\u{20E3}", "\u{202E}", "\u{200D}", "e\u{301}", "🦊\u{301}", "<b>", "©",
            "🦊" + String(repeating: "\u{200D}🦊", count: 20), "🦊\u{E0061}\u{202E}",
        ]
    )
    func refused(emoji: String) throws {
        #expect(!Emoji.isSingle(emoji))
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(Self.text(emoji, 3, revision: .max, order: 1), from: &bob)
        #expect(try scene.profile(of: bob) == Profile(colour: .yellow))
        #expect(try scene.texts(with: bob) == ["hello"])
        #expect(code { try scene.world.step(0) { try $0.setProfile(Profile(emoji: emoji)) } } == .badName)
    }

    @Test("What people know as one emoji is one", arguments: ["🦊", "❤️", "👍🏽", "🇵🇱", "1️⃣", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "☕"])
    func taken(emoji: String) throws {
        #expect(Emoji.isSingle(emoji))
    }

    @Test("A colour that only newer versions know is none", arguments: [0, 9, 1 << 32 - 1] as [UInt64])
    func colours(number: UInt64) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(Self.text("🦊", number, revision: 1, order: 1), from: &bob)
        #expect(try scene.profile(of: bob) == Profile(emoji: "🦊"))
    }

    @Test("Of strangers no labels are taken, nor of what says nothing of its revision")
    func unknownPeers() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.bring(Self.text("🦊", 1, revision: 1, order: 1), from: &eve)
        #expect(try scene.profile(of: eve) == Profile())
        try scene.decide(.accept, about: eve)
        #expect(try scene.profile(of: eve) == Profile())
        try scene.bring(Self.text("🦊", 1, revision: 0, order: 2), from: &eve)
        #expect(try scene.profile(of: eve) == Profile())
        try scene.bring(Self.text("🦊", 1, revision: 1, order: 3), from: &eve)
        #expect(try scene.profile(of: eve) == Profile(emoji: "🦊", colour: .red))
        try scene.decide(.block, about: eve)
        #expect(try scene.profile(of: eve) == Profile())
    }

    @Test("A label never keeps a message back: the longest text that stands in its content leaves with it as the first")
    func longest() throws {
        let world = try EngineWorld()
        let longest = Profile(emoji: "🏴󠁧󠁢󠁥󠁮󠁧󠁿", colour: .pink)
        try world.step(0) { try $0.setProfile(longest) }
        try world.step(1) { try $0.decide(.accept, about: world[0].id) }
        let text = String(repeating: "x", count: ChatLimits.textByteCount)
        try world.send(text, to: world[1].id)
        world.run(for: 5_000)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now) == [text])
        #expect(try world.profileOfFirst() == longest)
    }

    @Test("No more peers are told at once than the limit, those talked to last")
    func limit() throws {
        let scene = try ScriptedWorld()
        var friends: [ScriptedPeer] = []
        for number in 0..<(ChatLimits.profileNotifyCount + 3) {
            let friend = try scene.friend("F\(number)")
            try scene.world.send("hello", to: friend.id)
            scene.world.run(for: 10)
            friends.append(friend)
        }
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { try $0.setProfile(Self.fox) }
        let submitted = scene.world.takeSubmitted()
        #expect(submitted.count == ChatLimits.profileNotifyCount)
        let told = try friends.indices.filter { index in
            try !friends[index].contents(of: submitted, at: scene.now).isEmpty
        }
        #expect(told == Array(3..<friends.count))
    }

    @Test("A new nickname spreads with the next bundle and outlives a restart")
    func renaming() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.step(0) { try $0.rename(to: Nickname("Alicja")) }
        world.run(for: 5_000)
        #expect(try world.read(1) { $0.contacts(at: $0.step.time).map(\.name) } == ["Alicja"])
        try world.restart(0)
        #expect(world[0].engine.nickname == "Alicja")
    }
}

extension EngineWorld {
    fileprivate func read<Value>(_ index: Int, _ body: (ChatEngine) throws -> Value) throws -> Value {
        try self[index].read(at: now, body)
    }

    /// Returns the profile that the second node shows for the first.
    fileprivate func profileOfFirst() throws -> Profile? {
        try read(1) { engine in engine.contacts(at: engine.step.time).first?.profile }
    }
}

extension EngineNode {
    /// The profiles that events reported for contacts, each once.
    fileprivate var profilesTold: Set<Profile> {
        Set(
            events.compactMap { event in
                guard case .contact(let contact) = event else { return nil }
                return contact.profile
            }
        )
    }
}

extension ScriptedWorld {
    fileprivate func profile(of peer: ScriptedPeer) throws -> Profile? {
        try alice.read(at: now) { $0.contacts(at: $0.step.time) }.first { $0.id == peer.id }?.profile
    }
}
