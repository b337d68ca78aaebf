import Testing

@testable import ChatCrypto

@Suite("Group messages")
struct GroupMessageTests {
    @Test("A message is the known one, and opens")
    func knownAnswer() throws {
        let known = try VectorFile("group_message").cases[0]
        let alice = try KnownPeople().alice.publicIdentity.id
        let group = try #require(GroupID(bytes: try known.bytes("group")))
        let number = UInt32(try known.number("epoch"))
        var epoch = GroupEpoch(
            number: number,
            group: group,
            hash: try known.bytes("log hash"),
            headerKey: SecretBytes(copying: try known.bytes("header key")),
            freshSince: number,
            begunAt: 0
        )
        epoch.endedAt = nil
        var key = SenderKey(
            of: alice,
            group: group,
            epoch: number,
            signing: Ed25519.SigningKey(seed: SecretBytes(copying: try known.bytes("signing seed"))),
            chainKey: SecretBytes(copying: try known.bytes("chain key")),
            at: 0
        )
        #expect(key.id.bytes == (try known.bytes("key id")))
        #expect(key.signing.publicKey == (try known.bytes("signing key")))
        let overhead = CarrierKind.sealed.overheadByteCount + 64
        let items = MessageItems.encode([Array(try known.text("content").utf8)])
        let padded = try #require(Padding.pad(items, overheadByteCount: overhead))
        let (iteration, messageKey) = key.advance()
        let tape = RandomTape(try known.bytes("header nonce"))
        let message = Randomness.$tape.withValue(tape) {
            GroupSeal.seal(
                padded: padded,
                header: GroupHeader(keyID: key.id, epoch: number, iteration: iteration),
                epoch: epoch,
                messageKey: messageKey,
                sender: alice,
                signing: key.signing
            )
        }
        #expect(message == (try known.bytes("message")))
        #expect(EnvelopeName.bytes(kindByte: 0x10, body: message) == (try known.bytes("envelope name")))
        let opened = GroupSeal.open(
            try #require(MessageSeal(message[...])),
            epoch: epoch,
            messageKey: messageKey,
            sender: alice,
            signingKey: key.signing.publicKey
        )
        #expect(opened == padded)
    }

    @Test("Everybody reads what anybody says, in any order, once", arguments: [1, 2, 3] as [UInt64])
    func conversation(seed: UInt64) throws {
        var circle = try Circle(4)
        var seeded = SeededBytes(seed: seed)
        var packets: [(packet: InboundPacket, text: String, speaker: Int)] = []
        for number in 0..<40 {
            let speaker = seeded.below(4)
            let kind: CarrierKind = seeded.below(4) == 0 ? .live : .sealed
            packets.append((try circle.say("\(number)", by: speaker, as: kind), "\(number)", speaker))
        }
        for listener in 0..<4 {
            var open = packets.filter { $0.speaker != listener }
            while !open.isEmpty {
                let next = open.remove(at: seeded.below(open.count))
                let heard = circle.hear(next.packet, by: listener)
                #expect(heard == .text(next.text, circle.id(next.speaker)))
                #expect(circle.hear(next.packet, by: listener) == .refused)
            }
        }
    }

    @Test("One's own messages and strangers' packets are nothing")
    func notForUs() throws {
        var circle = try Circle(2)
        let packet = try circle.say("mine", by: 0)
        #expect(circle.hear(packet, by: 0) == .refused)
        var unknownPeer = try Circle(2)
        #expect(unknownPeer.hear(packet, by: 1) == .nothing)
        #expect(circle.hear(InboundPacket(kind: .probe, body: packet.body), by: 1) == .nothing)
        #expect(circle.hear(packet.with(packet.body + [0]), by: 1) == .nothing)
    }

    @Test(
        "Every message fills a bucket, as one between two does",
        arguments: [(1, 256), (69, 256), (70, 512), (16_196, 16_384)]
    )
    func buckets(contentByteCount: Int, bucket: Int) throws {
        var circle = try Circle(2)
        let content = [UInt8](repeating: 5, count: contentByteCount)
        for kind in [CarrierKind.sealed, .live] {
            let message = try circle.sessions[0].seal(content, as: kind, at: Circle.now).message
            #expect(message.kind == kind)
            #expect(4 + message.body.count == bucket + (kind == .sealed ? 16 : 0))
        }
    }

    @Test("Nothing, and more than an envelope holds, is refused", arguments: [0, 16_197])
    func contentSizes(contentByteCount: Int) throws {
        var circle = try Circle(1)
        let content = [UInt8](repeating: 5, count: contentByteCount)
        #expect(throws: CryptoError(.contentSize, "")) { try circle.sessions[0].seal(content, at: Circle.now) }
        #expect(circle.sessions[0].senderKey == nil)
    }

    @Test("Every bit of a group's packet turned, and nothing opens; the genuine packet still does")
    func everyBit() throws {
        var circle = try Circle(2)
        let packet = try circle.say("whole", by: 0)
        // The release hash is random and has no meaning in a group.
        for bit in (16 * 8)..<(packet.body.count * 8) {
            let heard = circle.hear(packet.flipped(bit: bit), by: 1)
            #expect(heard == .nothing || heard == .refused)
        }
        #expect(circle.hear(packet, by: 1) == .text("whole", circle.id(0)))
    }

    @Test("All messages of a sender key but the last may be missing, and none comes behind it")
    func gap() throws {
        var circle = try Circle(2)
        _ = try circle.say("0", by: 0)
        var key = try #require(circle.sessions[0].senderKey)
        func packet(_ text: String) -> InboundPacket {
            let (iteration, messageKey) = key.advance()
            return Forger.packet(text, of: circle, by: 0, key: key, iteration: iteration, messageKey: messageKey)
        }
        for _ in 1...98 { _ = packet("lost") }
        let last = packet("the last")
        let behind = packet("behind")
        let state = circle.sessions[1].received.values.first?.wrappedChainKey
        #expect(circle.hear(behind, by: 1) == .refused, "iteration 100")
        #expect(circle.sessions[1].received.values.first?.wrappedChainKey == state)
        #expect(circle.hear(last, by: 1) == .text("the last", circle.id(0)))
        #expect(circle.hear(behind, by: 1) == .refused)
    }

    @Test("A packet that comes before its key is known for what it is, and opens when the key has come")
    func lateKey() throws {
        var circle = try Circle(2)
        let sealed = try circle.sessions[0].seal(Array("early".utf8), at: Circle.now)
        let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        #expect(circle.hear(packet, by: 1) == .needsKey)
        try circle.hand(try #require(sealed.newKey), from: 0)
        #expect(circle.hear(packet, by: 1) == .text("early", circle.id(0)))
    }
}
