import Testing

@testable import ChatCrypto

@Suite("X25519")
struct X25519Tests {
    @Test("Scalar times point gives the published product", arguments: try VectorFile("x25519").cases)
    func multiplies(vector: VectorCase) throws {
        let key = X25519.PrivateKey(seed: SecretBytes(copying: try vector.bytes("scalar")))
        #expect(try key.sharedSecret(with: vector.bytes("point")).exposed == vector.bytes("output"))
        if vector.has("public") { #expect(try key.publicKey == vector.bytes("public")) }
    }

    @Test("The product fed back gives the published product", arguments: try VectorFile("x25519_iterated").cases)
    func iterates(vector: VectorCase) throws {
        var scalar = [9] + [UInt8](repeating: 0, count: 31)
        var point = scalar
        for _ in 0..<(try vector.number("rounds")) {
            let product = try X25519.PrivateKey(seed: SecretBytes(copying: scalar)).sharedSecret(with: point).exposed
            point = scalar
            scalar = product
        }
        #expect(try scalar == vector.bytes("output"))
    }

    @Test("A point of small order is refused", arguments: try VectorFile("x25519_low_order").cases)
    func refusesLowOrder(vector: VectorCase) throws {
        let point = try vector.bytes("point")
        #expect(throws: CryptoError(.lowOrderPoint, "")) {
            try X25519.PrivateKey().sharedSecret(with: point)
        }
    }

    @Test("A public key of another length is refused", arguments: [0, 31, 33])
    func refusesOtherLengths(count: Int) {
        #expect(throws: CryptoError(.malformed, "")) {
            try X25519.PrivateKey().sharedSecret(with: [UInt8](repeating: 9, count: count))
        }
    }

    @Test("New keys differ and agree with each other")
    func agrees() throws {
        let (one, other) = (X25519.PrivateKey(), X25519.PrivateKey())
        #expect(one.publicKey != other.publicKey)
        let secret = try one.sharedSecret(with: other.publicKey)
        #expect(try other.sharedSecret(with: one.publicKey).isEqual(to: secret))
    }

    @Test("Wycheproof agrees", .enabled(if: SharedVectors.x25519.exists, SharedVectors.skipped))
    func agreesWithWycheproof() throws {
        let file = try SharedVectors.x25519.decode(Wycheproof<X25519Case>.self)
        var count = 0
        for test in file.testGroups.flatMap(\.tests) {
            count += 1
            let seed = SecretBytes(copying: try #require(bytes(hex: test.private)))
            let point = try #require(bytes(hex: test.public))
            let expected = try #require(bytes(hex: test.shared))
            let outcome = Result { () throws(CryptoError) in
                try X25519.PrivateKey(seed: seed).sharedSecret(with: point).exposed
            }
            let isZero = expected.allSatisfy { $0 == 0 }
            #expect(
                outcome == (isZero ? .failure(CryptoError(.lowOrderPoint, "")) : .success(expected)),
                "case \(test.tcId)"
            )
        }
        #expect(count == file.numberOfTests)
    }
}

struct X25519Case: Decodable {
    let tcId: Int
    let `public`: String
    let `private`: String
    let shared: String
}
