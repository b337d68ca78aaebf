import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import SwiftProtobuf
import Testing

@testable import ChatCore

@Suite("Contacts learn at which hubs people read mail")
struct HubStatementTests {
    private static let first = "tls://hub.example.org"
    private static let second = "tls://b.example.org:4223"

    /// Encodes a list of hubs.
    private static func list(_ addresses: [String], revision: UInt64?) -> [UInt8] {
        addresses.flatMap { ContentBytes.field(1, Array($0.utf8)) }
            + (revision.map { ContentBytes.number(2, $0) } ?? [])
    }

    /// Encodes a text that states hubs.
    private static func text(_ addresses: [String], revision: UInt64?, order: UInt64) -> [UInt8] {
        ContentBytes.text("hello", order: order, more: ContentBytes.field(66, list(addresses, revision: revision)))
    }

    /// Returns the lists of hubs in contents; nil stands for a content without one.
    private static func lists(in contents: [[UInt8]]) throws -> [[String]?] {
        try contents.map { bytes in
            let content = try ProtoContent(serializedBytes: bytes)
            return content.farHubs.isEmpty ? nil : try ProtoFarHubs(serializedBytes: content.farHubs).addresses
        }
    }

    // MARK: - Stating

    @Test("A contact learns the list until it has confirmed a content with it, again after a change, and its end")
    func once() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        /// Has Alice write to Bob; returns the list of hubs in the message.
        func say(isConfirmed: Bool = true) throws -> [String]? {
            let id = try #require(try scene.world.send("hello", to: bob.id))
            scene.world.run(for: 1_000)
            let lists = try Self.lists(in: bob.contents(of: scene.world.takeSubmitted(), at: scene.now))
            if isConfirmed { try scene.world.receive(bob.confirm([id], to: scene.engine, at: scene.now)) }
            try #require(lists.count == 1)
            return lists[0]
        }
        #expect(try say() == nil)
        try scene.world.step(0) { $0.setHubs([Self.first]) }
        scene.world.run(for: 60_000)
        #expect(try bob.contents(of: scene.world.takeSubmitted(), at: scene.now).isEmpty)
        #expect(try say(isConfirmed: false) == [Self.first])
        #expect(try say() == [Self.first])
        #expect(try say() == nil)
        try scene.world.step(0) { $0.setHubs([Self.first]) }
        #expect(try say() == nil)
        try scene.world.step(0) { $0.setHubs([Self.first, Self.second]) }
        #expect(try say() == [Self.first, Self.second])
        #expect(try say() == nil)
        try scene.world.step(0) { $0.setHubs([]) }
        #expect(try say() == [])
        #expect(try say() == nil)
    }

    @Test("The confirmation of an earlier content does not count for a later list")
    func late() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.world.step(0) { $0.setHubs([Self.first]) }
        let id = try #require(try scene.world.send("one", to: bob.id))
        scene.world.run(for: 1_000)
        _ = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        try scene.world.step(0) { $0.setHubs([Self.second]) }
        try scene.world.receive(bob.confirm([id], to: scene.engine, at: scene.now))
        try scene.world.send("two", to: bob.id)
        scene.world.run(for: 1_000)
        let contents = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        #expect(try Self.lists(in: contents) == [[Self.second]])
    }

    @Test("An unknown peer learns nothing, not even by an answer")
    func unknownPeers() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.world.step(0) { $0.setHubs([Self.first]) }
        var options = MessageOptions()
        options.acceptsStranger = false
        try scene.world.step(0) { [options] in _ = try $0.send("hello", options, to: .direct(eve.id)) }
        scene.world.run(for: 1_000)
        #expect(scene.trust(in: eve) == .unknown)
        #expect(try Self.lists(in: eve.contents(of: scene.world.takeSubmitted(), at: scene.now)) == [nil])
    }

    @Test("Both sides keep the list over a restart, a receipt takes it along, and an event reports it")
    func restart() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.step(1) { $0.setHubs([Self.second]) }
        world[0].forgetEvents()
        try world.send("hello", to: world[1].id)
        world.run(for: 5_000)
        #expect(try world.hubs(of: 1, at: 0) == [Self.second])
        #expect(world[0].reportedHubs == [[Self.second]])
        for index in [0, 1] { try world.restart(index) }
        world.run(for: 5_000)
        #expect(try world.hubs(of: 1, at: 0) == [Self.second])
        try world.step(1) { $0.setHubs([Self.second]) }
        #expect(!world[1].engine.contacts.lacksHubs(world[0].id))
        let id = try #require(try world.send("hello", from: 1, to: world[0].id))
        #expect(try world.content(id, of: 1).farHubs.isEmpty)
        try world.step(1) { $0.setHubs([]) }
        try world.send("bye", from: 1, to: world[0].id)
        world.run(for: 5_000)
        #expect(try world.hubs(of: 1, at: 0) == [])
        #expect(try world[0].isAtRest && world[1].isAtRest)
    }

    @Test("Without a hub nothing changes in what is sent")
    func none() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.step(0) { $0.setHubs([]) }
        let id = try #require(try world.send("hello", to: world[1].id))
        #expect(try world.content(id, of: 0).farHubs.isEmpty)
        #expect(world[0].engine.contacts.nodeRecord.hasHubs == false)
    }

    @Test("Neither a message to a group nor the receipts of its members tell it")
    func groups() throws {
        let scene = try GroupScene()
        for index in 0...1 { try scene.world.step(index) { $0.setHubs([Self.first]) } }
        for node in 0...1 { try scene.world.step(node) { $0.sendsReadReceipts = true } }
        let group = try scene.create(with: [1, 2])
        for index in 0...1 {
            let id = try scene.say("hello", by: index, in: group)
            #expect(try scene.world.content(id, of: index).farHubs.isEmpty)
            scene.world.run(for: 5_000)
            try scene.world.step(1 - index) { try $0.markRead(.group(group)) }
        }
        scene.world.run(for: 20_000)
        #expect(try scene.world.hubs(of: 1, at: 0) == [] && scene.world.hubs(of: 0, at: 1) == [])
        try scene.world.send("hello", to: scene.world[1].id)
        scene.world.run(for: 5_000)
        #expect(try scene.world.hubs(of: 0, at: 1) == [Self.first])
        #expect(try scene.world.hubs(of: 0, at: 2) == [])
    }

    @Test("A contact that follows the user to a new identity learns the list anew")
    func rotation() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.step(0) { $0.setHubs([Self.first]) }
        try world.send("hello", to: world[1].id)
        world.run(for: 5_000)
        #expect(try world.hubs(of: 0, at: 1) == [Self.first])
        try world.step(0) { _ = try $0.rotate() }
        world.run(for: 30_000)
        try world.send("hello again", to: world[1].id)
        world.run(for: 5_000)
        #expect(try world.hubs(of: 0, at: 1) == [Self.first])
    }

    @Test("Of the own hubs four count, and what is no address of a hub is left out")
    func own() throws {
        let scene = try ScriptedWorld()
        let long = "tls://\(String(repeating: "a", count: 123)).org"
        let hubs = (1...5).map { "tls://hub\($0).example.org" }
        try scene.world.step(0) { $0.setHubs(["tls://me:secret@hub.example.org", long] + hubs) }
        #expect(scene.engine.contacts.ownHubs.hubs.map(\.text) == Array(hubs.prefix(4)))
    }

    // MARK: - Reading

    @Test("The list with the highest revision holds, whatever the order")
    func order() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(Self.text([Self.second], revision: 7, order: 1), from: &bob)
        #expect(try scene.hubs(of: bob) == [Self.second])
        try scene.bring(Self.text([Self.first], revision: 6, order: 2), from: &bob)
        #expect(try scene.hubs(of: bob) == [Self.second])
        try scene.bring(Self.text([], revision: 8, order: 3), from: &bob)
        #expect(try scene.hubs(of: bob) == [])
    }

    @Test("That of an unknown peer is not kept, and read from its request once the user accepts")
    func request() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.bring(Self.text([Self.first], revision: 1, order: 1), from: &eve)
        try scene.bring(Self.text([Self.second], revision: 2, order: 2), from: &eve)
        #expect(try scene.hubs(of: eve) == [])
        #expect(scene.engine.peers[eve.id]?.hubs == HubStatement())
        try scene.decide(.accept, about: eve)
        #expect(try scene.hubs(of: eve) == [Self.second])
        try scene.decide(.block, about: eve)
        #expect(try scene.hubs(of: eve) == [])
    }

    @Test("A malformed list is none: the known one stays, and the message is shown", arguments: Malformed.all)
    func malformed(list: Malformed) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(Self.text([Self.second], revision: 1, order: 1), from: &bob)
        try scene.bring(ContentBytes.text("then", order: 2, more: list.field), from: &bob)
        #expect(try scene.hubs(of: bob) == [Self.second])
        #expect(try scene.texts(with: bob) == ["hello", "then"])
    }

    @Test(
        "Addresses of hubs are taken as they are",
        arguments: [
            "tls://hub.example.org", "nats://10.0.0.5", "tls://hub_1.example.org:1", "nats://[fd00::1]:65535",
            "tls://\(String(repeating: "a", count: 118)).org",
        ]
    )
    func taken(address: String) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(Self.text([address, Self.first], revision: 1, order: 1), from: &bob)
        #expect(try scene.hubs(of: bob) == [address, Self.first])
    }

    /// A field that is no list of hubs.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: [UInt8]

        private init(_ name: String, _ field: [UInt8]) { (testDescription, self.field) = (name, field) }

        private init(_ address: String) {
            self.init(address, ContentBytes.field(66, list([first, address], revision: 2)))
        }

        static let all =
            [
                Malformed("five hubs", ContentBytes.field(66, list((0...4).map { "tls://h\($0)" }, revision: 2))),
                Malformed("no revision", ContentBytes.field(66, list([first], revision: nil))),
                Malformed("revision 0", ContentBytes.field(66, list([first], revision: 0))),
                Malformed("a number", ContentBytes.number(66, 2)),
                Malformed("no message", ContentBytes.field(66, [0xFF, 0xFF, 0xFF])),
                Malformed("cut off", ContentBytes.field(66, list([first], revision: 2).dropLast())),
                Malformed("no UTF-8", ContentBytes.field(66, ContentBytes.field(1, [0xC3, 0x28]) + [0x10, 2])),
                Malformed("10,000 bytes", ContentBytes.field(66, [UInt8](repeating: 0x0A, count: 10_000))),
            ]
            + [
                "", "tls://", "hub.example.org", "https://hub.example.org", "tls://me@hub.example.org",
                "tls://me:secret@hub.example.org", "tls://hub.example.org/", "tls://hub.example.org?x",
                "tls://hub.example.org#x", "tls://Hub.example.org", "TLS://hub.example.org", "tls://hub example.org",
                "tls://hub.example.org:", "tls://hub.example.org:0", "tls://hub.example.org:04222",
                "tls://hub.example.org:65536", "tls://hub.example.org:4222222", "tls://hub.example.org:4222x",
                "tls://hub.example.org:+422", "tls://hub.example.org.", "tls://h\u{F6}b.example.org", "tls://%68ub.org",
                "tls://[fd00::1", "tls://[]", "tls://[fd00::1]x", "tls://[hub]", "tls://hub\u{202E}", "tls://hub;halt",
                "tls://\(String(repeating: "a", count: 119)).org",
            ].map { Malformed($0) }
    }
}

extension EngineWorld {
    /// Returns the hubs that a node shows for another.
    fileprivate func hubs(of peer: Int, at index: Int) throws -> [String]? {
        try self[index].read(at: now) { engine in
            engine.contacts(at: engine.step.time).first { $0.id == self[peer].id }?.hubs
        }
    }

    /// Returns the content of a node's own message.
    fileprivate func content(_ id: MessageID, of index: Int) throws -> ProtoContent {
        let record = try self[index].read(at: now) { engine in
            try engine.step.message(.messages, id.bytes, as: ProtoMessageRecord.self)
        }
        return try ProtoContent(serializedBytes: #require(record).content)
    }
}

extension ScriptedWorld {
    fileprivate func hubs(of peer: ScriptedPeer) throws -> [String]? {
        try alice.read(at: now) { $0.contacts(at: $0.step.time) }.first { $0.id == peer.id }?.hubs
    }
}

extension EngineNode {
    /// The lists of hubs that events reported for contacts, each once.
    fileprivate var reportedHubs: Set<[String]> {
        Set(
            events.compactMap { event in
                guard case .contact(let contact) = event else { return nil }
                return contact.hubs
            }
        )
    }
}
