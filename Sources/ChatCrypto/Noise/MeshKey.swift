import Bytes

/// The key that the nodes of one mesh share; the key of an open mesh is public.
///
/// It keeps nodes without the key off the links, and their beacons out of the neighbour table. It protects no message:
/// messages are sealed from end to end. Source: PROTOCOL §3.2, §4.
package struct MeshKey: Sendable {
    /// The bytes of the key.
    ///
    /// Shape: 32 bytes.
    package let secret: SecretBytes

    /// Takes a key from its 32 bytes, as an invite carries them.
    package init(secret: SecretBytes) {
        precondition(secret.count == 32, "a mesh key has 32 bytes")
        self.secret = secret
    }

    /// Makes a new key for invites.
    package static func random() -> MeshKey {
        MeshKey(secret: .random(count: 32))
    }

    /// The public key of a mesh without a secret.
    package static let open = MeshKey(secret: SecretBytes(copying: SHA256.hash(label: Label.openMesh)))

    /// Stretches a passphrase that the members share.
    ///
    /// A recorded handshake allows an attacker to try passphrases offline, so the function uses Argon2id. The salt is
    /// fixed, made from a label: before their first link the members share nothing but the passphrase, so no node can
    /// distribute a random salt. One table of passphrases therefore works against every mesh, at the price of one
    /// stretch per entry.
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

    /// The tag in the beacons of one day.
    ///
    /// Nodes that have the key recognise their network by it.
    ///
    /// Shape: 4 bytes.
    /// - Parameter day: days since 1970.
    package func networkTag(day: UInt32) -> [UInt8] {
        Array(SHA256.hash(label: Label.meshTag, secret: secret, day.bigEndianBytes).prefix(4))
    }

    /// Derives the key that authenticates beacons.
    ///
    /// Shape: 32 bytes.
    package func beaconKey() -> SecretBytes {
        HKDF.derive(salt: [], inputKey: secret, info: Label.meshBeacon, count: 32)
    }

    /// The cost is a part of the protocol: with different costs two members would derive two keys.
    private static let stretchIterations: UInt64 = 3
    /// The memory is small enough for every device that a mesh may have.
    private static let stretchMemoryByteCount = 64 << 20
}
