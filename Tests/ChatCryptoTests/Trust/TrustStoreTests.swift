import Bytes
import Testing

@testable import ChatCrypto

@Suite("Trust book")
struct TrustStoreTests {
    @Test("A new identity is announced once, and oneself never")
    func newPeer() throws {
        var kept = KeptBook()
        let bob = Identity()
        #expect(try kept.see(bob, as: "bob") == [.newPeer(bob.id)])
        #expect(try kept.see(bob, as: "bob") == [])
        #expect(try kept.see(kept.owner, as: "me") == [])
        #expect(!kept.recordStore.maySend(to: kept.owner.id) && !kept.recordStore.mayReceive(from: kept.owner.id))
    }

    @Test("A second identity with a contact's name stops the contact, and the event names both")
    func impostor() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        #expect(
            try kept.see(mallory, as: "bob") == [.newPeer(mallory.id), .changed(bob.id, claimant: mallory.id)]
        )
        #expect(!kept.recordStore.maySend(to: bob.id))
    }

    @Test("Whom an export tells of is known as at first use, or blocked; whoever is known stays as is")
    func adopted() throws {
        var kept = KeptBook()
        let (bob, eve, name) = (Identity(), Identity(), try Nickname("bob"))
        try kept.update {
            $0.adopt(bob.publicIdentity, named: name, isBlocked: false, ofOwnExport: true, at: KeptBook.now)
        }
        try kept.update {
            $0.adopt(eve.publicIdentity, named: nil, isBlocked: true, ofOwnExport: true, at: KeptBook.now)
        }
        try kept.restart()
        #expect(kept.recordStore.state(of: bob.id) == .tofu && kept.recordStore[bob.id]?.name == name)
        #expect(kept.recordStore.state(of: eve.id) == .blocked)
        let number = kept.number(with: bob)
        try kept.update { try $0.verify(bob.id, typed: number, at: KeptBook.now) }
        try kept.update {
            $0.adopt(bob.publicIdentity, named: name, isBlocked: true, ofOwnExport: true, at: KeptBook.now)
        }
        #expect(kept.recordStore.state(of: bob.id) == .verified)
    }

    @Test("Whom a file of somebody else's tells of stays unknown, and so does a claimant of any file")
    func adoptedStrangers() throws {
        var kept = KeptBook()
        let (bob, eve, mallory, name) = (Identity(), Identity(), Identity(), try Nickname("bob"))
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        try kept.update {
            $0.adopt(
                eve.publicIdentity,
                named: try Nickname("Eve"),
                isBlocked: false,
                ofOwnExport: false,
                at: KeptBook.now
            )
        }
        for isOwn in [false, true] {
            try kept.update {
                $0.adopt(mallory.publicIdentity, named: name, isBlocked: false, ofOwnExport: isOwn, at: KeptBook.now)
            }
        }
        try kept.restart()
        #expect(kept.recordStore.state(of: mallory.id) == .unknown && kept.recordStore.state(of: eve.id) == .unknown)
        #expect(kept.recordStore.state(of: bob.id) == .tofu && kept.recordStore[eve.id]?.name?.text == "Eve")
        try kept.update { try $0.pin(eve.id) }
        #expect(kept.recordStore.state(of: eve.id) == .tofu)
    }

    @Test("Pins outlive a restart: the impostor who comes after it is seen as one")
    func impostorAfterRestart() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        let number = kept.number(with: bob)
        try kept.update { try $0.verify(bob.id, typed: number, at: KeptBook.now) }
        try kept.restart()
        #expect(kept.recordStore.state(of: bob.id) == .verified)
        #expect(try kept.see(mallory, as: "bob").contains(.changed(bob.id, claimant: mallory.id)))
        try kept.restart()
        #expect(kept.recordStore.state(of: bob.id) == .changed)
    }

    @Test("A claimant stops a contact once; after the user decided it does so no more, another one does")
    func claimantSettled() throws {
        var kept = KeptBook()
        let (bob, sam, mallory) = (Identity(), Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        _ = try kept.see(sam, as: "bob")
        try kept.update { try $0.accept(bob.id, at: KeptBook.now) }
        try kept.restart()
        #expect(try kept.see(sam, as: "bob") == [.newPeer(sam.id)])
        _ = try kept.see(sam, as: "sam")
        #expect(try kept.see(sam, as: "bob") == [])
        #expect(kept.recordStore.state(of: bob.id) == .tofu)
        #expect(try kept.see(mallory, as: "bob").contains(.changed(bob.id, claimant: mallory.id)))
        let number = kept.number(with: bob)
        #expect(try kept.update { try $0.verify(bob.id, typed: number, at: KeptBook.now) } == [.verified(bob.id)])
        _ = try kept.see(mallory, as: "x")
        #expect(try kept.see(mallory, as: "bob") == [])
        #expect(kept.recordStore.state(of: bob.id) == .verified)
    }

    @Test("The user's own name for a contact is protected as well")
    func petname() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        let uncle = try Nickname("Uncle Bob")
        try kept.update { try $0.name(bob.id, uncle) }
        #expect(kept.recordStore[bob.id]?.name == uncle && kept.recordStore.state(of: bob.id) == .tofu)
        #expect(try kept.see(mallory, as: "Uncle Bob").contains(.changed(bob.id, claimant: mallory.id)))
    }

    @Test(
        "A stranger who is called like a contact is shown as another, by whatever it differs",
        arguments: ["Bob", "b0b", "bоb", "b\u{332}ob", "b o b", "bob\u{2003}", "bob\u{301}\u{336}"]
    )
    func lookAlike(name: String) throws {
        var kept = KeptBook()
        let (bob, other) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        #expect(try kept.see(other, as: name) == [.newPeer(other.id), .changed(bob.id, claimant: other.id)])
        #expect(kept.recordStore.state(of: bob.id) == .changed && kept.recordStore[bob.id]?.claimants == [other.id])
    }

    @Test("Pinning one of two strangers with one name tells of the other")
    func pinAmongNamesakes() throws {
        var kept = KeptBook()
        let (bob, other) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        #expect(try kept.see(other, as: "bob") == [.newPeer(other.id)])
        #expect(try kept.update { try $0.pin(bob.id) } == [.nameCollision(bob.id, claimant: other.id)])
    }

    @Test("Looking up a name finds pinned contacts before strangers, whatever the case")
    func lookUp() throws {
        var kept = KeptBook()
        let people = [Identity(), Identity(), Identity()]
        for person in people { _ = try kept.see(person, as: "bob") }
        try kept.update { try $0.pin(people[2].id) }
        let unknownPeers = [people[0].id, people[1].id].sorted()
        #expect(kept.recordStore.peers(named: "BOB").map(\.identity.id) == [people[2].id] + unknownPeers)
        #expect(kept.recordStore.peers(named: "bobby").isEmpty)
        #expect(kept.recordStore.all.map(\.identity.id) == [people[2].id] + unknownPeers)
    }

    @Test("A blocked identity's new names disturb nobody")
    func blockedClaimant() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        _ = try kept.see(mallory, as: "mallory")
        try kept.update { try $0.block(mallory.id) }
        #expect(try kept.see(mallory, as: "bob") == [])
        #expect(kept.recordStore.state(of: bob.id) == .tofu)
    }

    @Test("A contact blocked while changed is still changed when the block is taken back")
    func blockedWhileChanged() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        _ = try kept.see(mallory, as: "bob")
        try kept.update { try $0.block(bob.id) }
        try kept.update { try $0.unblock(bob.id) }
        #expect(kept.recordStore.state(of: bob.id) == .changed)
    }

    @Test("A bundle of a lower version than one before is not taken")
    func suiteDowngrade() throws {
        var kept = KeptBook()
        let bob = Identity()
        let bundle = try KeptBook.bundle(of: bob, nickname: "bob")
        #expect(try kept.update { $0.see(bundle, at: KeptBook.now) } == [.newPeer(bob.id)])
        #expect(kept.recordStore[bob.id]?.highestBundleVersion == 1 && kept.recordStore.accepts(bundle))
        try kept.update { try $0.pin(bob.id) }
        // A later program has seen a bundle of version 2; this one reads no such bundle, but what the record says.
        var peer = try #require(kept.recordStore[bob.id])
        peer.highestBundleVersion = 2
        try kept.store(peer)
        try kept.restart()
        #expect(!kept.recordStore.accepts(bundle))
        #expect(try kept.update { $0.see(bundle, at: KeptBook.now) } == [.suiteDowngrade(bob.id)])
        #expect(kept.recordStore[bob.id]?.highestBundleVersion == 2)
    }

    @Test("4,096 strangers are kept, the one seen first goes first, and pinned ones never")
    func unknownNodeLimit() throws {
        var recordStore = TrustStore(owner: Identity().publicIdentity)
        var seen: [PeerID] = []
        for number in 0..<UInt32(TrustLimits.maximumUnknownPeers + 3) {
            let key = number.bigEndianBytes + [UInt8](repeating: 0, count: 28)
            let unknownPeer = try #require(PublicIdentity(signingKey: key, agreementKey: key))
            _ = recordStore.meet(unknownPeer, at: number)
            seen.append(unknownPeer.id)
            if number == 1 { _ = try recordStore.pin(unknownPeer.id) }
        }
        #expect(recordStore.all.count == TrustLimits.maximumUnknownPeers + 1)
        #expect(recordStore[seen[0]] == nil && recordStore[seen[2]] == nil)
        #expect(recordStore[seen[1]]?.state == .tofu)
        #expect(recordStore[seen[3]] != nil)
    }

    @Test("A contact remembers 64 claimants, the newest")
    func claimantLimit() throws {
        var kept = KeptBook()
        let bob = Identity()
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        var claimants: [PeerID] = []
        for _ in 0..<(TrustLimits.maximumClaimants + 2) {
            let claimant = Identity()
            claimants.append(claimant.id)
            _ = try kept.see(claimant, as: "bob")
            try kept.update { try $0.accept(bob.id, at: KeptBook.now) }
        }
        #expect(kept.recordStore[bob.id]?.settledClaimants == claimants.suffix(TrustLimits.maximumClaimants))
        try kept.restart()
        #expect(kept.recordStore[bob.id]?.settledClaimants == claimants.suffix(TrustLimits.maximumClaimants))
    }

    @Test("Events carry the contact and the name that programs read")
    func events() {
        let (one, other) = (Identity().id, Identity().id)
        let events: [TrustEvent] = [
            .newPeer(one), .verified(one), .nameCollision(one, claimant: other), .rotated(one, to: other),
            .changed(one, claimant: other), .revoked(one), .suiteDowngrade(one),
        ]
        #expect(events.allSatisfy { $0.peer == one })
        let names = ["newPeer", "verified", "nameCollision", "rotated", "changed", "revoked", "suiteDowngrade"]
        #expect(events.map(\.name) == names)
    }

    @Test("Strangers are not stored; a record under another's name or damaged is refused")
    func records() throws {
        var kept = KeptBook()
        let (bob, eve) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        _ = try kept.see(eve, as: "eve")
        try kept.update { try $0.pin(bob.id) }
        #expect(Array(kept.storage.records.keys) == [bob.id])
        let bytes = try #require(kept.storage.records[bob.id])
        var moved = MemoryTrustStorage()
        moved.records[eve.id] = bytes
        #expect(throws: CryptoError(.malformed, "")) { try TrustStore(owner: kept.recordStore.owner, restoring: moved) }
        for count in 0..<bytes.count {
            #expect(throws: CryptoError(.malformed, "")) { try KnownPeer(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test("Damaged records never trap, and are refused or read as what they say", arguments: [91, 92] as [UInt64])
    func damage(seed: UInt64) throws {
        var kept = KeptBook()
        let bob = Identity()
        _ = try kept.see(bob, as: "bob")
        try kept.update { try $0.pin(bob.id) }
        _ = try kept.see(Identity(), as: "bob")
        let bytes = try #require(kept.storage.records[bob.id])
        #expect(try KnownPeer(decoding: bytes) == kept.recordStore[bob.id])
        var random = SeededBytes(seed: seed)
        for _ in 0..<10_000 {
            let damaged = random.damaged(bytes)
            guard let peer = try? KnownPeer(decoding: damaged) else { continue }
            #expect(peer.encoded() == damaged)
        }
    }
}
