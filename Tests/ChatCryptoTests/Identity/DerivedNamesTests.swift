import ChatCore
import MeshCore
import Testing

@testable import ChatCrypto

@Suite("Derived names")
struct DerivedNamesTests {
    @Test("A message ID changes with sender, chat and content")
    func messageID() throws {
        let people = try KnownPeople()
        let chat = [UInt8](repeating: 1, count: 32)
        let id = MessageID(sender: people.alice.publicIdentity.id, chat: chat, content: [1, 2, 3])
        #expect(id.bytes.count == 16)
        #expect(id != MessageID(sender: people.bob.publicIdentity.id, chat: chat, content: [1, 2, 3]))
        #expect(id != MessageID(sender: people.alice.publicIdentity.id, chat: chat.map { $0 + 1 }, content: [1, 2, 3]))
        #expect(id != MessageID(sender: people.alice.publicIdentity.id, chat: chat, content: [1, 2, 4]))
        let joined = people.alice.publicIdentity.id.bytes + chat + [1, 2, 3]
        #expect(id.bytes == Array(SHA256.hash(Label.messageID.bytes + joined).prefix(16)))
        #expect(MessageID(bytes: id.bytes) == id)
        #expect(MessageID(bytes: id.bytes.dropLast()) == nil)
    }

    @Test("A release hash is the hash of its preimage alone")
    func release() throws {
        let deliveryProof = try #require(DeliveryProof(bytes: [UInt8](repeating: 9, count: 16)))
        #expect(deliveryProof.hash == Array(SHA256.hash(Label.release.bytes + deliveryProof.bytes).prefix(16)))
        #expect(DeliveryProof(bytes: [1, 2, 3]) == nil)
    }

    @Test("A message key gives the known preimage and release hash, and they the known release")
    func knownRelease() throws {
        let known = try VectorFile("release").cases[0]
        let messageKey = SecretBytes(copying: try known.bytes("message key"))
        let deliveryProof = DeliveryProof(messageKey: messageKey, headerNonce: try known.bytes("header nonce"))
        #expect(try deliveryProof.bytes == known.bytes("preimage"))
        #expect(try deliveryProof.hash == known.bytes("release hash"))
        let life = UInt16(try known.number("life"))
        let envelope = Envelope(kind: .release, life: life, body: deliveryProof.bytes)
        #expect(try envelope.encoded() == known.bytes("envelope"))
        #expect(try Envelope(decoding: known.bytes("envelope")[...]) == envelope)
        let name = EnvelopeName.bytes(kindByte: envelope.kindByte, body: envelope.body)
        #expect(try name == known.bytes("envelope id"))
    }

    @Test("An envelope's name covers its first byte and its body")
    func envelopeName() throws {
        let known = try VectorFile("envelope_name").cases[0]
        let body = try known.bytes("body")
        #expect(EnvelopeName.bytes(kindByte: try known.bytes("first byte")[0], body: body) == (try known.bytes("name")))
        let name = EnvelopeName.bytes(kindByte: 0x10, body: [1, 2, 3])
        #expect(name != EnvelopeName.bytes(kindByte: 0x11, body: [1, 2, 3]))
        #expect(name != EnvelopeName.bytes(kindByte: 0x10, body: [1, 2, 4]))
    }
}
