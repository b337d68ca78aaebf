public import ChatCore
import ChatCrypto
import Foundation
public import MeshCore

/// The mesh's cryptography: `MeshCryptography` by means of ChatCrypto.
///
/// A program that uses `MeshTransport` without chat passes it to its node.
public struct MeshSeals: MeshCryptography {
    private let key: MeshKey
    private let isClosed: Bool
    private let beaconSecret: SecretBytes

    /// Makes the cryptography of an open mesh, or of one that is closed to nodes without the passphrase.
    ///
    /// - Parameter passphrase: The mesh's passphrase, whose stretching takes a moment; nil for the open mesh.
    /// - Throws: `cryptographyUnavailable` if there is not enough memory to stretch it.
    public init(passphrase: String?) throws(ChatError) {
        do {
            if let passphrase {
                key = try MeshKey.stretching(passphrase: SecretBytes(normalizing: passphrase))
                isClosed = true
            } else {
                key = .open
                isClosed = false
            }
        } catch {
            throw ChatError(.cryptographyUnavailable, "The mesh passphrase could not be stretched: \(error.reason)")
        }
        beaconSecret = key.beaconKey()
    }

    /// Returns the beginning of a SHA-256 hash of the immutable bytes.
    public func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID {
        Self.envelopeID(kindByte: kindByte, body: body)
    }

    /// Returns the id of an envelope; a hash always has the 16 bytes of an id.
    static func envelopeID(kindByte: UInt8, body: some Collection<UInt8>) -> EnvelopeID {
        let name = EnvelopeName.bytes(kindByte: kindByte, body: body)
        guard let id = EnvelopeID(bytes: name) else { preconditionFailure("an envelope name of \(name.count) bytes") }
        return id
    }

    /// Returns the beginning of a SHA-256 hash of the delivery proof.
    public func proofHash(deliveryProof: [UInt8]) -> [UInt8] {
        DeliveryProofHash.of(deliveryProof: deliveryProof)
    }

    /// Returns the beginning of an HMAC-SHA256 code.
    public func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(message, key: SecretBytes(copying: key)).prefix(16))
    }

    /// Returns SipHash-2-4 of a short id under a salt.
    public func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 {
        ShortHash.of(shortID, salt: salt)
    }

    /// Returns the tags of today, yesterday and tomorrow in a closed mesh; none in an open one.
    public func networkTags() -> [UInt32] {
        guard isClosed else { return [] }
        let today = UInt32(clamping: Int64(Date().timeIntervalSince1970 / 86_400))
        return [today, today &- 1, today &+ 1].map { day in
            key.networkTag(day: day).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The key derived from the passphrase in a closed mesh; nil in an open one.
    public var beaconKey: [UInt8]? {
        isClosed ? beaconSecret.withBytes { Array($0) } : nil
    }

    /// Returns a new X25519 key, which does not depend on `seed`.
    public func nodeKey(seed: UInt64) -> any NodeKey { SealedNodeKey(meshKey: key, pair: NodeKeyPair()) }

    /// Returns the beginning of a SHA-256 hash of the key.
    public func nodeID(of publicKey: [UInt8]) -> NodeID {
        NodeID(NodeKeyPair.nodeID(of: publicKey).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// A node key as the mesh sees it.
private struct SealedNodeKey: NodeKey {
    let meshKey: MeshKey
    let pair: NodeKeyPair

    var publicKey: [UInt8] { pair.publicKey }

    func initiatorHandshake(header: [UInt8]) -> any LinkHandshake {
        LinkNoiseHandshake(noise: .initiator(meshKey: meshKey, nodeKey: pair, header: header))
    }

    func responderHandshake(header: [UInt8]) -> any LinkHandshake {
        LinkNoiseHandshake(noise: .responder(meshKey: meshKey, nodeKey: pair, header: header))
    }
}

/// A link's handshake as the mesh sees it.
private struct LinkNoiseHandshake: LinkHandshake {
    var noise: LinkNoise

    var peerKey: [UInt8]? { noise.peerKey }

    mutating func writeMessage() -> [UInt8]? {
        noise.writeMessage()
    }

    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        noise.readMessage(message)
    }

    mutating func finish() -> (any LinkCipher)? {
        noise.finish().map(SealedLink.init)
    }
}

/// A link's ciphers as the mesh sees them.
private struct SealedLink: LinkCipher {
    var ciphers: LinkCiphers

    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64) {
        ciphers.seal(&datagram, headerByteCount: headerByteCount, packetNumber: packetNumber, phase: phase)
    }

    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]? {
        ciphers.open(ciphertext, packetNumber: packetNumber, phase: phase, header: header)
    }
}
