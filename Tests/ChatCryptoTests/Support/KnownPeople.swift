@testable import ChatCrypto

/// The people, the prekey bundle and the prekey message (prekey message) of the known answers.
struct KnownPeople {
    let alice: Identity
    let bob: Identity
    let bobsPrekey: Prekey

    init() throws {
        let people = try VectorFile("identity").cases
        alice = try Self.identity(people[0])
        bob = try Self.identity(people[1])
        let bundle = try VectorFile("bundle").cases[0]
        bobsPrekey = Prekey(
            key: X25519.PrivateKey(seed: SecretBytes(copying: try bundle.bytes("prekey seed"))),
            kemSeed: SecretBytes(copying: try bundle.bytes("KEM seed")),
            bundle: try PrekeyBundle(verifying: try bundle.bytes("bundle")),
            rotatesAtHour: UInt32(try bundle.number("created hour")) + 24
        )
    }

    static func identity(_ person: VectorCase) throws -> Identity {
        Identity(
            signing: Ed25519.SigningKey(seed: SecretBytes(copying: try person.bytes("signing seed"))),
            agreement: X25519.PrivateKey(seed: SecretBytes(copying: try person.bytes("agreement seed")))
        )
    }
}
