/// A backup of an identity outside of its data directory, under its own passphrase.
///
/// Shape: a vault 125, whose master key seals this once and nothing else · nonce 12 · SEAL(master key, nonce,
/// L("earshot/v1/backup") ‖ the vault, `01` · identity 65 · nickname length 1 · nickname).
///
/// Source: PROTOCOL §11.
package struct IdentityBackup: Sendable {
    /// The identity in the backup.
    package let identity: Identity
    /// The nickname of the identity's owner.
    package let nickname: Nickname

    /// Units: bytes of the largest backup.
    package static let maximumByteCount =
        VaultFile.byteCount + RecordAEAD.overhead + 1 + 65 + 1 + Nickname.maximumByteCount

    private static let version: UInt8 = 1
    private static let label = Label.backup.bytes

    /// Makes a backup of an identity.
    package init(of identity: Identity, nickname: Nickname) {
        self.identity = identity
        self.nickname = nickname
    }

    /// Seals the backup under a passphrase.
    ///
    /// - Throws: `outOfMemory`.
    package func sealed(passphrase: SecretBytes, cost: PassphraseCost) throws(CryptoError) -> [UInt8] {
        let key = MasterKey()
        let vault = try VaultFile(closing: key, passphrase: passphrase, cost: cost)
        return vault.bytes + seal(under: key, beside: vault)
    }

    func seal(under key: MasterKey, beside vault: VaultFile) -> [UInt8] {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(identity.exported())
        writer.append(integer: UInt8(nickname.bytes.count))
        writer.append(nickname.bytes)
        return RecordAEAD(key: key.secret).seal(
            writer.finish(),
            associatedData: Self.label + vault.bytes
        )
    }

    /// Opens a backup.
    ///
    /// - Throws: `malformed` for bytes that are not a backup, `wrongPassphrase`, `authenticationFailed` for a changed
    ///   backup, `unknownVersion`, and the errors of `VaultFile` and `Nickname`.
    package init(opening bytes: [UInt8], passphrase: SecretBytes) throws(CryptoError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw CryptoError(.malformed, "This is not a backup of an identity.")
        }
        let vault = try VaultFile(decoding: Array(bytes.prefix(VaultFile.byteCount)))
        try self.init(opening: bytes, vault, key: vault.open(passphrase: passphrase))
    }

    /// Opens a backup after the slow step.
    init(opening bytes: [UInt8], _ vault: VaultFile, key: MasterKey) throws(CryptoError) {
        let sealed = Array(bytes.dropFirst(VaultFile.byteCount))
        let place = Self.label + vault.bytes
        guard let content = RecordAEAD(key: key.secret).openSecret(sealed, associatedData: place) else {
            throw CryptoError(
                .authenticationFailed,
                "The passphrase is right, but the backup is damaged."
            )
        }
        var reader = SecretReader(content)
        guard reader.integer(UInt8.self) == Self.version else {
            throw CryptoError(
                .unknownVersion,
                "The backup comes from an unknown version of Earshot."
            )
        }
        guard let record = reader.secret(65), let count = reader.integer(UInt8.self),
            let name = reader.bytes(Int(count)),
            reader.isAtEnd
        else { throw CryptoError(.malformed, "The content of the backup is not an identity.") }
        identity = try Identity(importing: record)
        nickname = try Nickname(decoding: name)
    }
}
