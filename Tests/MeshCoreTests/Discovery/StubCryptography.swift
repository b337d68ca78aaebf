import Bytes
import MeshCore

/// Cryptography for tests of discovery, with a keyed checksum instead of the MAC and without handshakes.
struct StubCryptography: MeshCryptography {
    var tags: [UInt32] = []
    var beaconKey: [UInt8]?

    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 { toyHash(shortID, salt) }
    func networkTags() -> [UInt32] { tags }

    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        for salt in UInt64(1)...2 {
            writer.append(integer: (key + message).reduce(salt) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        }
        return writer.bytes
    }

    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID {
        preconditionFailure("discovery hashes no envelopes")
    }

    func proofHash(deliveryProof: [UInt8]) -> [UInt8] { preconditionFailure("discovery hashes no releases") }

    func nodeKey(seed: UInt64) -> any NodeKey { preconditionFailure("discovery shakes no hands") }

    func nodeID(of publicKey: [UInt8]) -> NodeID { preconditionFailure("discovery shakes no hands") }
}
