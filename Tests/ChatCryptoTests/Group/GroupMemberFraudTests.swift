import Testing

@testable import ChatCrypto

@Suite("Dishonest members")
struct GroupMemberFraudTests {
    @Test("A member cannot write as another, although it knows the other's chain key")
    func claimsToBeAnother() throws {
        var circle = try Circle(3)
        _ = circle.hear(try circle.say("genuine", by: 1), by: 2)
        let key = try #require(circle.sessions[1].senderKey)
        var chain = key.chain
        let messageKey = chain.advance()
        for signing in [Ed25519.SigningKey(), circle.identities[0].signing] {
            let forged = Forger.packet(
                "forged",
                of: circle,
                by: 1,
                key: key,
                iteration: key.chain.next,
                messageKey: messageKey,
                signing: signing
            )
            #expect(circle.hear(forged, by: 2) == .refused)
        }
        #expect(circle.hear(try circle.say("next", by: 1), by: 2) == .text("next", circle.id(1)))
    }

    @Test("A sender key that comes from anybody but its maker is refused")
    func foreignKey() throws {
        var circle = try Circle(3)
        let key = try #require(try circle.sessions[1].seal([1], at: Circle.now).newKey)
        #expect(circle.sessions[2].accept(key, from: circle.id(0), at: Circle.now).outcome == .refused)
        #expect(circle.sessions[2].accept(key, from: Identity().id, at: Circle.now).outcome == .refused)
        #expect(circle.sessions[1].accept(key, from: circle.id(1), at: Circle.now).outcome == .refused)
        #expect(circle.sessions[2].accept(key, from: circle.id(1), at: Circle.now).outcome == .accepted)
        #expect(circle.sessions[2].accept(key, from: circle.id(1), at: Circle.now).outcome == .known)
    }

    @Test("A second content under one iteration is told with its author, and not shown")
    func reusedIteration() throws {
        var circle = try Circle(3)
        _ = try circle.say("key", by: 1)
        var key = try #require(circle.sessions[1].senderKey)
        let (iteration, messageKey) = key.advance()
        func packet(_ text: String) -> InboundPacket {
            Forger.packet(text, of: circle, by: 1, key: key, iteration: iteration, messageKey: messageKey)
        }
        let (one, two, oneAgain) = (packet("yes"), packet("no"), packet("yes"))
        #expect(circle.hear(one, by: 2) == .text("yes", circle.id(1)))
        #expect(circle.hear(two, by: 2) == .equivocation(circle.id(1)))
        #expect(circle.hear(oneAgain, by: 2) == .refused)
        #expect(circle.hear(two, by: 0) == .text("no", circle.id(1)))
        #expect(circle.hear(one, by: 0) == .equivocation(circle.id(1)))
    }

    @Test("Nobody else can make a member look like an equivocator")
    func noFalseAlarm() throws {
        var circle = try Circle(3)
        let genuine = try circle.say("genuine", by: 1)
        let key = try #require(circle.sessions[2].received.values.first { $0.owner == circle.id(1) })
        guard case .open(let messageKey) = key.lookUp(0, wrap: circle.sessions[2].wrap) else {
            Issue.record("the key of the first message is there")
            return
        }
        let forged = Forger.packet(
            "forged",
            of: circle,
            by: 1,
            key: try #require(circle.sessions[1].senderKey),
            iteration: 0,
            messageKey: messageKey,
            signing: Ed25519.SigningKey()
        )
        #expect(circle.hear(genuine, by: 2) == .text("genuine", circle.id(1)))
        #expect(circle.hear(forged, by: 2) == .refused)
    }

    @Test("A removed member opens nothing that is sent after it, whatever it keeps")
    func removedReadsNothing() throws {
        var circle = try Circle(3)
        for speaker in 0..<3 { _ = try circle.say("before", by: speaker) }
        var removed = circle.sessions[2]
        try circle.perform(.remove(circle.id(2)))
        #expect(!circle.sessions[2].isMember && circle.sessions[2].received.isEmpty)
        for speaker in 0..<2 {
            let sealed = try circle.sessions[speaker].seal([1, 2, 3], at: Circle.now)
            let newKey = try #require(sealed.newKey, "every sender makes a new key")
            let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
            // The removed member reads nothing even if the new sender key leaked to it.
            _ = removed.accept(newKey, from: circle.id(speaker), at: Circle.now)
            #expect(Heard(removed.open(packet, at: Circle.now)?.opening) == .nothing)
        }
    }

    @Test("A removed member writes nothing that others show")
    func removedWritesNothing() throws {
        var circle = try Circle(3)
        _ = circle.hear(try circle.say("before", by: 2), by: 1)
        var removed = circle
        try circle.perform(.remove(circle.id(2)))
        let late = try removed.say("after", by: 2)
        #expect(circle.hear(late, by: 1) == .needsKey)
        let key = try #require(removed.sessions[2].senderKey)
        #expect(circle.sessions[1].accept(key.message, from: circle.id(2), at: Circle.now).outcome == .refused)
    }

    @Test("A sender key from before a removal is void after it")
    func oldKeyInNewEpoch() throws {
        var circle = try Circle(4)
        _ = circle.hear(try circle.say("before", by: 1), by: 2)
        var old = try #require(circle.sessions[1].senderKey)
        try circle.perform(.remove(circle.id(3)))
        let (iteration, messageKey) = old.advance()
        let packet = Forger.packet(
            "under the old key",
            of: circle,
            by: 1,
            key: old,
            iteration: iteration,
            messageKey: messageKey
        )
        #expect(circle.hear(packet, by: 2) == .refused)
    }

    @Test("A message of one epoch cannot be replayed as another's")
    func oldEpochReplayed() throws {
        var circle = try Circle(2)
        let packet = try circle.say("once", by: 0)
        let (sealedAt, key) = (try #require(circle.sessions[0].epochs.last), circle.sessions[0].senderKey)
        try circle.perform(.rename(GroupTitle("Later")))
        let epoch = try #require(circle.sessions[0].epochs.last)
        // The header names the old epoch under the new epoch's key, and vice versa.
        let header = GroupHeader(keyID: try #require(key).id, epoch: sealedAt.number, iteration: 0)
        let nonce = randomBytes(12)
        let moved =
            Array(packet.body[..<16]) + nonce
            + MessageSeal.sealHeader(header.encoded, key: epoch.headerKey, nonce: nonce) + packet.body[(16 + 68)...]
        #expect(circle.hear(packet.with(moved), by: 1) == .refused)
        #expect(circle.hear(packet, by: 1) == .text("once", circle.id(0)))
        #expect(circle.hear(packet, by: 1) == .refused)
    }

    @Test("A newcomer opens nothing from before it came")
    func newMember() throws {
        var circle = try Circle(2)
        let before = try circle.say("before", by: 0)
        try circle.take(Identity())
        let key = try #require(circle.sessions[0].currentKey(at: Circle.now))
        _ = circle.sessions[2].accept(key, from: circle.id(0), at: Circle.now)
        #expect(Heard(circle.sessions[2].open(before, at: Circle.now)?.opening) == .nothing)
        let after = try circle.say("after", by: 0)
        #expect(Heard(circle.sessions[2].open(after, at: Circle.now)?.opening) == .text("after", circle.id(0)))
        #expect(circle.hear(before, by: 1) == .text("before", circle.id(0)), "a late message of a past epoch")
    }

    @Test("A header key that is not the one its operation names is refused")
    func wrongHeaderKey() throws {
        var circle = try Circle(3)
        let update = try circle.sessions[0].perform(.remove(circle.id(2)), at: Circle.now).update
        let exchanged = GroupUpdate(operation: update.operation, headerKey: .random(count: 32))
        #expect(throws: CryptoError(.malformed, "")) { try GroupUpdate(decoding: exchanged.encoded()) }
        let bare = GroupUpdate(operation: update.operation, headerKey: nil)
        #expect(circle.sessions[1].apply(bare, at: Circle.now).outcome == .refused(.needsHeaderKey))
        #expect(circle.sessions[1].apply(update, at: Circle.now).outcome == .applied)
    }
}
