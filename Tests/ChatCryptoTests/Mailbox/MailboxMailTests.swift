import Testing

@testable import ChatCrypto

@Suite("Mail of mailboxes")
struct MailboxMailTests {
    private static func key(_ value: UInt8 = 7) -> MailboxKey {
        MailboxKey(of: SecretBytes(copying: [UInt8](repeating: value, count: 32)))
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) } }

    @Test("Mail has the known bytes", arguments: try VectorFile("mailbox_mail").cases)
    func knownAnswers(known: VectorCase) throws {
        let secret = SecretBytes(copying: try known.bytes("key"))
        let key =
            if try known.text("of") == "group" {
                MailboxKey(
                    of: try #require(GroupID(bytes: known.bytes("group"))),
                    headerKey: secret,
                    day: UInt32(try known.number("day"))
                )
            } else {
                MailboxKey(of: secret)
            }
        #expect(try key.tag.bytes == known.bytes("tag"))
        let content = try #require(MailboxMessage.Content(rawValue: UInt8(known.number("kind"))))
        let (body, mail) = (try known.bytes("body"), try known.bytes("mail"))
        let message = content == .piece ? MailboxMessage(piece: body) : MailboxMessage(content: content, body: body)
        let proof = DeliveryProof(bytes: try known.bytes("proof"))
        #expect(key.seal(try #require(message), proof: proof) == mail)
        #expect(key.open(mail) == message)
        #expect(content != .piece || message?.piece == body)
        let derived = proof.map(key.proof)
        #expect(try derived?.bytes ?? [] == known.bytes("mail proof"))
        #expect(derived == nil || derived?.hash == Array(mail[16..<32]))
    }

    @Test("A message has the same bytes again, and others in another mailbox but for their number")
    func unlinkable() throws {
        let message = try #require(MailboxMessage(content: .sealed, body: Self.bytes(268)))
        for proof in [nil, DeliveryProof(bytes: Self.bytes(16))] {
            let mail = Self.key().seal(message, proof: proof)
            #expect(mail == Self.key().seal(message, proof: proof))
            let other = Self.key(8).seal(message, proof: proof)
            // No run of bytes is in both, nor is one of the message or of its proof.
            let runs = { (bytes: [UInt8]) in Set((0...bytes.count - 6).map { Array(bytes[$0..<$0 + 6]) }) }
            #expect(mail.count == other.count && runs(mail).isDisjoint(with: runs(other)))
            #expect(runs(mail).isDisjoint(with: runs(message.body)))
        }
    }

    @Test("Mail that is damaged, of another mailbox or of another size is not opened")
    func refused() throws {
        let message = try #require(MailboxMessage(content: .sealed, body: Self.bytes(268)))
        let mail = Self.key().seal(message)
        #expect(Self.key().open(mail) == message && Self.key(8).open(mail) == nil)
        for place in mail.indices {
            var damaged = mail
            damaged[place] ^= 1
            #expect(Self.key().open(damaged) == nil)
        }
        for count in 0..<mail.count { #expect(Self.key().open(Array(mail.prefix(count))) == nil) }
        #expect(Self.key().open(mail + [0]) == nil)
    }

    @Test("A body of no size of its kind is no message, nor is one of an unknown kind")
    func sizes() throws {
        for content in MailboxMessage.Content.allCases {
            let count = [.prekey, .bundle].contains(content) ? 2_060 : 268
            let message = try #require(MailboxMessage(content: content, body: Self.bytes(count)))
            #expect(MailboxMessage(decoding: message.encoded()) == message)
            #expect(MailboxMessage(decoding: message.encoded() + [0]) == nil)
            #expect(MailboxMessage(decoding: message.encoded().dropLast()) == nil)
        }
        #expect(MailboxMessage(decoding: [4] + Self.bytes(268)) == nil && MailboxMessage(decoding: []) == nil)
    }

    @Test("Mail of each kind has the size of its envelope", arguments: [1, 21, 266, 267, 16_380, 16_394])
    func pieces(count: Int) throws {
        let piece = try #require(MailboxMessage(piece: Self.bytes(count)))
        #expect(piece.piece == Self.bytes(count) && piece.bundle == nil)
        #expect(EnvelopeSizes.farChunk.contains(Self.key().seal(piece).count))
        let prekey = try #require(MailboxMessage(content: .prekey, body: Self.bytes(2_060)))
        #expect(EnvelopeSizes.far.contains(Self.key().seal(prekey).count) && prekey.piece == nil)
        // Other padding is none.
        var body = piece.body
        guard body.count > count + 2 else { return }
        body[body.count - 1] = 1
        #expect(MailboxMessage(content: .piece, body: body)?.piece == nil)
    }

    @Test("An empty piece, and one beyond the largest message, is refused")
    func noPieces() {
        #expect(MailboxMessage(piece: []) == nil && MailboxMessage(piece: Self.bytes(16_395)) == nil)
        #expect(MailboxMessage(content: .piece, body: [UInt8](repeating: 0, count: 268))?.piece == nil)
        #expect(MailboxMessage(content: .bundle, body: Self.bytes(2_060))?.bundle == nil)
    }
}
