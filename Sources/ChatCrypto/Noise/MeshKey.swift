import Bytes

/// The key that the nodes of one mesh share; an open mesh has one that everybody knows.
///
/// It keeps strangers off the links and their beacons out of the neighbour table. It protects no message: those are
/// sealed from end to end.
/// Source: PROTOCOL §3.2, §4.
package struct MeshKey: Sendable {
    /// Shape: 32 bytes.
    package let secret: SecretBytes

    /// Takes up a key from its 32 bytes, as an invite carries them.
    package init(secret: SecretBytes) {
        precondition(secret.count == 32, "a mesh key has 32 bytes")
        self.secret = secret
    }

    /// Makes a new key for invites.
    package static func random() -> MeshKey {
        MeshKey(secret: .random(count: 32))
    }

    /// The key of a mesh without a secret.
    package static let open = MeshKey(secret: SecretBytes(copying: SHA256.hash(label: Label.openMesh)))

    /// Stretches a passphrase that the members tell each other.
    ///
    /// A recorded handshake lets anyone try passphrases at leisure, hence Argon2id. The salt is fixed, made from a
    /// label: the members share nothing but the passphrase before their first link, so there is nobody to hand out a
    /// random one. One table of passphrases therefore serves against every mesh, at the price of a stretch per entry.
    ///
    /// - Parameter passphrase: UTF-8 of its NFKC form.
    /// - Throws: `outOfMemory`.
    package static func stretching(passphrase: SecretBytes) throws(CryptoError) -> MeshKey {
        MeshKey(
            secret: try Argon2id.derive(
                passphrase: passphrase,
                salt: Array(SHA256.hash(label: Label.meshSalt).prefix(Argon2id.saltByteCount)),
                iterations: stretchIterations,
                memoryByteCount: stretchMemoryByteCount,
                count: 32
            )
        )
    }

    /// The tag by which beacons of one day show their network to those who have the key.
    ///
    /// Shape: 4 bytes.
    /// - Parameter day: days since 1970.
    package func networkTag(day: UInt32) -> [UInt8] {
        Array(SHA256.hash(label: Label.meshTag, secret: secret, day.bigEndianBytes).prefix(4))
    }

    /// The key that authenticates beacons.
    ///
    /// Shape: 32 bytes.
    package func beaconKey() -> SecretBytes {
        HKDF.derive(salt: [], inputKey: secret, info: Label.meshBeacon, count: 32)
    }

    /// Part of the protocol: with other costs two members would get two keys.
    private static let stretchIterations: UInt64 = 3
    /// Small enough for every device a mesh may have.
    private static let stretchMemoryByteCount = 64 << 20
}
