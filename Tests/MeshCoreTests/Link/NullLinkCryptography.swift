import MeshCore
import Synchronization

/// Test cryptography with the real sizes; it hides nothing but still rejects damage and other passphrases.
struct NullLinkCryptography: MeshCryptography {
    let meshKey: UInt64
    private let ephemeral: EphemeralCounter

    init(meshKey: UInt64 = 1, firstEphemeral: UInt64 = 1) {
        self.meshKey = meshKey
        ephemeral = EphemeralCounter(first: firstEphemeral)
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

    func initiatorHandshake() -> any LinkHandshake {
        NullLinkHandshake(meshKey: meshKey, ephemeral: ephemeral.next(), isInitiator: true)
    }

    func responderHandshake() -> any LinkHandshake {
        NullLinkHandshake(meshKey: meshKey, ephemeral: ephemeral.next(), isInitiator: false)
    }
}

extension EnvelopeID {
    fileprivate static var null: EnvelopeID { EnvelopeID(bytes: repeatElement(0, count: 16)).unsafelyUnwrapped }
}

/// The source of a new number for each handshake; the sequence is repeatable.
private final class EphemeralCounter: Sendable {
    private let value: Mutex<UInt64>

    init(first: UInt64) {
        value = Mutex(first)
    }

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

/// A handshake of two messages, each with 32 bytes of "key share" and a checksum.
private struct NullLinkHandshake: LinkHandshake {
    let meshKey: UInt64
    let ephemeral: UInt64
    let isInitiator: Bool
    var firstShare: [UInt8] = []
    var secondShare: [UInt8] = []

    mutating func writeMessage() -> [UInt8] {
        let share = (0..<4).flatMap { _ in NullChecksum.bytes(of: ephemeral) }
        if isInitiator {
            firstShare = share
        } else {
            secondShare = share
        }
        return share + tag(of: share)
    }

    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count == 48 else { return false }
        let share = Array(message.prefix(32))
        if isInitiator {
            secondShare = share
        } else {
            firstShare = share
        }
        guard Array(message.suffix(16)) == tag(of: share) else {
            if isInitiator { secondShare = [] } else { firstShare = [] }
            return false
        }
        return true
    }

    mutating func finish() -> (any LinkCipher)? {
        guard !firstShare.isEmpty, !secondShare.isEmpty else { return nil }
        let root = NullChecksum.code(of: [firstShare[...], secondShare[...]], key: meshKey)
        let key = root.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return NullLinkCipher(sendKey: isInitiator ? key : ~key, receiveKey: isInitiator ? ~key : key)
    }

    /// Computes the checksum of a message; that of the second message covers the first, as a transcript hash does.
    private func tag(of share: [UInt8]) -> [UInt8] {
        NullChecksum.code(of: [firstShare[...], share[...]], key: meshKey)
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
