import Testing

@testable import ChatCrypto

@Suite("Key derivation")
struct HKDFTests {
    @Test("HKDF gives the published keys", arguments: try VectorFile("hkdf_sha256").cases)
    func derives(vector: VectorCase) throws {
        let key = HKDF.derive(
            salt: SecretBytes(copying: try vector.bytes("salt")),
            inputKey: SecretBytes(copying: try vector.bytes("ikm")),
            info: try vector.bytes("info"),
            count: try vector.number("length")
        )
        #expect(try key.exposed == vector.bytes("okm"))
    }

    @Test("Three keys are the thirds of 96 bytes, and a public salt is a salt")
    func derivesThree() {
        let salt: [UInt8] = Array(1...32)
        let input = SecretBytes(copying: [7])
        let label = Label.allCases[0]
        let whole = HKDF.derive(salt: salt, inputKey: input, info: label, count: 96).exposed
        let pieces = HKDF.derive3(salt: salt, inputKey: input, info: label)
        let same = HKDF.derive3(salt: SecretBytes(copying: salt), inputKey: input, info: label)
        #expect([pieces.0, pieces.1, pieces.2].flatMap(\.exposed) == whole)
        #expect([same.0, same.1, same.2].flatMap(\.exposed) == whole)
    }

    @Test("An empty salt is 32 zero bytes, and no length up to the limit is wrong")
    func takesEdgeCases() {
        let input = SecretBytes(copying: [])
        let none = SecretBytes(copying: [])
        let zeros = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
        let longest = HKDF.derive(salt: none, inputKey: input, info: [], count: 255 * 32).exposed
        #expect(HKDF.derive(salt: zeros, inputKey: input, info: [], count: 255 * 32).exposed == longest)
        for count in [0, 1, 31, 32, 33, 64] {
            #expect(
                HKDF.derive(salt: none, inputKey: input, info: [], count: count).exposed == Array(longest[..<count])
            )
        }
    }

    @Test("Earshot's own example of a label comes out")
    func derivesFlightSplit() throws {
        let vector = try #require(try VectorFile("hkdf_label").cases.first)
        let label = try #require(Label(rawValue: try vector.text("info")))
        let key = HKDF.derive(
            salt: try vector.bytes("salt"),
            inputKey: SecretBytes(copying: try vector.bytes("ikm")),
            info: label,
            count: 96
        )
        #expect(try key.exposed == vector.bytes("okm"))
    }

    @Test("Wycheproof agrees", .enabled(if: SharedVectors.hkdf.exists, SharedVectors.skipped))
    func agreesWithWycheproof() throws {
        let file = try SharedVectors.hkdf.decode(Wycheproof<HKDFCase>.self)
        var count = 0
        for test in file.testGroups.flatMap(\.tests) {
            count += 1
            guard test.result == "valid" else {
                #expect(test.size > 255 * 32, "case \(test.tcId) asks for more than HKDF gives")
                continue
            }
            let key = HKDF.derive(
                salt: SecretBytes(copying: try #require(bytes(hex: test.salt))),
                inputKey: SecretBytes(copying: try #require(bytes(hex: test.ikm))),
                info: try #require(bytes(hex: test.info)),
                count: test.size
            )
            #expect(key.exposed == bytes(hex: test.okm), "case \(test.tcId)")
        }
        #expect(count == file.numberOfTests)
    }
}

struct Wycheproof<Case: Decodable>: Decodable {
    struct Group: Decodable {
        let tests: [Case]
    }

    let numberOfTests: Int
    let testGroups: [Group]
}

struct HKDFCase: Decodable {
    let tcId: Int
    let ikm: String
    let salt: String
    let info: String
    let size: Int
    let okm: String
    let result: String
}
