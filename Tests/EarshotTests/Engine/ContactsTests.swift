import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Contacts")
struct ContactsTests {
    private static let now = ChatTime(wall: 1_750_000_000_000, monotonic: .zero)

    private static func contacts(of name: String) throws -> Contacts {
        var contacts = try Contacts(making: Identity(), named: Nickname(name), at: now.seconds)
        #expect(contacts.takeWrites().count == 3)
        return contacts
    }

    /// Returns the contacts of Alice and those of Bob.
    ///
    /// Alice has seen and accepted Bob.
    private static func friends() throws -> (alice: Contacts, bob: Contacts) {
        var alice = try contacts(of: "Alice")
        let bob = try contacts(of: "Bob")
        let bundle = bob.history.sessions.bundle
        _ = alice.discover(bundle.identity, bundle, at: now.wall) { _ in false }
        alice.see(bundle, at: now.seconds)
        #expect(alice.takeEffects() == [.trust(.newPeer(bob.ownID)), .changed(bob.ownID)])
        try alice.decide(.accept, about: bob.ownID, at: now.seconds)
        return (alice, bob)
    }

    @Test("An accepted peer is written and let in, a revoked one is refused and put out, each told once and in order")
    func decisions() throws {
        var (alice, bob) = try Self.friends()
        #expect(alice.isAccepted(bob.ownID))
        #expect(alice.takeEffects() == [.accepted(bob.ownID), .changed(bob.ownID)])
        #expect(alice.takeEffects().isEmpty)
        #expect(alice.takeWrites().contains { if case .trust(bob.ownID, .some) = $0 { true } else { false } })
        let statement = IdentityStatement.revocation(bob.history.revocationCertificate.bytes)
        alice.take(statement, from: bob.ownID, at: Self.now.seconds)
        #expect(
            alice.takeEffects() == [
                .trust(.revoked(bob.ownID)), .refused(bob.ownID), .changed(bob.ownID), .revoked(bob.ownID),
            ]
        )
        alice.take(.revocation([1]), from: bob.ownID, at: Self.now.seconds)
        #expect(alice.ignored == [.malformed: 1] && alice.takeEffects().isEmpty)
    }

    @Test("After a rotation the old identity still opens, contacts are to be told by it, and it goes with its keys")
    func rotation() throws {
        var (alice, bob) = try Self.friends()
        let bundle = alice.history.sessions.bundle
        _ = bob.discover(bundle.identity, bundle, at: Self.now.wall) { _ in false }
        let sealed = bob.seal([[1]], as: .sealed, of: 0, to: bundle.identity, at: Self.now.seconds)
        let message = try #require(sealed)
        let (old, new) = (alice.ownID, Identity())
        _ = (alice.takeEffects(), alice.takeWrites())

        try alice.rotate(to: new, at: Self.now)
        #expect(alice.ownID == new.publicIdentity.id && alice.trust.isOwn(old) && alice.history.generation == 1)
        #expect(alice.takeEffects() == [.trust(.rotated(old, to: alice.ownID)), .announce, .publishBundle])
        #expect(alice.peersToNotify == [bob.ownID])
        #expect(alice.history.announcements.map(\.generation) == [0])
        let packet = InboundPacket(kind: message.kind, body: message.body)
        let result = alice.history.open(packet, at: Self.now.seconds, isKnown: { _ in true }, mayDecapsulate: { true })
        let opened = try #require(result)
        #expect(opened.generation == 0)
        let isTaken = (0..<2).map { _ in alice.history.commit(opened.opened, of: 0, sentAt: nil) }
        #expect(isTaken == [true, false])

        alice.destroy(0)
        #expect(alice.takeEffects() == [.over(0)])
        #expect(alice.history.formerCount == 0 && alice.history.announcements.isEmpty)
        #expect(alice.takeWrites().contains { if case .formerGone(0) = $0 { true } else { false } })
    }

    @Test("A peer who was last seen at a time that lies ahead, since the clock was set back, does not count as near")
    func clockSetBack() {
        var peers = KnownPeers()
        let person = Identity().publicIdentity
        let (seen, age) = (UInt64(10_000_000), ChatLimits.reachableAge)
        _ = peers.discover(person, nil, at: seen)
        for (wall, isReachable) in [(seen, true), (seen + age, false), (seen - age, true), (seen - age - 1, false)] {
            #expect(peers.isReachable(person.id, at: wall) == isReachable, "\(wall)")
        }
    }

    @Test("A full table forgets the stranger unseen for longest, and nobody the user has a conversation with")
    func fullTable() throws {
        var peers = KnownPeers()
        let people = (0..<ChatLimits.bundleCount).map { _ in Identity().publicIdentity }
        for (number, person) in people.enumerated() {
            let forgotten = peers.makeRoom(for: person.id) { _ in true }
            let isChange = peers.discover(person, nil, at: UInt64(10_000 + number))
            #expect(forgotten == nil && isChange)
        }
        let newMember = Identity().publicIdentity.id
        let forgotten = [
            peers.makeRoom(for: people[0].id) { _ in true },
            peers.makeRoom(for: newMember) { _ in false },
            peers.makeRoom(for: newMember) { $0 != people[0].id },
        ]
        #expect(forgotten == [nil, nil, people[1].id])
        #expect(peers[people[1].id] == nil && peers[people[0].id]?.lastSeen == 10_000)
    }
}
