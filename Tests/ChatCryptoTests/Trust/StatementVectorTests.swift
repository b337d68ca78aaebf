import Testing

@testable import ChatCrypto

@Suite("Known statements")
struct StatementVectorTests {
    private let people: KnownPeople
    private let cases: [VectorCase]

    init() throws {
        people = try KnownPeople()
        cases = try VectorFile("statements").cases
    }

    @Test("Two identities give the known rotation, which is read as it was made")
    func rotation() throws {
        let (time, counter) = (UInt32(try cases[0].number("time")), UInt32(try cases[0].number("counter")))
        let made = RotationStatement(from: people.alice, to: people.bob, counter: counter, at: time)
        let known = try cases[0].bytes("rotation")
        #expect(made.bytes == known)
        let read = try RotationStatement(verifying: known)
        #expect(read == made && read.isSigned(by: people.alice.publicIdentity))
        #expect(read.time == time && read.counter == counter)
    }

    @Test("An identity gives the known revocation, which is read as it was made")
    func revocation() throws {
        let made = RevocationCertificate(of: people.alice)
        let known = try cases[1].bytes("revocation")
        #expect(made.bytes == known)
        #expect(try RevocationCertificate(verifying: known) == made)
    }
}
