import ChatCrypto
import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Testing

@testable import ChatCore

@Suite("Names of the user's own for contacts")
struct LocalNameTests {
    /// Returns the contact that the first node knows as the second.
    private static func second(_ world: EngineWorld) throws -> Contact {
        try #require(world[0].engine.contact(world[1].id, at: world.now))
    }

    @Test("A name of one's own is shown everywhere, outlives a restart, stays here, and goes when it is taken away")
    func naming() throws {
        let scene = try GroupScene()
        let bob = scene.world[1].id
        let group = try scene.create(with: [1, 2])
        try scene.world.send("hello", from: 1, to: scene.world[0].id)
        scene.world.run(for: 5_000)
        try scene.world.step(0) { try $0.setLocalName(Nickname("Mum"), of: bob) }
        scene.world.run(for: 20_000)
        for isRestarted in [false, true] {
            if isRestarted { try scene.world.restart(0) }
            let contact = try Self.second(scene.world)
            #expect(contact.name == "Mum" && contact.localName == "Mum" && contact.claimedName == "Bob")
            let direct = try scene.world[0].read(at: scene.world.now) { try $0.view(of: .direct(bob)) }
            #expect(direct?.title == "Mum" && direct?.last?.senderName == "Mum")
            #expect(try scene.view(group, of: 0).members.map(\.name) == ["Alice", "Mum", "Carol"])
            #expect(try scene.view(group, of: 2).members.map(\.name) == ["Alice", "Bob", "Carol"])
            #expect(scene.world[0].engine.contacts(at: scene.world.now).map(\.name) == ["Carol", "Mum"])
        }
        // The members of a later group learn the nickname too.
        let later = try scene.create("Later", with: [1, 2])
        #expect(try scene.view(later, of: 2).members.map(\.name) == ["Alice", "Bob", "Carol"])
        scene.world[0].forgetEvents()
        try scene.world.step(0) { try $0.setLocalName(nil, of: bob) }
        let contact = try Self.second(scene.world)
        #expect(contact.name == "Bob" && contact.localName == nil && contact.claimedName == "Bob")
        #expect(scene.world[0].events.contains(.contact(contact)))
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A mention has the name that the member chose, for a text is sent as it is")
    func mention() throws {
        let scene = try GroupScene()
        let bob = scene.world[1].id
        try scene.world.step(0) { try $0.setLocalName(Nickname("Mum"), of: bob) }
        try scene.world.send("@Mum @Bob", to: bob)
        scene.world.run(for: 5_000)
        let received = try scene.world[1].history(with: scene.world[0].id, at: scene.world.now)
        #expect(received.flatMap(\.mentions) == [Mention(bob, at: 5..<9)])
    }

    @Test("A name follows a contact to a new identity")
    func rotation() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.send("hello", to: world[1].id)
        world.run(for: 5_000)
        let old = world[1].id
        try world.step(0) { try $0.setLocalName(Nickname("Mum"), of: old) }
        try world.step(1) { _ = try $0.rotate() }
        world.run(for: 10_000)
        let new = try Self.second(world)
        #expect(new.id != old && new.name == "Mum" && new.claimedName == "Bob")
    }

    @Test("A new person with a name is accepted, one without stays new, and nobody else can have a name")
    func states() throws {
        let world = try EngineWorld(["Alice", "Bob", "Carol"])
        world.run(for: 10_000)
        let (bob, carol) = (world[1].id, world[2].id)
        try world.step(0) { try $0.setLocalName(nil, of: bob) }
        #expect(world[0].engine.trust.state(of: bob) == .unknown)
        try world.step(0) { try $0.setLocalName(Nickname("Mum"), of: bob) }
        #expect(world[0].engine.trust.state(of: bob) == .tofu)
        try world.step(0) { try $0.decide(.block, about: carol) }
        try world.step(0) { try $0.setLocalName(Nickname("Pest"), of: carol) }
        #expect(world[0].engine.trust.state(of: carol) == .blocked)
        #expect(world[0].engine.contact(carol, at: world.now)?.name == "Pest")
        for id in [world[0].id, Identity().publicIdentity.id] {
            #expect(refusal { try world.step(0) { try $0.setLocalName(Nickname("Me"), of: id) } } == .notFound)
        }
    }

    @Test("The library takes names like nicknames, finds people by them, and keeps them in exports of the user alone")
    func library() async throws {
        let mesh = VirtualMesh(.line(2), seed: 7)
        let (alice, bob) = (try await mesh.node("Alice", at: 0), try await mesh.node("Bob", at: 1))
        try await mesh.befriend(alice, bob)
        for name in ["", " ", String(repeating: "x", count: 33), "a\u{202E}b"] {
            let error = await #expect(throws: ChatError.self) {
                try await alice.contacts.setLocalName(name, of: bob.identity.id)
            }
            #expect(error?.code == .badName)
        }
        let named = try await alice.contacts.setLocalName("Mum", of: bob.identity.id)
        #expect(named.name == "Mum" && named.localName == "Mum" && named.claimedName == "Bob")
        #expect(try await alice.contacts.named("Mum").id == bob.identity.id)
        let error = await #expect(throws: ChatError.self) { try await alice.contacts.named("Bob") }
        #expect(error?.code == .notFound)
        try await alice.conversation(.direct(bob.identity.id)).send("hello")
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "a.earshot")
        try await alice.history.export(to: file, ExportOptions(passphrase: "correct horse"))
        let backup = try await alice.identity.backUp(passphrase: "horse")
        let home = Home.directory(folder.appending(path: "home"))
        let again = try await ChatNode.restore(backup, passphrase: "horse", in: home)
        let other = try await ChatNode.create(name: "Eve")
        for node in [again, other] {
            _ = try await node.history.importArchive(from: file, passphrase: "correct horse")
        }
        let (own, foreign) = (try await again.contacts[bob.identity.id], try await other.contacts[bob.identity.id])
        #expect([own?.name, own?.localName, own?.claimedName] == ["Mum", "Mum", "Bob"] && own?.trust == .tofu)
        #expect([foreign?.name, foreign?.localName] == ["Bob", nil] && foreign?.trust == .unknown)
        for node in [alice, bob, again, other] { await node.stop() }
    }
}
