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
        func pair(_ side: String) throws -> NodeKeyPair {
            NodeKeyPair(seed: SecretBytes(copying: try vector.bytes("\(side) node key")))
        }
        let header = try vector.bytes("init header")
        var initiator = LinkNoise.initiator(meshKey: key, nodeKey: try pair("initiator"), header: header)
        var responder = LinkNoise.responder(meshKey: key, nodeKey: try pair("responder"), header: header)
        let first = Randomness.$tape.withValue(RandomTape(try vector.bytes("initiator ephemeral"))) {
            initiator.writeMessage()
        }
        #expect(try first == vector.bytes("message 1"))
        #expect(responder.readMessage(try vector.bytes("message 1")[...]) == true)
        let second = Randomness.$tape.withValue(RandomTape(try vector.bytes("responder ephemeral"))) {
            responder.writeMessage()
        }
        #expect(try second == vector.bytes("message 2"))
        #expect(initiator.readMessage(try vector.bytes("message 2")[...]) == true)
        let third = try initiator.message()
        #expect(try third == vector.bytes("message 3"))
        #expect(responder.readMessage(try vector.bytes("message 3")[...]) == true)
        for (side, peerKey) in [("initiator", responder.peerKey), ("responder", initiator.peerKey)] {
            #expect(try peerKey == vector.bytes("\(side) public key"))
            #expect(try peerKey.map(NodeKeyPair.nodeID) == vector.bytes("\(side) node id"))
        }
        try expectPackets(vector, initiator, responder)
    }

    private func expectPackets(_ vector: VectorCase, _ initiator: LinkNoise, _ responder: LinkNoise) throws {
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

    private static func sides(_ first: MeshKey, _ second: MeshKey, header: [UInt8] = []) -> (LinkNoise, LinkNoise) {
        (
            LinkNoise.initiator(meshKey: first, nodeKey: NodeKeyPair(), header: []),
            LinkNoise.responder(meshKey: second, nodeKey: NodeKeyPair(), header: header)
        )
    }

    @Test("Nodes of different meshes do not link", arguments: [true, false])
    func refusesOtherMeshes(isInitiatorOpen: Bool) throws {
        let key = MeshKey.random()
        var (initiator, responder) = Self.sides(isInitiatorOpen ? .open : key, isInitiatorOpen ? key : .random())
        let isTaken = responder.readMessage(try initiator.message()[...])
        #expect(!isTaken)
        #expect(responder.finish() == nil)
        #expect(initiator.finish() == nil)
    }

    @Test("A handshake authenticates the clear part of the INIT with its first message")
    func bindsHeader() throws {
        var (initiator, responder) = Self.sides(.open, .open, header: [1])
        let isTaken = responder.readMessage(try initiator.message()[...])
        #expect(!isTaken)
    }

    @Test("A refused message leaves the handshake as it was, and the true one is still taken")
    func survivesForgery() throws {
        let key = MeshKey.random()
        var (initiator, responder) = Self.sides(key, key)
        for (index, count) in [48, 96, 64].enumerated() {
            let message = try index == 1 ? responder.message() : initiator.message()
            #expect(message.count == count)
            var reader = index == 1 ? initiator : responder
            for bit in 0..<count * 8 {
                var forged = message
                forged[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(reader.readMessage(forged[...]) == false)
            }
            #expect(reader.readMessage(message.dropLast()) == false)
            #expect(reader.readMessage((message + [0])[...]) == false)
            #expect(reader.peerKey == nil)
            #expect(reader.finish() == nil)
            #expect(reader.readMessage(message[...]) == true)
            #expect(reader.readMessage(message[...]) == false)
            if index == 1 { initiator = reader } else { responder = reader }
        }
        #expect(initiator.finish() != nil && responder.finish() != nil)
    }

    @Test("Reading the first message agrees on no key; only the answer does")
    func firstMessageIsCheap() throws {
        // A key of small order makes every agreement fail, and the message with it passes all the same.
        let point = [UInt8](repeating: 0, count: 32)
        var (_, responder) = Self.sides(.open, .open)
        #expect(responder.readMessage(Self.firstMessage(point)[...]) == true)
        let answer = responder.writeMessage()
        #expect(answer == nil)
    }

    @Test("An ephemeral key of small order gets no answer", arguments: try VectorFile("x25519_low_order").cases)
    func refusesLowOrder(vector: VectorCase) throws {
        // A neighbour in an open mesh knows the key, so its first message authenticates any point that it carries.
        let point = try vector.bytes("point")
        var (initiator, responder) = Self.sides(.open, .open)
        #expect(responder.readMessage(Self.firstMessage(point)[...]) == true)
        let refused = responder.writeMessage()
        #expect(refused == nil)
        #expect(responder.finish() == nil)

        var (_, genuine) = Self.sides(.open, .open)
        let isTaken = genuine.readMessage(try initiator.message()[...])
        #expect(isTaken)
        let answer = point + (try genuine.message()).dropFirst(32)
        #expect(initiator.readMessage(answer[...]) == false)
    }

    /// Makes the first message with any ephemeral public key.
    private static func firstMessage(_ point: [UInt8]) -> [UInt8] {
        var symmetric = SymmetricState(protocolName: HandshakePattern.xxPSK0.protocolName)
        symmetric.mixHash([UInt8("earshot/v1/link".utf8.count)] + Array("earshot/v1/link".utf8))
        symmetric.mixKeyAndHash(MeshKey.open.secret)
        symmetric.mixHash(point)
        symmetric.mixKey(SecretBytes(copying: point))
        return point + symmetric.encryptAndHash([])
    }
}

extension LinkNoise {
    /// Writes the next message, which the keys allow.
    mutating func message() throws -> [UInt8] {
        let message = writeMessage()
        return try #require(message)
    }
}
