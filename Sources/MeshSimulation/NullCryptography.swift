public import MeshCore

/// Cryptography that hides nothing but has the sizes of the real one.
///
/// It rejects damaged data and other meshes.
///
/// Everything is a keyed checksum, which detects accidents but does not stop an attacker. For simulations only.
public struct NullCryptography: MeshCryptography {
    private let meshKey: UInt64
    private let tags: [UInt32]
    /// The node id that a hostile node shows although its key has another one.
    private var copiedID: NodeID?
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

    /// Creates the cryptography of a node that shows the id of another, whose key it has not.
    init(meshKey: UInt64, copiedID: NodeID) {
        self.init(meshKey: meshKey)
        self.copiedID = copiedID
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

    /// Creates the key whose node id is `seed`.
    public func nodeKey(seed: UInt64) -> any NodeKey {
        NullNodeKey(meshKey: meshKey, number: copiedID.map { ~$0.value } ?? seed)
    }

    /// Returns the number of which a null key consists.
    public func nodeID(of publicKey: [UInt8]) -> NodeID {
        let number = publicKey.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return copiedID.flatMap { number == ~$0.value ? $0 : nil } ?? NodeID(number)
    }
}

/// A node key that consists of its number, so that everybody can make every key.
struct NullNodeKey: NodeKey {
    let meshKey: UInt64
    let number: UInt64

    var publicKey: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            + [UInt8](repeating: 0, count: 24)
    }

    func initiatorHandshake(header: [UInt8]) -> any LinkHandshake { handshake(header, isInitiator: true) }

    func responderHandshake(header: [UInt8]) -> any LinkHandshake { handshake(header, isInitiator: false) }

    private func handshake(_ header: [UInt8], isInitiator: Bool) -> NullHandshake {
        var sum = Checksum(seed: meshKey)
        sum.add(header[...])
        return NullHandshake(meshKey: meshKey, ownKey: publicKey, isInitiator: isInitiator, transcript: sum)
    }
}

/// A handshake of three messages of 48, 96 and 64 bytes, like Noise XXpsk0: public values, and tags over all before.
struct NullHandshake: LinkHandshake {
    let meshKey: UInt64
    let ownKey: [UInt8]
    let isInitiator: Bool
    private var transcript: Checksum
    private var messageCount = 0
    private(set) var peerKey: [UInt8]?

    init(meshKey: UInt64, ownKey: [UInt8], isInitiator: Bool, transcript: Checksum) {
        self.meshKey = meshKey
        self.ownKey = ownKey
        self.isInitiator = isInitiator
        self.transcript = transcript
    }

    private var isWriter: Bool { messageCount < 3 && messageCount.isMultiple(of: 2) == isInitiator }

    mutating func writeMessage() -> [UInt8]? {
        guard isWriter else { return nil }
        return append(ownKey)
    }

    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard messageCount < 3, !isWriter, message.count == [48, 96, 64][messageCount] else { return false }
        var next = self
        let key = messageCount == 0 ? nil : Array(message.dropLast(32).suffix(32))
        guard next.append(key ?? []) == Array(message) else { return false }
        self = next
        peerKey = key
        return true
    }

    func finish() -> (any LinkCipher)? {
        messageCount == 3 ? NullCipher(meshKey: meshKey, isInitiator: isInitiator) : nil
    }

    /// Returns the next message, with the key of its writer, and adds it to the transcript.
    private mutating func append(_ key: [UInt8]) -> [UInt8] {
        let share = [UInt8](repeating: UInt8(messageCount + 1), count: messageCount == 2 ? 0 : 32)
        transcript.add(share[...])
        var message = share
        if messageCount > 0 {
            transcript.add(key[...])
            message += key + transcript.code
        }
        transcript.add(UInt64(messageCount))
        messageCount += 1
        return message + transcript.code
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
