import Foundation
import Testing

@testable import ChatCrypto

@Suite("AES-256-GCM")
struct AEADTests {
    @Test(
        "Sealing gives the published bytes, and they open",
        arguments: try VectorFile("aes_256_gcm").cases,
        CipherChoice.allCases
    )
    func seals(vector: VectorCase, choice: CipherChoice) throws {
        try choice.run { try seals(vector) }
    }

    private func seals(_ vector: VectorCase) throws {
        let key = SecretBytes(copying: try vector.bytes("key"))
        let nonce = try vector.bytes("nonce")
        let data = try vector.bytes("associated data")
        let plaintext = try vector.bytes("plaintext")
        let sealed = try vector.bytes("sealed")
        #expect(AEAD.seal(plaintext, key: key, nonce: nonce, associatedData: data) == sealed)
        #expect(AEAD.open(sealed, key: key, nonce: nonce, associatedData: data) == plaintext)
        let secret = SecretBytes(copying: plaintext)
        #expect(AEAD.sealSecret(secret, key: key, nonce: nonce, associatedData: data) == sealed)
        let opened = AEAD.openSecret(sealed[...], key: key, nonce: nonce, associatedData: data)
        #expect(opened?.exposed == plaintext)
        let slice = ([0, 0] + sealed).dropFirst(2)
        #expect(AEAD.open(slice, key: key, nonce: nonce, associatedData: data) == plaintext)
    }

    @Test("No flipped bit, cut, or other key, nonce or associated data opens", arguments: CipherChoice.allCases)
    func opensNothingElse(choice: CipherChoice) {
        choice.run { opensNothingElse() }
    }

    private func opensNothingElse() {
        let key = SecretBytes.random(count: 32)
        let nonce = randomBytes(12)
        let sealed = AEAD.seal([1, 2, 3], key: key, nonce: nonce, associatedData: [9])
        for bit in 0..<sealed.count * 8 {
            var flipped = sealed
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(AEAD.open(flipped, key: key, nonce: nonce, associatedData: [9]) == nil)
            #expect(AEAD.openSecret(flipped[...], key: key, nonce: nonce, associatedData: [9]) == nil)
        }
        for count in 0..<sealed.count {
            #expect(AEAD.open(sealed[..<count], key: key, nonce: nonce, associatedData: [9]) == nil)
            #expect(AEAD.openSecret(sealed[..<count], key: key, nonce: nonce, associatedData: [9]) == nil)
        }
        #expect(AEAD.open(sealed, key: .random(count: 32), nonce: nonce, associatedData: [9]) == nil)
        #expect(AEAD.open(sealed, key: key, nonce: randomBytes(12), associatedData: [9]) == nil)
        #expect(AEAD.open(sealed, key: key, nonce: nonce, associatedData: []) == nil)
        #expect(AEAD.open(sealed, key: key, nonce: nonce, associatedData: [9, 0]) == nil)
    }

    @Test("Both implementations make the same bytes and refuse the same", arguments: [UInt64(1), 2, 3])
    func implementationsAgree(seed: UInt64) throws {
        guard let sodium = SodiumAEAD() else { return }
        let portable = CryptoAEAD()
        var choices = SeededBytes(seed: seed)
        for _ in 0..<200 {
            let key = SecretBytes(copying: choices.bytes(32))
            let nonce = choices.bytes(12)
            let data = choices.bytes(choices.below(40))
            let plaintext = choices.bytes(choices.below(3) == 0 ? choices.below(3) : choices.below(2000))
            let sealed = seal(plaintext, with: sodium, key, nonce, data)
            #expect(seal(plaintext, with: portable, key, nonce, data) == sealed)
            #expect(open(sealed, with: portable, key, nonce, data) == plaintext)
            #expect(open(sealed, with: sodium, key, nonce, data) == plaintext)
            let damaged = choices.damaged(sealed)
            guard damaged.count >= 16 else { continue }
            #expect(open(damaged, with: portable, key, nonce, data) == nil)
            #expect(open(damaged, with: sodium, key, nonce, data) == nil)
        }
    }

    @Test("The environment decides which implementation a debug build uses")
    func implementationIsForced() {
        let isForced = ProcessInfo.processInfo.environment["EARSHOT_AEAD"] == "portable"
        #expect(AEAD.backend is CryptoAEAD == (isForced || SodiumAEAD() == nil))
        #expect(CryptoStart.cipherSource == AEAD.backend.name)
    }

    @Test("A datagram that one implementation sealed in place opens with the other", arguments: CipherChoice.allCases)
    func opensDatagramsOfTheOther(choice: CipherChoice) {
        var choices = SeededBytes(seed: 4)
        for count in [0, 1, 15, 16, 17, 1_400] {
            let key = SecretBytes(copying: choices.bytes(32))
            let header = choices.bytes(choices.below(20))
            let content = choices.bytes(count)
            let nonce = PacketNonce(UInt64(count))
            var datagram = header + content
            choice.run { AEAD.seal(&datagram, headerByteCount: header.count, key: key, nonce: nonce) }
            for reader in CipherChoice.allCases {
                reader.run {
                    let sealed = datagram[header.count...]
                    #expect(AEAD.open(sealed, header: header[...], key: key, nonce: nonce) == content)
                    #expect(AEAD.open(sealed.dropLast(), header: header[...], key: key, nonce: nonce) == nil)
                }
            }
        }
    }

    private func seal(
        _ plaintext: [UInt8],
        with backend: any AEADBackend,
        _ key: SecretBytes,
        _ nonce: [UInt8],
        _ data: [UInt8]
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0xEE, count: plaintext.count + 16)
        output.withUnsafeMutableBytes { output in
            plaintext.withUnsafeBytes { plaintext in
                nonce.withUnsafeBytes { nonce in
                    data.withUnsafeBytes { data in
                        backend.seal(plaintext, key: key, nonce: nonce, associatedData: data, into: output)
                    }
                }
            }
        }
        return output
    }

    private func open(
        _ sealed: [UInt8],
        with backend: any AEADBackend,
        _ key: SecretBytes,
        _ nonce: [UInt8],
        _ data: [UInt8]
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: sealed.count - 16)
        let isAuthentic = output.withUnsafeMutableBytes { output in
            sealed.withUnsafeBytes { sealed in
                nonce.withUnsafeBytes { nonce in
                    data.withUnsafeBytes { data in
                        backend.open(sealed, key: key, nonce: nonce, associatedData: data, into: output)
                    }
                }
            }
        }
        return isAuthentic ? output : nil
    }
}
