import Testing

@testable import ChatCrypto

@Suite("Backups of identities")
struct IdentityBackupTests {
    private let passphrase = SecretBytes(copying: Array("horse".utf8))
    private let identity = Identity()

    @Test("The right passphrase brings identity and name back, a wrong one is one clear error")
    func roundTrip() throws {
        let backup = IdentityBackup(of: identity, nickname: try Nickname("Ödön"))
        let sealed = try backup.sealed(passphrase: passphrase, cost: .small)
        #expect(sealed.count <= IdentityBackup.maximumByteCount)
        let opened = try IdentityBackup(opening: sealed, passphrase: passphrase)
        #expect(opened.identity.exported().exposed == identity.exported().exposed)
        #expect(opened.nickname.text == "Ödön")
        #expect(throws: CryptoError(.wrongPassphrase, "")) {
            try IdentityBackup(opening: sealed, passphrase: SecretBytes(copying: [1]))
        }
        #expect(throws: CryptoError(.malformed, "")) {
            try IdentityBackup(opening: Array(sealed.prefix(124)), passphrase: passphrase)
        }
        #expect(throws: CryptoError(.malformed, "")) {
            try IdentityBackup(
                opening: sealed + [UInt8](repeating: 0, count: 200),
                passphrase: passphrase
            )
        }
    }

    @Test("A changed, cut or lengthened backup does not open, nor one beside another vault")
    func tampering() throws {
        let key = MasterKey()
        let vault = try VaultFile(closing: key, passphrase: passphrase, cost: .small)
        let backup = IdentityBackup(of: identity, nickname: try Nickname("Alice"))
        let sealed = vault.bytes + backup.seal(under: key, beside: vault)
        func opens(_ bytes: [UInt8], _ vault: VaultFile) -> Bool {
            (try? IdentityBackup(opening: bytes, vault, key: key)) != nil
        }
        #expect(opens(sealed, vault))
        for index in VaultFile.byteCount..<sealed.count {
            var changed = sealed
            changed[index] ^= 1
            #expect(!opens(changed, vault))
        }
        #expect(!opens(Array(sealed.dropLast()), vault))
        #expect(!opens(sealed + [0], vault))
        #expect(!opens(sealed, try VaultFile(closing: key, passphrase: passphrase, cost: .small)))
    }
}
