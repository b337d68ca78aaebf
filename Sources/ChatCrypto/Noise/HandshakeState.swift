/// One side of a Noise handshake.
///
/// A refused message leaves the state unchanged. Source: The Noise Protocol Framework, revision 34, section 5.3.
struct HandshakeState: Sendable {
    enum Role: Sendable {
        case initiator, responder
    }

    let role: Role
    private let pattern: HandshakePattern
    private(set) var symmetric: SymmetricState
    private let staticKey: X25519.PrivateKey?
    private var ephemeralKey: X25519.PrivateKey?
    /// The other side's static key.
    ///
    /// A key that the other side sent counts once the message that contains it was read.
    private(set) var remoteStaticKey: [UInt8]?
    private var remoteEphemeralKey: [UInt8]?
    private var preSharedKeys: ArraySlice<SecretBytes>
    private var messageIndex = 0

    /// Starts a handshake.
    ///
    /// The pattern determines the keys that are needed.
    init(
        _ pattern: HandshakePattern,
        role: Role,
        prologue: [UInt8],
        staticKey: X25519.PrivateKey? = nil,
        remoteStaticKey: [UInt8]? = nil,
        preSharedKeys: [SecretBytes] = []
    ) {
        precondition(preSharedKeys.allSatisfy { $0.count == 32 }, "a pre-shared key has 32 bytes")
        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.remoteStaticKey = remoteStaticKey
        self.preSharedKeys = preSharedKeys[...]
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
        if pattern.isResponderKnown {
            guard let known = role == .initiator ? remoteStaticKey : staticKey?.publicKey else {
                preconditionFailure("the pattern needs the responder's static key")
            }
            symmetric.mixHash(known)
        }
    }

    /// Whether this side writes the next message.
    var isWriter: Bool {
        !isFinished && messageIndex.isMultiple(of: 2) == (role == .initiator)
    }

    /// Whether all messages were written or read.
    var isFinished: Bool { messageIndex == pattern.messages.count }

    /// Writes the next message.
    ///
    /// - Throws: `lowOrderPoint` for a key that the other side sent earlier.
    mutating func write(_ payload: [UInt8]) throws(CryptoError) -> [UInt8] {
        precondition(isWriter, "the sides of a handshake take turns")
        var next = self
        var message: [UInt8] = []
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e: message += next.writeEphemeralKey()
            case .s: message += next.symmetric.encryptAndHash(next.required(staticKey).publicKey)
            case .ee, .es, .se, .ss, .psk: try next.mix(token)
            }
        }
        message += next.symmetric.encryptAndHash(payload)
        next.messageIndex += 1
        self = next
        return message
    }

    /// Reads the other side's message and returns its payload.
    ///
    /// - Throws: `malformed`, `lowOrderPoint` or `authenticationFailed`. After an error the state is unchanged.
    mutating func read(_ message: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        guard !isFinished, !isWriter else {
            throw CryptoError(.malformed, "No handshake message is expected.")
        }
        var next = self
        var rest = message
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e:
                next.readEphemeralKey(try HandshakeState.take(X25519.keyByteCount, from: &rest))
            case .s:
                let sealed = try HandshakeState.take(X25519.keyByteCount + next.symmetric.overhead, from: &rest)
                next.remoteStaticKey = try next.symmetric.decryptAndHash(sealed)
            case .ee, .es, .se, .ss, .psk:
                try next.mix(token)
            }
        }
        let payload = try next.symmetric.decryptAndHash(rest)
        next.messageIndex += 1
        self = next
        return payload
    }

    /// Derives the ciphers of the finished handshake, named from this side.
    func split() -> (sending: CipherState, receiving: CipherState) {
        precondition(isFinished, "ciphers come after the last message")
        let (initiator, responder) = symmetric.split()
        return role == .initiator ? (initiator, responder) : (responder, initiator)
    }

    // MARK: - Tokens

    private mutating func writeEphemeralKey() -> [UInt8] {
        let key = X25519.PrivateKey()
        ephemeralKey = key
        mixEphemeralKey(key.publicKey)
        return key.publicKey
    }

    private mutating func readEphemeralKey(_ bytes: ArraySlice<UInt8>) {
        let key = Array(bytes)
        remoteEphemeralKey = key
        mixEphemeralKey(key)
    }

    private mutating func mixEphemeralKey(_ publicKey: [UInt8]) {
        symmetric.mixHash(publicKey)
        // The first sealed payload of a psk pattern has to depend on a fresh value. Source: section 9.2.
        if pattern.usesPreSharedKey { symmetric.mixKey(SecretBytes(copying: publicKey)) }
    }

    private mutating func mix(_ token: HandshakePattern.Token) throws(CryptoError) {
        switch token {
        case .psk:
            guard let key = preSharedKeys.popFirst() else { preconditionFailure("the pattern needs a pre-shared key") }
            symmetric.mixKeyAndHash(key)
        case .ee:
            symmetric.mixKey(try required(ephemeralKey).sharedSecret(with: required(remoteEphemeralKey)))
        case .ss:
            symmetric.mixKey(try required(staticKey).sharedSecret(with: required(remoteStaticKey)))
        case .es where role == .initiator, .se where role == .responder:
            symmetric.mixKey(try required(ephemeralKey).sharedSecret(with: required(remoteStaticKey)))
        case .es, .se:
            symmetric.mixKey(try required(staticKey).sharedSecret(with: required(remoteEphemeralKey)))
        case .e, .s:
            preconditionFailure("a key is sent, not mixed")
        }
    }

    private func required<Key>(_ key: Key?) -> Key {
        guard let key else { preconditionFailure("the pattern needs a key that was not given") }
        return key
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(CryptoError) -> ArraySlice<UInt8>
    {
        guard rest.count >= count else {
            throw CryptoError(.malformed, "A handshake message is too short.")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
