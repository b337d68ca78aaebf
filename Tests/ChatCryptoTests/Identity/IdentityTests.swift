import Testing

@testable import ChatCrypto

@Suite("Identity")
struct IdentityTests {
    @Test("Two seeds give the known keys, peer ID and fingerprint", arguments: try VectorFile("identity").cases)
    func knownIdentity(person: VectorCase) throws {
        let identity = try KnownPeople.identity(person).publicIdentity
        #expect(identity.signingKey == (try person.bytes("signing key")))
        #expect(identity.agreementKey == (try person.bytes("agreement key")))
        #expect(identity.id.description == (try person.text("peer id")))
        #expect(identity.fingerprint().digits == (try person.text("fingerprint")))
    }

    @Test("Two people share the known safety number, whoever computes it")
    func knownSafetyNumber() throws {
        let people = try KnownPeople()
        let prints = [people.alice, people.bob].map { $0.publicIdentity.fingerprint() }
        let number = try VectorFile("safety_number").cases[0].text("number")
        #expect(SafetyNumber(prints[0], prints[1]).digits == number)
        #expect(SafetyNumber(prints[1], prints[0]).digits == number)
    }

    @Test("A typed safety number matches whatever its spaces, and no other number does")
    func typedNumber() throws {
        let people = try KnownPeople()
        let number = SafetyNumber(people.alice.publicIdentity.fingerprint(), people.bob.publicIdentity.fingerprint())
        #expect(number.description.split(separator: " ").count == 12)
        #expect(number.matches(typed: number.digits))
        #expect(number.matches(typed: "  " + number.description + "\n"))
        for index in [0, 30, 59] {
            var digits = Array(number.digits)
            digits[index] = digits[index] == "9" ? "0" : "9"
            #expect(!number.matches(typed: String(digits)))
        }
        #expect(!number.matches(typed: String(number.digits.prefix(10))))
        #expect(!number.matches(typed: number.digits + "0"))
        #expect(!number.matches(typed: ""))
    }

    @Test("A fingerprint is shown in six groups of five digits")
    func grouping() throws {
        let text = try KnownPeople().alice.publicIdentity.fingerprint().description
        #expect(text == "88173 68411 76164 52718 35473 21305")
    }

    @Test("A peer ID is 32 bytes and has no short form")
    func noShortForm() throws {
        let id = try KnownPeople().alice.publicIdentity.id
        let hex = id.description
        #expect(PeerID(hex: hex) == id)
        #expect(PeerID(hex: hex.uppercased()) == id)
        for length in [0, 8, 16, 32, 63] { #expect(PeerID(hex: String(hex.prefix(length))) == nil) }
        #expect(PeerID(hex: hex + "00") == nil)
        #expect(PeerID(hex: String(repeating: "g", count: 64)) == nil)
        for count in [0, 8, 16, 31, 33] { #expect(PeerID(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test("One person's signing key with another's agreement key is nobody's identity")
    func mixedKeys() throws {
        let people = try KnownPeople()
        let alice = people.alice.publicIdentity
        let bob = people.bob.publicIdentity
        let mixed = try #require(PublicIdentity(signingKey: alice.signingKey, agreementKey: bob.agreementKey))
        #expect(mixed.id != alice.id && mixed.id != bob.id)
        #expect(PublicIdentity(signingKey: Array(alice.signingKey.dropLast()), agreementKey: bob.agreementKey) == nil)
    }

    @Test("An identity comes back from its export, and from nothing else")
    func exportAndImport() throws {
        let identity = Identity()
        let exported = identity.exported()
        #expect(exported.count == 65)
        #expect(try Identity(importing: exported).publicIdentity == identity.publicIdentity)
        for count in [0, 1, 33, 64] {
            #expect(throws: CryptoError(.malformed, "")) { try Identity(importing: exported.slice(0..<count)) }
        }
        let longer = SecretBytes(copying: exported.exposed + [0])
        #expect(throws: CryptoError(.malformed, "")) { try Identity(importing: longer) }
        let newer = SecretBytes(copying: [2] + exported.exposed.dropFirst())
        #expect(throws: CryptoError(.malformed, "")) { try Identity(importing: newer) }
    }

    @Test("Two new identities share nothing")
    func freshKeys() {
        let one = Identity()
        let other = Identity()
        #expect(one.publicIdentity.signingKey != other.publicIdentity.signingKey)
        #expect(one.publicIdentity.agreementKey != other.publicIdentity.agreementKey)
    }
}
