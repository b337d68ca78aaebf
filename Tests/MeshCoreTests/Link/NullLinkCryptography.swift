import Synchronization

@testable import MeshCore

/// Test cryptography with the real sizes; it hides nothing but still rejects damage and other passphrases.
struct NullLinkCryptography: MeshCryptography {
    let meshKey: UInt64
    /// The source of ephemeral values.
    let ephemerals: TestCounter
    /// The number of key agreements.
    let agreements = TestCounter(first: 0)

    init(meshKey: UInt64 = 1, firstEphemeral: UInt64 = 1) {
        self.meshKey = meshKey
        ephemerals = TestCounter(first: firstEphemeral)
    }

    var beaconKey: [UInt8]? { nil }

    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID {
        EnvelopeID(bytes: NullChecksum.code(of: [[kindByte][...], body], key: 0)) ?? EnvelopeID.null
    }

    func proofHash(deliveryProof: [UInt8]) -> [UInt8] {
        NullChecksum.code(of: [deliveryProof[...]], key: 2)
    }

    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        NullChecksum.code(of: [key[...], message[...]], key: 3)
    }

    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 { toyHash(shortID, salt) }
    func networkTags() -> [UInt32] { [] }

    /// Makes the key whose node id is `seed`.
    func nodeKey(seed: UInt64) -> any NodeKey { nodeKey(seed, salt: 0) }

    /// Makes one of many keys whose node id is `seed`.
    func nodeKey(_ seed: UInt64, salt: UInt64) -> any NodeKey {
        NullLinkKey(cryptography: self, publicKey: [seed, salt, 0, 0].flatMap(NullChecksum.bytes))
    }

    func nodeID(of publicKey: [UInt8]) -> NodeID { NodeID(publicKey.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
}

/// A node key without a secret.
private struct NullLinkKey: NodeKey {
    let cryptography: NullLinkCryptography
    let publicKey: [UInt8]

    func initiatorHandshake(header: [UInt8]) -> any LinkHandshake { handshake(header, isInitiator: true) }

    func responderHandshake(header: [UInt8]) -> any LinkHandshake { handshake(header, isInitiator: false) }

    private func handshake(_ header: [UInt8], isInitiator: Bool) -> NullLinkHandshake {
        NullLinkHandshake(
            meshKey: cryptography.meshKey,
            ephemeral: cryptography.ephemerals.next(),
            ownKey: publicKey,
            isInitiator: isInitiator,
            agreements: cryptography.agreements,
            transcript: header
        )
    }
}

extension EnvelopeID {
    fileprivate static var null: EnvelopeID { EnvelopeID(bytes: repeatElement(0, count: 16)).unsafelyUnwrapped }
}

/// A number that copies of a value share.
final class TestCounter: Sendable {
    private let value: Mutex<UInt64>

    init(first: UInt64) {
        value = Mutex(first)
    }

    var current: UInt64 { value.withLock { $0 } }

    @discardableResult

    func next() -> UInt64 {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// A keyed checksum of 16 bytes.
enum NullChecksum {
    static func code(of parts: [ArraySlice<UInt8>], key: UInt64) -> [UInt8] {
        var state = key ^ 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            state ^= UInt64(part.count) << 32
        }
        var mixer = SplitMix64(seed: state)
        var code: [UInt8] = []
        for word in [mixer.next(), mixer.next()] {
            for shift in stride(from: 56, through: 0, by: -8) { code.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return code
    }

    static func bytes(of value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// A handshake of three messages: "key shares", node keys, and checksums over all before.
private struct NullLinkHandshake: LinkHandshake {
    let meshKey: UInt64
    let ephemeral: UInt64
    let ownKey: [UInt8]
    let isInitiator: Bool
    let agreements: TestCounter
    var transcript: [UInt8]
    var messageCount = 0
    var peerKey: [UInt8]?

    private var isWriter: Bool { messageCount < 3 && messageCount.isMultiple(of: 2) == isInitiator }

    mutating func writeMessage() -> [UInt8]? {
        guard isWriter else { return nil }
        return append((0..<4).flatMap { _ in NullChecksum.bytes(of: ephemeral) }, ownKey)
    }

    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard messageCount < 3, !isWriter, message.count == [48, 96, 64][messageCount] else { return false }
        var next = self
        let isFirst = messageCount == 0
        let key = Array(message.dropLast(32).suffix(32))
        guard next.append(Array(message.prefix(32)), isFirst ? [] : key) == Array(message) else { return false }
        self = next
        if !isFirst { peerKey = key }
        return true
    }

    func finish() -> (any LinkCipher)? {
        guard messageCount == 3 else { return nil }
        let root = NullChecksum.code(of: [transcript[...]], key: meshKey)
        let key = root.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return NullLinkCipher(sendKey: isInitiator ? key : ~key, receiveKey: isInitiator ? ~key : key)
    }

    /// Returns the next message and adds it to the transcript.
    private mutating func append(_ share: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var message: [UInt8] = []
        if messageCount < 2 { message += share }
        if messageCount > 0 {
            agreements.next()
            message += key
            message += NullChecksum.code(of: [transcript[...], message[...]], key: meshKey)
        }
        message += NullChecksum.code(of: [transcript[...], message[...]], key: ~meshKey)
        transcript += message
        messageCount += 1
        return message
    }
}

/// A cipher that sends clear text with a keyed checksum; as strict about phases as the real cipher may be.
private struct NullLinkCipher: LinkCipher {
    let sendKey: UInt64
    let receiveKey: UInt64
    var sendPhase: UInt64 = 0
    var receivePhase: UInt64 = 0

    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64) {
        precondition(phase <= sendPhase + 1, "phase \(phase) after \(sendPhase)")
        sendPhase = max(sendPhase, phase)
        let (header, plaintext) = (datagram[..<headerByteCount], datagram[headerByteCount...])
        datagram += tag(plaintext, packetNumber, phase, header, key: sendKey)
    }

    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]? {
        precondition(phase <= receivePhase + 1 && phase + 1 >= receivePhase, "phase \(phase) after \(receivePhase)")
        let plaintext = ciphertext.dropLast(16)
        guard Array(ciphertext.suffix(16)) == tag(plaintext, packetNumber, phase, header, key: receiveKey) else {
            return nil
        }
        receivePhase = max(receivePhase, phase)
        return Array(plaintext)
    }

    private func tag(
        _ plaintext: ArraySlice<UInt8>,
        _ packetNumber: UInt64,
        _ phase: UInt64,
        _ header: ArraySlice<UInt8>,
        key: UInt64
    ) -> [UInt8] {
        let nonce = NullChecksum.bytes(of: packetNumber) + NullChecksum.bytes(of: phase)
        return NullChecksum.code(of: [nonce[...], header, plaintext], key: key)
    }
}

extension NullLinkCryptography {
    /// Makes the INIT of any node.
    func initiation(from node: NodeID, connection: UInt32, cookie: [UInt8] = []) -> LinkDatagram.Initiation {
        var handshake = nodeKey(seed: node.value)
            .initiatorHandshake(header: LinkDatagram.Initiation.header(connection: connection, node: node))
        let message = handshake.writeMessage() ?? []
        return LinkDatagram.Initiation(connection: connection, node: node, cookie: cookie, message: message)
    }
}
