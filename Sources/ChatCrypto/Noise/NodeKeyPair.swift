/// The X25519 key by which a node proves its node id in link handshakes.
///
/// A node makes a new one at its start and every 30 to 60 minutes. Source: PROTOCOL §3.2.
package struct NodeKeyPair: Sendable {
    let key: X25519.PrivateKey

    /// Makes a new key.
    package init() {
        key = X25519.PrivateKey()
    }

    /// Takes a key from its 32 bytes.
    package init(seed: SecretBytes) {
        key = X25519.PrivateKey(seed: seed)
    }

    /// The public key.
    ///
    /// Shape: 32 bytes.
    package var publicKey: [UInt8] { key.publicKey }

    /// Computes the node id of a public node key.
    ///
    /// Shape: 8 bytes.
    package static func nodeID(of publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.node, publicKey).prefix(8))
    }
}
