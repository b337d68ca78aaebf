import Testing

@testable import ChatCrypto

/// Everything that is sealed with one implementation of the cipher opens with the other.
@Suite("Both ciphers")
struct BothCiphersTests {
    @Test("Two people talk, each with another implementation", arguments: CipherChoice.allCases)
    func sessions(ofAlice choice: CipherChoice) throws {
        var (alice, bob) = (try Person(), try Person())
        for round in 0..<20 {
            let question = try choice.run { try alice.send("\(round)", to: bob) }
            let heard = try choice.other.run { try bob.receive(question) }
            #expect(heard == "\(round)")
            let answer = try choice.other.run { try bob.send("again \(round)", to: alice) }
            let understood = try choice.run { try alice.receive(answer) }
            #expect(understood == "again \(round)")
        }
    }

    @Test("A group talks, and its speaker has another implementation", arguments: CipherChoice.allCases)
    func groups(ofSpeaker choice: CipherChoice) throws {
        var circle = try GroupCircle(3)
        let packet = try choice.run { try circle.say("hello", by: 1) }
        let heard = choice.other.run { circle.hear(packet, by: 2) }
        #expect(heard == .text("hello", circle.id(1)))
    }

    @Test("A guest enters a room, and its host has another implementation", arguments: CipherChoice.allCases)
    func rooms(ofHost choice: CipherChoice) throws {
        var doorway = try AdmissionPair()
        let code = try #require(doorway.host.code)
        var guest = try NewMember(.code(try #require(RoomCode(code.text))))
        let hello = try choice.other.run { try guest.joiner.joinRequest(at: try doorway.beacon()) }
        let answer = try packet(try choice.run { try doorway.answer(hello) })
        guard case .send(let request) = choice.other.run({ guest.joiner.receive(answer) }) else {
            Issue.record("the code is right")
            return
        }
        let reply = try packet(try choice.run { try doorway.answer(request) })
        let step = choice.other.run { guest.joiner.receive(reply) }
        guard case .decided(.welcome, host: doorway.identity.publicIdentity) = step else {
            Issue.record("the host welcomes")
            return
        }
    }

    @Test("Nodes with different implementations link", arguments: CipherChoice.allCases)
    func links(ofInitiator choice: CipherChoice) throws {
        var initiator = LinkNoise.initiator(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
        var responder = LinkNoise.responder(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
        let first = try choice.run { try initiator.message() }
        let second = try choice.other.run { responder.readMessage(first[...]) ? try responder.message() : [] }
        let third = try choice.run { initiator.readMessage(second[...]) ? try initiator.message() : [] }
        let isLinked = choice.other.run { responder.readMessage(third[...]) }
        #expect(isLinked)
        var near = try #require(initiator.finish())
        var far = try #require(responder.finish())
        let sealed = choice.run { near.seal([1, 2, 3], packetNumber: 7, phase: 0, header: [9]) }
        let opened = choice.other.run { far.open(sealed[...], packetNumber: 7, phase: 0, header: [9]) }
        #expect(opened == [1, 2, 3])
    }

    @Test("A vault that one implementation closed opens with the other", arguments: CipherChoice.allCases)
    func vaults(ofWriter choice: CipherChoice) throws {
        let passphrase = SecretBytes(copying: [1, 2, 3])
        let master = MasterKey()
        let bytes = try choice.run { try VaultFile(closing: master, passphrase: passphrase, cost: .small).bytes }
        let opened = try choice.other.run { try VaultFile(decoding: bytes).open(passphrase: passphrase) }
        #expect(opened.secret.isEqual(to: master.secret))
    }
}
