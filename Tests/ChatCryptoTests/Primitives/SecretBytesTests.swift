import Testing

@testable import ChatCrypto

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test("A secret is lent as it was copied in")
    func lendsWhatItTook() {
        #expect(Array(SecretBytes(copying: [1, 2, 3]).withBytes { Array($0) }) == [1, 2, 3])
    }

    @Test("Both directions of the cipher meet")
    func sealsAndOpens() {
        let key = SecretBytes.random(count: 32)
        let nonce = randomBytes(12)
        let sealed = AEAD.seal([1, 2, 3], key: key, nonce: nonce, associatedData: [])
        #expect(AEAD.open(sealed, key: key, nonce: nonce, associatedData: []) == [1, 2, 3])
        #expect(AEAD.open(sealed, key: key, nonce: nonce, associatedData: [0]) == nil)
    }
}
