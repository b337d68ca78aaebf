public import MeshCore

/// Cryptography that hides nothing but has the sizes of the real one.
///
/// It rejects damaged data and other meshes.
///
/// Everything is a keyed checksum, which detects accidents but does not stop an attacker. For simulations only.
public struct NullCryptography: MeshCryptography {
    private let meshKey: UInt64
    private let tags: [UInt32]
    /// The key that authenticates beacons; nil in an open mesh.
    public let beaconKey: [UInt8]?

    /// Creates the cryptography of the mesh with this key.
    ///
    /// Nodes with different keys reject each other's links.
    public init(meshKey: UInt64 = 0, networkTags: [UInt32] = [], beaconKey: [UInt8]? = nil) {
        self.meshKey = meshKey
        tags = networkTags
        self.beaconKey = beaconKey
    }

    /// Returns a checksum of the content.
    public func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID {
        var sum = Checksum(seed: 1)
        sum.add(UInt64(kindByte))
        sum.add(body)
        guard let id = EnvelopeID(bytes: sum.code) else { preconditionFailure("a code has 16 bytes") }
        return id
    }

    /// Returns a checksum of the delivery proof.
    public func proofHash(deliveryProof: [UInt8]) -> [UInt8] {
        var sum = Checksum(seed: 2)
        sum.add(deliveryProof[...])
        return sum.code
    }

    /// Returns a checksum of key and message.
    public func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var sum = Checksum(seed: 3)
        sum.add(key[...])
        sum.add(message[...])
        return sum.code
    }

    /// Returns a checksum of salt and id.
    public func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 {
        var sum = Checksum(seed: salt)
        sum.add(shortID)
        return sum.value
    }

    /// Returns the tags given at initialization.
    public func networkTags() -> [UInt32] { tags }

    /// Creates a handshake that proves only knowledge of the mesh key.
    public func initiatorHandshake() -> any LinkHandshake { NullHandshake(meshKey: meshKey, isInitiator: true) }

    /// Creates a handshake that proves only knowledge of the mesh key.
    public func responderHandshake() -> any LinkHandshake { NullHandshake(meshKey: meshKey, isInitiator: false) }
}

/// A handshake of two messages of 48 bytes, like Noise NNpsk0: a public value and a tag.
struct NullHandshake: LinkHandshake {
    let meshKey: UInt64
    let isInitiator: Bool
    private var hasWritten = false
    private var hasRead = false

    init(meshKey: UInt64, isInitiator: Bool) {
        self.meshKey = meshKey
        self.isInitiator = isInitiator
    }

    mutating func writeMessage() -> [UInt8] {
        hasWritten = true
        return message(ofInitiator: isInitiator)
    }

    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard Array(message) == self.message(ofInitiator: !isInitiator) else { return false }
        hasRead = true
        return true
    }

    mutating func finish() -> (any LinkCipher)? {
        guard hasWritten, hasRead else { return nil }
        return NullCipher(meshKey: meshKey, isInitiator: isInitiator)
    }

    private func message(ofInitiator: Bool) -> [UInt8] {
        var sum = Checksum(seed: meshKey)
        sum.add(ofInitiator ? 1 : 2)
        return [UInt8](repeating: ofInitiator ? 1 : 2, count: 32) + sum.code
    }
}

/// A cipher that sends clear text with a 16-byte checksum over everything that a real cipher authenticates.
struct NullCipher: LinkCipher {
    let meshKey: UInt64
    let isInitiator: Bool

    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64) {
        let (header, plaintext) = (datagram[..<headerByteCount], datagram[headerByteCount...])
        datagram += sum(plaintext, packetNumber, phase, header, fromInitiator: isInitiator).code
    }

    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard ciphertext.count >= 16 else { return nil }
        let plaintext = ciphertext.dropLast(16)
        let expected = sum(plaintext, packetNumber, phase, header, fromInitiator: !isInitiator)
        return expected.isCode(ciphertext.suffix(16)) ? Array(plaintext) : nil
    }

    private func sum(
        _ plaintext: ArraySlice<UInt8>,
        _ packetNumber: UInt64,
        _ phase: UInt64,
        _ header: ArraySlice<UInt8>,
        fromInitiator: Bool
    ) -> Checksum {
        var sum = Checksum(seed: meshKey)
        sum.add(fromInitiator ? 3 : 4)
        sum.add(packetNumber)
        sum.add(phase)
        sum.add(header)
        sum.add(plaintext)
        return sum
    }
}
