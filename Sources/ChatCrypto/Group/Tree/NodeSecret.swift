import Bytes

/// The derivations from the secret of a node.
///
/// Source: PROTOCOL §16.
enum NodeSecret {
    /// Units: bytes.
    static let byteCount = 32
    /// Units: bytes of the salt of an operation's wraps.
    static let saltByteCount = 16
    /// Units: bytes of a secret that is sealed for the members under one node.
    static let wrapByteCount = byteCount + AEAD.tagByteCount

    private static let noSalt = SecretBytes(copying: [])
    private static let wrapLabel = Label.groupWrap

    /// Derives the secret of the next epoch.
    static func next(_ secret: SecretBytes) -> SecretBytes {
        HKDF.derive(salt: noSalt, inputKey: secret, info: Label.groupNodeNext, count: byteCount)
    }

    /// Derives a secret that is a number of epochs later.
    static func next(_ secret: SecretBytes, steps: UInt32) -> SecretBytes {
        var secret = secret
        for _ in 0..<steps { secret = next(secret) }
        return secret
    }

    /// Derives the secret of the parent.
    static func up(_ secret: SecretBytes) -> SecretBytes {
        HKDF.derive(salt: noSalt, inputKey: secret, info: Label.groupNodeUp, count: byteCount)
    }

    /// Computes the hash by which an operation names the secret of the root.
    static func check(_ root: SecretBytes) -> [UInt8] { SHA256.hash(label: Label.groupHeaderKey, secret: root) }

    /// The key and the nonce under which a node's secret seals that of its parent, once per salt.
    static func wrapKey(_ secret: SecretBytes, salt: [UInt8]) -> (key: SecretBytes, nonce: [UInt8]) {
        let all = HKDF.derive(salt: salt, inputKey: secret, info: wrapLabel, count: 44)
        return (all.slice(0..<32), all.withBytes { Array($0[32..<44]) })
    }

    /// Seals the secret of a node for the members under one of its children.
    static func wrap(
        _ secret: SecretBytes,
        of parent: TreeNode,
        under child: SecretBytes,
        salt: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8] {
        let (key, nonce) = wrapKey(child, salt: salt)
        return AEAD.sealSecret(secret, key: key, nonce: nonce, associatedData: associatedData + parent.encoded)
    }

    /// Opens the output of `wrap`; nil if it does not authenticate.
    static func unwrap(
        _ wrap: ArraySlice<UInt8>,
        of parent: TreeNode,
        under child: SecretBytes,
        salt: [UInt8],
        associatedData: [UInt8]
    ) -> SecretBytes? {
        let (key, nonce) = wrapKey(child, salt: salt)
        return AEAD.openSecret(wrap, key: key, nonce: nonce, associatedData: associatedData + parent.encoded)
    }
}
