/// The key from which all storage keys are derived.
///
/// It is made once, together with the vault. A change of passphrase does not change it.
///
/// Source: PROTOCOL §11.
package struct MasterKey: Sendable {
    /// The bytes of the key.
    ///
    /// Shape: 32 bytes.
    package let secret: SecretBytes

    /// Units: bytes.
    package static let byteCount = 32

    /// Makes a new key.
    package init() {
        secret = .random(count: MasterKey.byteCount)
    }

    package init(secret: SecretBytes) {
        precondition(secret.count == MasterKey.byteCount, "a master key has 32 bytes")
        self.secret = secret
    }
}

// MARK: - Key file

extension MasterKey {
    /// The first bytes of a key file.
    private static let magic = Array("EARSHOTK".utf8)

    /// The content of a key file, for a data directory without a passphrase.
    ///
    /// A reader of the file can open everything. Shape: 0 magic `EARSHOTK` 8 · 8 key 32.
    package var keyFile: SecretBytes {
        SecretBytes(count: MasterKey.magic.count + MasterKey.byteCount) { output in
            output.copyBytes(from: MasterKey.magic)
            secret.withBytes { output[MasterKey.magic.count...].copyBytes(from: $0) }
        }
    }

    /// Reads a key file.
    ///
    /// - Throws: `malformed`.
    package init(keyFile: SecretBytes) throws(CryptoError) {
        let magic = MasterKey.magic
        guard keyFile.count == magic.count + MasterKey.byteCount,
            keyFile.withBytes({ $0.starts(with: magic) })
        else {
            throw CryptoError(.malformed, "This is not an Earshot key file.")
        }
        self.init(secret: keyFile.slice(magic.count..<keyFile.count))
    }
}
