import Testing

@testable import ChatCrypto

@Suite("Noise")
struct NoiseVectorTests {
    @Test(
        "Every byte of a published handshake comes out",
        arguments: ["noise_nn", "noise_xk", "noise_xx", "noise_nnpsk0"]
    )
    func reproducesVectors(file: String) throws {
        let vector = try #require(try VectorFile(file).cases.first)
        func optional(_ name: String) throws -> [UInt8]? { vector.has(name) ? try vector.bytes(name) : nil }
        let name = try vector.text("case")
        let pattern = try #require(HandshakePattern.published.first { $0.protocolName == name })
        var run = NoiseRun(pattern: pattern)
        run.prologue = try vector.bytes("prologue")
        run.preSharedKeys = try optional("psk").map { [$0] } ?? []
        run.initiatorStatic = try optional("initiator static")
        run.initiatorEphemeral = try optional("initiator ephemeral")
        run.responderStatic = try optional("responder static")
        run.responderEphemeral = try optional("responder ephemeral")
        run.handshakeHash = try vector.bytes("handshake hash")
        run.messages = try (1...6).map {
            NoiseRun.Message(payload: try vector.bytes("payload \($0)"), ciphertext: try vector.bytes("message \($0)"))
        }
        try run.check()
    }

    @Test(
        "Every published handshake of this suite comes out",
        .enabled(if: SharedVectors.noise.exists, SharedVectors.skipped)
    )
    func reproducesSharedVectors() throws {
        var names: Set<String> = []
        for vector in try SharedVectors.noise.decode(NoiseFile.self).vectors {
            let pattern = try #require(
                HandshakePattern.published.first { $0.protocolName == vector.protocol_name },
                "\(vector.protocol_name) has no pattern here"
            )
            try vector.run(pattern).check()
            names.insert(pattern.name)
        }
        #expect(names == Set(HandshakePattern.published.map(\.name)))
    }

    @Test("A protocol name longer than a hash is hashed, a shorter one padded")
    func startsFromTheName() {
        let long = String(repeating: "n", count: 33)
        #expect(SymmetricState(protocolName: long).hash == SHA256.hash(Array(long.utf8)))
        #expect(SymmetricState(protocolName: "ab").hash == [0x61, 0x62] + [UInt8](repeating: 0, count: 30))
    }

    @Test("A handshake whose sides differ in one input does not finish", arguments: ["prologue", "psk", "static"])
    func bindsItsInputs(difference: String) throws {
        let pattern = try #require(HandshakePattern.published.first { $0.name == "XKpsk3" })
        let responderKey = X25519.PrivateKey()
        let psk = SecretBytes.random(count: 32)
        var initiator = HandshakeState(
            pattern,
            role: .initiator,
            prologue: difference == "prologue" ? [1] : [],
            staticKey: X25519.PrivateKey(),
            remoteStaticKey: difference == "static" ? X25519.PrivateKey().publicKey : responderKey.publicKey,
            preSharedKeys: [difference == "psk" ? .random(count: 32) : psk]
        )
        var responder = HandshakeState(
            pattern,
            role: .responder,
            prologue: [],
            staticKey: responderKey,
            preSharedKeys: [psk]
        )
        #expect(throws: CryptoError(.authenticationFailed, "")) {
            _ = try responder.read(initiator.write([])[...])
            _ = try initiator.read(responder.write([])[...])
            _ = try responder.read(initiator.write([])[...])
        }
    }
}

private struct NoiseFile: Decodable {
    let vectors: [NoiseJSON]
}

private struct NoiseJSON: Decodable {
    struct Message: Decodable {
        let payload: String
        let ciphertext: String
    }

    let protocol_name: String
    let init_prologue: String
    let init_psks: [String]?
    let init_static: String?
    let init_ephemeral: String?
    let resp_static: String?
    let resp_ephemeral: String?
    let handshake_hash: String
    let messages: [Message]

    func run(_ pattern: HandshakePattern) throws -> NoiseRun {
        func optional(_ hex: String?) throws -> [UInt8]? { try hex.map { try #require(bytes(hex: $0)) } }
        var run = NoiseRun(pattern: pattern)
        run.prologue = try #require(bytes(hex: init_prologue))
        run.preSharedKeys = try (init_psks ?? []).map { try #require(bytes(hex: $0)) }
        run.initiatorStatic = try optional(init_static)
        run.initiatorEphemeral = try optional(init_ephemeral)
        run.responderStatic = try optional(resp_static)
        run.responderEphemeral = try optional(resp_ephemeral)
        run.handshakeHash = try #require(bytes(hex: handshake_hash))
        run.messages = try messages.map {
            NoiseRun.Message(
                payload: try #require(bytes(hex: $0.payload)),
                ciphertext: try #require(bytes(hex: $0.ciphertext))
            )
        }
        return run
    }
}
