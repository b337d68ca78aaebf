import Testing

@testable import ChatCrypto

/// Both sides of a handshake from a published vector, run message by message.
struct NoiseRun {
    struct Message {
        let payload: [UInt8]
        let ciphertext: [UInt8]
    }

    let pattern: HandshakePattern
    var prologue: [UInt8] = []
    var preSharedKeys: [[UInt8]] = []
    var initiatorStatic: [UInt8]?
    var initiatorEphemeral: [UInt8]?
    var responderStatic: [UInt8]?
    var responderEphemeral: [UInt8]?
    var handshakeHash: [UInt8] = []
    var messages: [Message] = []

    /// Runs the handshake, then the messages after it, and compares every byte.
    func check() throws {
        var initiator = state(.initiator)
        var responder = state(.responder)
        for (index, message) in messages.prefix(pattern.messages.count).enumerated() {
            if index.isMultiple(of: 2) {
                try exchange(message, from: &initiator, to: &responder, ephemeral: initiatorEphemeral)
            } else {
                try exchange(message, from: &responder, to: &initiator, ephemeral: responderEphemeral)
            }
        }
        #expect(initiator.isFinished && responder.isFinished)
        #expect(initiator.symmetric.hash == handshakeHash)
        #expect(responder.symmetric.hash == handshakeHash)
        try checkTransport(initiator.split(), responder.split())
    }

    private func state(_ role: HandshakeState.Role) -> HandshakeState {
        let own = role == .initiator ? initiatorStatic : responderStatic
        let other = role == .initiator && pattern.isResponderKnown ? responderStatic : nil
        return HandshakeState(
            pattern,
            role: role,
            prologue: prologue,
            staticKey: own.map(privateKey),
            remoteStaticKey: other.map { privateKey($0).publicKey },
            preSharedKeys: preSharedKeys.map { SecretBytes(copying: $0) }
        )
    }

    private func privateKey(_ seed: [UInt8]) -> X25519.PrivateKey {
        X25519.PrivateKey(seed: SecretBytes(copying: seed))
    }

    private func exchange(
        _ message: Message,
        from writer: inout HandshakeState,
        to reader: inout HandshakeState,
        ephemeral: [UInt8]?
    ) throws {
        let tape = RandomTape(ephemeral ?? [])
        let written = try Randomness.$tape.withValue(tape) { try writer.write(message.payload) }
        #expect(written == message.ciphertext)
        var damaged = written
        damaged[damaged.count - 1] ^= 1
        if reader.symmetric.overhead > 0 || damaged.count > 48 {
            let before = reader.symmetric.hash
            #expect(throws: CryptoError.self) { try reader.read(damaged[...]) }
            #expect(reader.symmetric.hash == before)
        }
        #expect(try reader.read(written[...]) == message.payload)
    }

    private func checkTransport(
        _ initiator: (sending: CipherState, receiving: CipherState),
        _ responder: (sending: CipherState, receiving: CipherState)
    ) throws {
        var (fromInitiator, atResponder) = (initiator.sending, responder.receiving)
        var (fromResponder, atInitiator) = (responder.sending, initiator.receiving)
        let isOneWay = pattern.messages.count == 1
        for (index, message) in messages.enumerated().dropFirst(pattern.messages.count) {
            if isOneWay || index.isMultiple(of: 2) {
                check(message, from: &fromInitiator, to: &atResponder)
            } else {
                check(message, from: &fromResponder, to: &atInitiator)
            }
        }
    }

    private func check(_ message: Message, from writer: inout CipherState, to reader: inout CipherState) {
        let sealed = writer.seal(message.payload, associatedData: [])
        #expect(sealed == message.ciphertext)
        let other = reader.open(sealed[...], associatedData: [1])
        #expect(other == nil)
        let opened = reader.open(sealed[...], associatedData: [])
        #expect(opened == message.payload)
    }
}

extension HandshakePattern {
    /// The patterns whose published vectors the tests run.
    ///
    /// None is used as it is. They show that the state of XXpsk0 is that of Noise, and so is the symmetric state of the
    /// prekey message.
    static let published = [
        HandshakePattern(name: "NNpsk0", isResponderKnown: false, messages: [[.psk, .e], [.e, .ee]]),
        HandshakePattern(name: "NN", isResponderKnown: false, messages: [[.e], [.e, .ee]]),
        HandshakePattern(name: "XK", isResponderKnown: true, messages: [[.e, .es], [.e, .ee], [.s, .se]]),
        HandshakePattern(name: "IK", isResponderKnown: true, messages: [[.e, .es, .s, .ss], [.e, .ee, .se]]),
        HandshakePattern(name: "XX", isResponderKnown: false, messages: [[.e], [.e, .ee, .s, .es], [.s, .se]]),
        HandshakePattern(name: "X", isResponderKnown: true, messages: [[.e, .es, .s, .ss]]),
        HandshakePattern(name: "XKpsk3", isResponderKnown: true, messages: [[.e, .es], [.e, .ee], [.s, .se, .psk]]),
    ]
}
