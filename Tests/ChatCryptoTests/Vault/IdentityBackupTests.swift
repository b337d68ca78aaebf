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

    @Test("The known identity gives the known backup, byte for byte, and the known backup opens")
    func knownAnswer() throws {
        let known = try VectorFile("backup").cases[0]
        let alice = try KnownPeople().alice
        let nickname = try Nickname(try known.text("nickname"))
        let secret = SecretBytes(copying: try known.bytes("passphrase"))
        let cost = try PassphraseCost(
            iterations: UInt32(known.number("iterations")),
            memoryKibibytes: UInt32(known.number("kibibytes"))
        )
        let names = ["master key", "salt", "vault nonce", "nonce"]
        let tape = RandomTape(try names.flatMap { try known.bytes($0) })
        let sealed = try Randomness.$tape.withValue(tape) {
            try IdentityBackup(of: alice, nickname: nickname).sealed(passphrase: secret, cost: cost)
        }
        #expect(try sealed == known.bytes("backup"))
        #expect(tape.isExhausted)
        let opened = try IdentityBackup(opening: known.bytes("backup"), passphrase: secret)
        #expect(opened.identity.exported().exposed == alice.exported().exposed && opened.nickname == nickname)
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
