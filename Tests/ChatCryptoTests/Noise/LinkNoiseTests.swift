import Testing

@testable import ChatCrypto

@Suite("Link handshake")
struct LinkNoiseTests {
    @Test(
        "Handshake and datagrams have the bytes another implementation makes",
        arguments: try VectorFile("link").cases
    )
    func reproducesVectors(vector: VectorCase) throws {
        let key = MeshKey(secret: SecretBytes(copying: try vector.bytes("psk")))
        var initiator = LinkNoise.initiator(meshKey: key)
        var responder = LinkNoise.responder(meshKey: key)
        let first = Randomness.$tape.withValue(RandomTape(try vector.bytes("initiator ephemeral"))) {
            initiator.writeMessage()
        }
        #expect(try first == vector.bytes("message 1"))
        let didRead = Randomness.$tape.withValue(RandomTape(try vector.bytes("responder ephemeral"))) {
            responder.readMessage(first[...])
        }
        #expect(didRead)
        let second = responder.writeMessage()
        #expect(try second == vector.bytes("message 2"))
        #expect(initiator.readMessage(second[...]) == true)

        var near = try #require(initiator.finish())
        var far = try #require(responder.finish())
        let header = try vector.bytes("header")[...]
        #expect(header.count == 9, "the bytes before the sealed frames of a DATA")
        let plaintext = try vector.bytes("plaintext")
        let number = UInt64(try vector.number("packet number"))
        let zero = near.seal(plaintext, packetNumber: number, phase: 0, header: header)
        #expect(try zero == vector.bytes("initiator sealed phase 0"))
        let one = try vector.bytes("initiator sealed phase 1")
        #expect(far.open(one[...], packetNumber: number, phase: 1, header: header) == plaintext)
        var ahead = try vector.bytes("responder sealed phase 2")[...]
        #expect(near.open(ahead, packetNumber: number, phase: 2, header: header) == nil)
        let step = far.seal([], packetNumber: 0, phase: 1, header: [])
        #expect(near.open(step[...], packetNumber: 0, phase: 1, header: []) == [])
        #expect(near.open(ahead, packetNumber: number, phase: 2, header: header) == plaintext)
        ahead = far.seal(plaintext, packetNumber: number, phase: 2, header: header)[...]
        #expect(try Array(ahead) == vector.bytes("responder sealed phase 2"))
    }

    @Test("Nodes of different meshes do not link", arguments: [true, false])
    func refusesOtherMeshes(isInitiatorOpen: Bool) {
        let key = MeshKey.random()
        var initiator = LinkNoise.initiator(meshKey: isInitiatorOpen ? .open : key)
        var responder = LinkNoise.responder(meshKey: isInitiatorOpen ? key : .random())
        #expect(responder.readMessage(initiator.writeMessage()[...]) == false)
        #expect(responder.finish() == nil)
        #expect(initiator.finish() == nil)
    }

    @Test("A refused message leaves the handshake as it was, and the true one is still taken")
    func survivesForgery() throws {
        let key = MeshKey.random()
        var initiator = LinkNoise.initiator(meshKey: key)
        var responder = LinkNoise.responder(meshKey: key)
        let first = initiator.writeMessage()
        #expect(first.count == LinkNoise.messageByteCount)
        for bit in 0..<first.count * 8 {
            var forged = first
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(responder.readMessage(forged[...]) == false)
        }
        #expect(responder.readMessage(first.dropLast()) == false)
        #expect(responder.readMessage((first + [0])[...]) == false)
        #expect(responder.readMessage(first[...]) == true)
        #expect(responder.readMessage(first[...]) == false)
        #expect(responder.finish() == nil)
        let second = responder.writeMessage()
        #expect(responder.finish() != nil)
        for bit in 0..<second.count * 8 {
            var forged = second
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(initiator.readMessage(forged[...]) == false)
        }
        #expect(initiator.finish() == nil)
        #expect(initiator.readMessage(second[...]) == true)
        #expect(initiator.finish() != nil)
    }

    @Test("An ephemeral key of small order is refused at once", arguments: try VectorFile("x25519_low_order").cases)
    func refusesLowOrder(vector: VectorCase) throws {
        // A neighbour in an open mesh knows the key, so its first message authenticates any point that it carries.
        let point = try vector.bytes("point")
        var symmetric = SymmetricState(protocolName: HandshakePattern.nnPSK0.protocolName)
        symmetric.mixHash([UInt8("earshot/v1/link".utf8.count)] + Array("earshot/v1/link".utf8))
        symmetric.mixKeyAndHash(MeshKey.open.secret)
        symmetric.mixHash(point)
        symmetric.mixKey(SecretBytes(copying: point))
        let message = point + symmetric.encryptAndHash([])
        var responder = LinkNoise.responder(meshKey: .open)
        #expect(responder.readMessage(message[...]) == false)

        var initiator = LinkNoise.initiator(meshKey: .open)
        var genuine = LinkNoise.responder(meshKey: .open)
        #expect(genuine.readMessage(initiator.writeMessage()[...]) == true)
        let answer = point + genuine.writeMessage().dropFirst(32)
        #expect(initiator.readMessage(answer[...]) == false)
    }
}
