import Bytes
import Testing

@testable import ChatCrypto

@Suite("Vault")
struct VaultFileTests {
    private let vector: VectorCase
    private let passphrase: SecretBytes
    private let vault: [UInt8]

    init() throws {
        vector = try #require(try VectorFile("vault").cases.first)
        passphrase = SecretBytes(copying: try vector.bytes("passphrase"))
        vault = try vector.bytes("vault")
    }

    @Test("The file is the one another implementation makes")
    func reproducesVector() throws {
        let master = MasterKey(secret: SecretBytes(copying: try vector.bytes("master key")))
        let tape = RandomTape(try vector.bytes("salt") + vector.bytes("nonce"))
        let closed = try Randomness.$tape.withValue(tape) {
            try VaultFile(closing: master, passphrase: passphrase, cost: .small)
        }
        #expect(closed.bytes == vault)
        #expect(tape.isExhausted)
    }

    @Test("The right passphrase opens it, a wrong one is one clear error")
    func opens() throws {
        let file = try VaultFile(decoding: vault)
        #expect(try file.cost == PassphraseCost(iterations: 3, memoryKibibytes: 65_536))
        #expect(try file.open(passphrase: passphrase).secret.exposed == vector.bytes("master key"))
        #expect(throws: CryptoError(.wrongPassphrase, "")) {
            try file.open(passphrase: SecretBytes(copying: Array("Correct horse battery staple".utf8)))
        }
    }

    @Test("A change of passphrase keeps the master key and leaves nothing for the old passphrase")
    func changesPassphrase() throws {
        let new = SecretBytes(copying: Array("another".utf8))
        let old = try VaultFile(decoding: vault)
        let changed = try old.changingPassphrase(from: passphrase, to: new, cost: .small)
        #expect(try changed.open(passphrase: new).secret.exposed == vector.bytes("master key"))
        #expect(throws: CryptoError(.wrongPassphrase, "")) { try changed.open(passphrase: passphrase) }
        #expect(zip(changed.bytes[17...], vault[17...]).count(where: ==) < 20, "salt, nonce and all after are fresh")
        #expect(throws: CryptoError(.wrongPassphrase, "")) {
            try old.changingPassphrase(from: new, to: passphrase, cost: .small)
        }
    }

    @Test(
        "A cost nobody should pay is refused before it is paid",
        arguments: [
            (0, 65_536), (2, 65_536), (17, 65_536), (.max, 65_536),
            (3, 0), (3, 65_535), (3, 1_048_577), (3, 1 << 30), (3, .max),
        ] as [(UInt32, UInt32)]
    )
    func boundsCosts(iterations: UInt32, kibibytes: UInt32) {
        var hostile = vault
        hostile.replaceSubrange(9..<17, with: iterations.bigEndianBytes + kibibytes.bigEndianBytes)
        #expect(throws: CryptoError(.outOfBounds, "")) { try VaultFile(decoding: hostile) }
        #expect(throws: CryptoError(.outOfBounds, "")) {
            try PassphraseCost(iterations: iterations, memoryKibibytes: kibibytes)
        }
    }

    @Test("The costs on offer are within bounds, and bounds are inclusive")
    func offersCosts() throws {
        for cost in [PassphraseCost.standard, .small] {
            #expect(try PassphraseCost(iterations: cost.iterations, memoryKibibytes: cost.memoryKibibytes) == cost)
        }
        _ = try PassphraseCost(iterations: 16, memoryKibibytes: 1_048_576)
    }

    @Test("Another version, another length and another file are told apart")
    func refusesOtherFiles() throws {
        var newer = vault
        newer[8] = 2
        #expect(throws: CryptoError(.unknownVersion, "")) { try VaultFile(decoding: newer) }
        #expect(throws: CryptoError(.unknownVersion, "")) { try VaultFile(decoding: newer + [1, 2, 3]) }
        for count in 0..<vault.count {
            #expect(throws: CryptoError(.malformed, "")) { try VaultFile(decoding: Array(vault[..<count])) }
        }
        #expect(throws: CryptoError(.malformed, "")) { try VaultFile(decoding: vault + [0]) }
        #expect(throws: CryptoError(.malformed, "")) { try VaultFile(decoding: vector.bytes("key file")) }
    }

    @Test("With the right passphrase, damage to the commitment is a wrong passphrase, damage behind it is damage")
    func tellsDamageApart() throws {
        let file = try VaultFile(decoding: vault)
        let stretched = try VaultFile.stretch(passphrase, salt: vector.bytes("salt"), cost: file.cost)
        for offset in 9..<vault.count {
            var damaged = vault
            damaged[offset] ^= 1
            guard let parsed = try? VaultFile(decoding: damaged) else { continue }
            let isBeforeCheck = (17..<33).contains(offset) || (45..<77).contains(offset)
            let code: CryptoError.Code = isBeforeCheck ? .wrongPassphrase : .authenticationFailed
            #expect(throws: CryptoError(code, ""), "offset \(offset)") { try parsed.open(stretched: stretched) }
        }
    }

    @Test("No damaged vault opens, or traps, even for who has the stretched passphrase", arguments: [UInt64(1), 2])
    func opensNoDamagedVault(seed: UInt64) throws {
        let stretched = try VaultFile.stretch(passphrase, salt: vector.bytes("salt"), cost: .small)
        #expect(throws: Never.self) { try VaultFile(decoding: vault).open(stretched: stretched) }
        var choices = SeededBytes(seed: seed)
        var openings = 0
        var parsed = 0
        for _ in 0..<10_000 {
            guard let file = try? VaultFile(decoding: choices.damaged(vault)) else { continue }
            parsed += 1
            if (try? file.open(stretched: stretched)) != nil { openings += 1 }
        }
        #expect(openings == 0)
        #expect(parsed > 1_000)
    }

    @Test("A key file gives its key back, and nothing else is one")
    func readsKeyFiles() throws {
        let content = try vector.bytes("key file")
        let master = try MasterKey(keyFile: SecretBytes(copying: content))
        #expect(try master.secret.exposed == vector.bytes("master key"))
        #expect(master.keyFile.exposed == content)
        for wrong in [[], Array(content.dropLast()), content + [0], [0] + content.dropFirst(), vault] {
            #expect(throws: CryptoError(.malformed, "")) { try MasterKey(keyFile: SecretBytes(copying: wrong)) }
        }
        #expect(!MasterKey().secret.isEqual(to: MasterKey().secret))
    }
}
