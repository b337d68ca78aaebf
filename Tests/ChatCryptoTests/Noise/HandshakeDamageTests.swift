import Testing

@testable import ChatCrypto

@Suite("Damaged handshakes")
struct HandshakeDamageTests {
    @Test("No damaged message of the link handshake is taken, and none traps", arguments: [UInt64(1), 2])
    func refusesDamagedMessages(seed: UInt64) throws {
        var choices = SeededBytes(seed: seed)
        var initiator = LinkNoise.initiator(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
        var responder = LinkNoise.responder(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
        for index in 0..<3 {
            let message = try index == 1 ? responder.message() : initiator.message()
            var reader = index == 1 ? initiator : responder
            var taken = 0
            for _ in 0..<2_000 where reader.readMessage(choices.damaged(message)[...]) { taken += 1 }
            #expect(taken == 0)
            #expect(reader.readMessage(message[...]) == true)
            if index == 1 { initiator = reader } else { responder = reader }
        }
        #expect(initiator.finish() != nil && responder.finish() != nil)
    }

    @Test("No damaged message of a pattern with static keys is taken, and none traps", arguments: [UInt64(5), 6])
    func refusesDamagedStaticKeys(seed: UInt64) throws {
        var choices = SeededBytes(seed: seed)
        let pattern = try #require(HandshakePattern.published.first { $0.name == "IK" })
        let key = X25519.PrivateKey()
        var initiator = HandshakeState(
            pattern,
            role: .initiator,
            prologue: [],
            staticKey: X25519.PrivateKey(),
            remoteStaticKey: key.publicKey
        )
        var responder = HandshakeState(pattern, role: .responder, prologue: [], staticKey: key)
        let first = try initiator.write([1, 2, 3])
        for _ in 0..<2_000 {
            let damaged = choices.damaged(first)
            #expect(throws: CryptoError.self) { try responder.read(damaged[...]) }
        }
        #expect(try responder.read(first[...]) == [1, 2, 3])
    }

    @Test("No damaged datagram opens, and none traps", arguments: [UInt64(7), 8])
    func refusesDamagedDatagrams(seed: UInt64) {
        var choices = SeededBytes(seed: seed)
        let key = SecretBytes.random(count: 32)
        var sender = LinkCiphers(sendingKey: key, receivingKey: key)
        var receiver = LinkCiphers(sendingKey: key, receivingKey: key)
        let sealed = sender.seal(choices.bytes(200), packetNumber: 1, phase: 0, header: [1, 2])
        var opened = 0
        for _ in 0..<2_000 {
            let damaged = choices.damaged(sealed)
            let phase = choices.below(4) == 0 ? choices.next() : UInt64(choices.below(3))
            if receiver.open(damaged[...], packetNumber: 1, phase: phase, header: [1, 2]) != nil { opened += 1 }
        }
        #expect(opened == 0)
        #expect(receiver.open(sealed[...], packetNumber: 1, phase: 0, header: [1, 2]) != nil)
    }
}
