import Bytes
import Testing

@testable import ChatCrypto

@Suite("Prekey message")
struct PrekeyMessageTests {
    private let people: KnownPeople
    private let known: VectorCase
    private let ring: PrekeyRing

    init() throws {
        people = try KnownPeople()
        known = try VectorFile("first_flight").cases[0]
        ring = PrekeyRing(people.bobsPrekey)
    }

    private func prekeyMessage(to bundle: PrekeyBundle? = nil) throws -> PrekeyMessage {
        try PrekeyMessage(from: people.alice, to: bundle ?? people.bobsPrekey.bundle, at: Person.start)
    }

    private func opened(_ prekeyMessage: [UInt8], by recipient: Identity? = nil) throws -> OpenedPrekeyMessage {
        try OpenedPrekeyMessage(prekeyMessage[...], recipient: recipient ?? people.bob, prekeys: ring)
    }

    @Test("The known ephemeral key gives the known flight and secrets, byte for byte")
    func knownAnswer() throws {
        let tape = RandomTape(try known.bytes("ephemeral seed"))
        let encapsulation = KEM768.Encapsulation(
            ciphertext: try known.bytes("ciphertext"),
            secret: SecretBytes(copying: try known.bytes("secret"))
        )
        let prekeyMessage = try KEM768.$tape.withValue(EncapsulationTape([encapsulation])) {
            try Randomness.$tape.withValue(tape) {
                try PrekeyMessage(
                    from: people.alice,
                    to: people.bobsPrekey.bundle,
                    at: UInt32(try known.number("time"))
                )
            }
        }
        #expect(tape.isExhausted)
        #expect(prekeyMessage.bytes.count == PrekeyMessage.byteCount)
        #expect(prekeyMessage.bytes == (try known.bytes("flight")))
        try expectKnown(prekeyMessage.secrets)
    }

    @Test("The recipient reads the known flight: sender, time and the same secrets")
    func knownAnswerOpened() throws {
        let opened = try opened(try known.bytes("flight"))
        #expect(opened.sender == people.alice.publicIdentity)
        #expect(Int(opened.madeAt) == (try known.number("time")))
        #expect(opened.prekey.bundle.sequence == 7)
        try expectKnown(opened.secrets)
    }

    private func expectKnown(_ secrets: PrekeyMessageSecrets) throws {
        #expect(secrets.transcriptHash == (try known.bytes("transcript hash")))
        #expect(secrets.rootKey.exposed == (try known.bytes("root key")))
        #expect(secrets.initiatorHeaderKey.exposed == (try known.bytes("initiator header key")))
        #expect(secrets.responderNextHeaderKey.exposed == (try known.bytes("responder next header key")))
        #expect(secrets.epochSecret.exposed == (try known.bytes("epoch secret")))
        #expect(secrets.mailboxSecret.exposed == (try known.bytes("mailbox secret")))
        #expect(secrets.sessionID.bytes == (try known.bytes("session id")))
    }

    @Test("Two flights to one bundle share no byte string of a key's length")
    func fresh() throws {
        let one = try prekeyMessage()
        let other = try prekeyMessage()
        #expect(one.bytes.prefix(32) != other.bytes.prefix(32))
        #expect(one.secrets.sessionID != other.secrets.sessionID)
    }

    @Test("Somebody else cannot open a flight")
    func notForMe() throws {
        let made = try prekeyMessage()
        #expect(throws: CryptoError(.authenticationFailed, "")) { try opened(made.bytes, by: Identity()) }
    }

    @Test("Any bit of a flight turned, and it opens no more")
    func everyBit() throws {
        let bytes = try prekeyMessage().bytes
        for bit in 0..<(bytes.count * 8) where bit < 60 * 8 || bit > 1_150 * 8 || bit % 7 == 0 {
            // The curve ignores the top bit of an X25519 key, but the transcript binds it.
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CryptoError.self, "bit \(bit)") { try opened(changed) }
        }
        #expect(throws: CryptoError(.malformed, "")) { try opened(bytes + [0]) }
        #expect(throws: CryptoError(.malformed, "")) { try opened(Array(bytes.dropLast())) }
    }

    @Test("Signing key, agreement key, bundle and ID are bound: any of them swapped, and the handshake fails")
    func bindsEverything() throws {
        let bob = people.bob
        let other = Identity()
        func bundle(
            _ owner: Identity,
            prekey: [UInt8]? = nil,
            kemPrekey: [UInt8]? = nil,
            sequence: UInt32 = 7,
            hour: UInt32 = 500_000,
            nickname: String? = "bob"
        ) throws -> PrekeyBundle {
            PrekeyBundle(
                of: owner,
                prekey: prekey ?? people.bobsPrekey.key.publicKey,
                kemPrekey: kemPrekey ?? people.bobsPrekey.bundle.kemPrekey,
                sequence: sequence,
                createdHour: hour,
                nickname: try nickname.map { try Nickname($0) }
            )
        }
        #expect(try opened(try prekeyMessage(to: try bundle(bob)).bytes).sender == people.alice.publicIdentity)
        let swapped = [
            try bundle(Identity(signing: other.signing, agreement: bob.agreement)),
            try bundle(Identity(signing: bob.signing, agreement: other.agreement)),
            try bundle(bob, hour: 500_001),
            try bundle(bob, nickname: nil),
            try bundle(bob, kemPrekey: KEM768.makeKey().publicKey),
            try bundle(bob, prekey: X25519.PrivateKey().publicKey),
        ]
        for bundle in swapped {
            #expect(throws: CryptoError(.authenticationFailed, "")) { try opened(try prekeyMessage(to: bundle).bytes) }
        }
        #expect(throws: CryptoError(.expired, "")) {
            try opened(try prekeyMessage(to: try bundle(bob, sequence: 8)).bytes)
        }
    }

    @Test("Bundles that differ in one byte never lead to one transcript")
    func bundlesAreBound() throws {
        let ephemeral = [UInt8](repeating: 5, count: 32)
        var hashes: Set<[UInt8]> = []
        for hour in UInt32(0)..<200 {
            let bundle = PrekeyBundle(
                of: people.bob,
                prekey: people.bobsPrekey.key.publicKey,
                kemPrekey: people.bobsPrekey.bundle.kemPrekey,
                sequence: 7,
                createdHour: 500_000 + hour,
                nickname: nil
            )
            let made = try Randomness.$tape.withValue(RandomTape(ephemeral)) { try prekeyMessage(to: bundle) }
            hashes.insert(made.secrets.transcriptHash)
        }
        #expect(hashes.count == 200)
    }

    @Test("With the recipient's own static key nobody can pose as another (key compromise impersonation)")
    func keyCompromiseImpersonation() throws {
        // The thief has every long-term secret of Bob, but neither Bob's prekey nor any secret of Alice.
        let thief = people.bob
        let bundle = people.bobsPrekey.bundle
        let wrongSecrets = [
            try thief.agreement.sharedSecret(with: people.alice.agreement.publicKey),
            try thief.agreement.sharedSecret(with: bundle.prekey),
            try X25519.PrivateKey().sharedSecret(with: bundle.prekey),
        ]
        for guess in wrongSecrets {
            let ephemeral = X25519.PrivateKey()
            var noise = PrekeyMessage.start(recipient: bundle.identity)
            noise.mixHash(ephemeral.publicKey)
            noise.mixKey(try ephemeral.sharedSecret(with: bundle.identity.agreementKey))
            var forged = ephemeral.publicKey + noise.encryptAndHash(bundle.sequence.bigEndianBytes)
            noise.mixHash(bundle.bytes)
            noise.mixKey(try ephemeral.sharedSecret(with: bundle.prekey))
            let encapsulation = try KEM768.encapsulate(to: bundle.kemPrekey)
            forged += noise.encryptAndHash(encapsulation.ciphertext)
            noise.mixKey(encapsulation.secret)
            forged += noise.encryptAndHash(people.alice.agreement.publicKey)
            noise.mixKey(guess)
            forged += noise.encryptAndHash(people.alice.signing.publicKey + Person.start.bigEndianBytes + [0])
            #expect(throws: CryptoError(.authenticationFailed, "")) { try opened(forged) }
        }
    }

    @Test("A ciphertext that decapsulates to another secret looks like any other forgery")
    func wrongCiphertext() throws {
        let bundle = people.bobsPrekey.bundle
        for index in [0, 1, 500, 959, 960, 1_087] {
            let ephemeral = X25519.PrivateKey()
            var noise = PrekeyMessage.start(recipient: bundle.identity)
            noise.mixHash(ephemeral.publicKey)
            noise.mixKey(try ephemeral.sharedSecret(with: bundle.identity.agreementKey))
            var bytes = ephemeral.publicKey + noise.encryptAndHash(bundle.sequence.bigEndianBytes)
            noise.mixHash(bundle.bytes)
            noise.mixKey(try ephemeral.sharedSecret(with: bundle.prekey))
            let encapsulation = try KEM768.encapsulate(to: bundle.kemPrekey)
            var ciphertext = encapsulation.ciphertext
            ciphertext[index] ^= 1
            bytes += noise.encryptAndHash(ciphertext)
            noise.mixKey(encapsulation.secret)
            bytes += noise.encryptAndHash(people.alice.agreement.publicKey)
            noise.mixKey(try people.alice.agreement.sharedSecret(with: bundle.prekey))
            bytes += noise.encryptAndHash(people.alice.signing.publicKey + Person.start.bigEndianBytes + [0])
            #expect(throws: CryptoError(.authenticationFailed, "")) { try opened(bytes) }
        }
    }

    @Test("Only a message for this identity asks for leave to decapsulate, and without leave it is put off")
    func leaveToDecapsulate() throws {
        let bytes = try prekeyMessage().bytes
        var asked = 0
        func open(_ bytes: [UInt8], by recipient: Identity) throws {
            _ = try OpenedPrekeyMessage(bytes[...], recipient: recipient, prekeys: ring) {
                asked += 1
                return false
            }
        }
        #expect(throws: CryptoError(.postponed, "")) { try open(bytes, by: people.bob) }
        #expect(asked == 1)
        #expect(throws: CryptoError(.authenticationFailed, "")) { try open(bytes, by: Identity()) }
        var forged = bytes
        forged[60] ^= 1
        #expect(throws: CryptoError(.authenticationFailed, "")) { try open(forged, by: people.bob) }
        #expect(asked == 1)
    }

    @Test("A flight of one's own is refused")
    func ownFlight() throws {
        let own = try PrekeyMessage(from: people.bob, to: people.bobsPrekey.bundle, at: Person.start)
        #expect(throws: CryptoError(.ownIdentity, "")) { try opened(own.bytes) }
    }

    @Test(
        "Points of low order are refused as ephemeral, prekey, static and ratchet key",
        arguments: try VectorFile("x25519_low_order").cases
    )
    func lowOrder(point: VectorCase) throws {
        let low = try point.bytes("point")
        var bytes = try prekeyMessage().bytes
        bytes.replaceSubrange(0..<32, with: low)
        #expect(throws: CryptoError(.lowOrderPoint, "")) { try opened(bytes) }
        let bundle = PrekeyBundle(
            of: people.bob,
            prekey: low,
            kemPrekey: people.bobsPrekey.bundle.kemPrekey,
            sequence: 7,
            createdHour: 500_000,
            nickname: nil
        )
        #expect(throws: CryptoError(.lowOrderPoint, "")) { try prekeyMessage(to: bundle) }
        let secrets = try prekeyMessage().secrets
        #expect(throws: CryptoError(.lowOrderPoint, "")) {
            try Ratchet(initiator: secrets, prekey: low, at: Person.start)
        }
    }

    @Test("Damaged flights whose first part is genuine never trap and never open", arguments: [21, 22] as [UInt64])
    func damage(seed: UInt64) throws {
        let bytes = try prekeyMessage().bytes
        var random = SeededBytes(seed: seed)
        for _ in 0..<10_000 {
            let damaged = Array(bytes.prefix(52)) + random.damaged(Array(bytes.dropFirst(52)))
            #expect((try? opened(damaged)) == nil)
        }
    }
}
