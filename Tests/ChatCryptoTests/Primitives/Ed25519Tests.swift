import Testing

@testable import ChatCrypto

@Suite("Ed25519")
struct Ed25519Tests {
    @Test("Signing gives the published signature, which verifies", arguments: try VectorFile("ed25519").cases)
    func signs(vector: VectorCase) throws {
        let key = Ed25519.SigningKey(seed: SecretBytes(copying: try vector.bytes("seed")))
        let message = try vector.bytes("message")
        #expect(try key.publicKey == vector.bytes("public"))
        #expect(try key.signature(of: message) == vector.bytes("signature"))
        #expect(try Ed25519.isSignature(vector.bytes("signature"), of: message, key: key.publicKey))
    }

    @Test("What only looks like a signature is refused", arguments: try VectorFile("ed25519_refused").cases)
    func refuses(vector: VectorCase) throws {
        let message = try vector.bytes("message")
        #expect(try !Ed25519.isSignature(vector.bytes("signature"), of: message, key: vector.bytes("public")))
    }

    @Test("A signature holds for its label only")
    func bindsTheLabel() {
        let key = Ed25519.SigningKey()
        let (label, other) = (Label.allCases[0], Label.allCases[1])
        let signature = key.sign(label, [1, 2, 3])
        #expect(Ed25519.verify(signature, label, [1, 2, 3], key: key.publicKey))
        #expect(!Ed25519.verify(signature, other, [1, 2, 3], key: key.publicKey))
        #expect(!Ed25519.verify(signature, label, [1, 2], key: key.publicKey))
        #expect(!Ed25519.verify(signature, label, [1, 2, 3], key: Ed25519.SigningKey().publicKey))
        #expect(Ed25519.isSignature(signature, of: label.bytes + [1, 2, 3], key: key.publicKey))
    }
}
