import Bytes
import Testing

@testable import ChatCrypto

@Suite("Identity bundle")
struct PrekeyBundleTests {
    /// Converts an hour to seconds.
    ///
    /// Units: seconds since 1970.
    private static func seconds(_ hour: UInt32) -> UInt32 { hour * 3_600 }

    /// Signs a changed copy again, so that only the change is wrong.
    private static func resigned(_ bundle: [UInt8], by owner: Identity) -> [UInt8] {
        let fields = Array(bundle.dropLast(64))
        return fields + owner.signing.sign(Label.bundle, fields)
    }

    @Test("The known prekey gives the known bundle, byte for byte")
    func knownBundle() throws {
        let people = try KnownPeople()
        let known = try VectorFile("bundle").cases[0]
        let bundle = PrekeyBundle(
            of: people.bob,
            prekey: people.bobsPrekey.key.publicKey,
            kemPrekey: try KEM768.key(seed: people.bobsPrekey.kemSeed).publicKey,
            sequence: UInt32(try known.number("sequence")),
            createdHour: UInt32(try known.number("created hour")),
            nickname: try Nickname(try known.text("nickname"))
        )
        #expect(bundle.bytes == (try known.bytes("bundle")))
        #expect(bundle.bytes.count == PrekeyBundle.fixedByteCount + 3)
        #expect(bundle.prekey == (try known.bytes("prekey")))
        #expect(bundle.kemPrekey == (try known.bytes("KEM prekey")))
        #expect(Int(bundle.notAfterHour) == (try known.number("not after hour")))
        #expect(try PrekeyBundle(verifying: bundle.bytes) == bundle)
        #expect(bundle.version == 1)
    }

    @Test("A bundle with any one byte changed is refused")
    func everyByte() throws {
        let bytes = try KnownPeople().bobsPrekey.bundle.bytes
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: CryptoError.self) { try PrekeyBundle(verifying: changed) }
        }
    }

    @Test("Missing and trailing bytes are refused")
    func lengths() throws {
        let bytes = try KnownPeople().bobsPrekey.bundle.bytes
        for count in 0..<bytes.count {
            #expect(throws: CryptoError.self) { try PrekeyBundle(verifying: Array(bytes.prefix(count))) }
        }
        #expect(throws: CryptoError(.malformed, "")) { try PrekeyBundle(verifying: bytes + [0]) }
    }

    @Test("What is signed and yet wrong is refused for what is wrong")
    func wrongFields() throws {
        let people = try KnownPeople()
        let bytes = people.bobsPrekey.bundle.bytes
        let changes: [(Int, [UInt8], CryptoError.Code)] = [
            (0, [2], .unknownVersion), (0, [0], .unknownVersion),
            // A coefficient of the KEM prekey that is not below the modulus.
            (105, [0xFF, 0xFF], .malformed),
            (1_289, UInt32(500_000).bigEndianBytes, .malformed), (1_289, UInt32(500_169).bigEndianBytes, .malformed),
            (1_296, [0x0A], .nicknameForbidden), (1_296, [0xFF], .malformed), (1_295, [2], .malformed),
        ]
        for (offset, replacement, code) in changes {
            var changed = bytes
            changed.replaceSubrange(offset..<(offset + replacement.count), with: replacement)
            #expect(throws: CryptoError(code, "")) {
                try PrekeyBundle(verifying: Self.resigned(changed, by: people.bob))
            }
        }
    }

    @Test("An extension is kept whole, whatever its types, if it is a list in rising order of at most 256 bytes")
    func extensions() throws {
        let people = try KnownPeople()
        let bytes = people.bobsPrekey.bundle.bytes
        func bundle(_ extended: [UInt8]) throws -> PrekeyBundle {
            var changed = bytes
            changed.replaceSubrange(1_293..<1_295, with: UInt16(extended.count).bigEndianBytes + extended)
            return try PrekeyBundle(verifying: Self.resigned(changed, by: people.bob))
        }
        let longest: [UInt8] = [9, 254] + [UInt8](repeating: 5, count: 254)
        for extended in [[], [7, 0], [0, 1, 5], [1, 2, 8, 8, 2, 0, 255, 1, 0], longest] as [[UInt8]] {
            let read = try bundle(extended)
            #expect(read.nickname?.text == "bob" && read.bytes.count == bytes.count + extended.count)
        }
        for extended in [[7], [7, 1], [7, 0, 7, 0], [8, 0, 7, 0], [7, 0, 9], longest + [10, 0]] as [[UInt8]] {
            #expect(throws: CryptoError(.malformed, "")) { try bundle(extended) }
        }
    }

    @Test("A bundle is usable from a day before its hour to a day after its end")
    func window() throws {
        let bundle = try KnownPeople().bobsPrekey.bundle
        let hours: [(UInt32, Bool)] = [
            (499_974, false), (499_975, false), (499_976, true), (500_000, true), (500_168, true), (500_192, true),
            (500_193, false), (500_194, false),
        ]
        for (hour, isUsable) in hours {
            #expect(bundle.isUsable(at: Self.seconds(hour)) == isUsable, "hour \(hour)")
        }
        #expect(!bundle.isUsable(at: 0))
        #expect(!bundle.isUsable(at: .max))
    }

    @Test("Only a later sequence of the same identity supersedes")
    func supersedes() throws {
        let people = try KnownPeople()
        func bundle(_ owner: Identity, _ sequence: UInt32) -> PrekeyBundle {
            PrekeyBundle(
                of: owner,
                prekey: X25519.PrivateKey().publicKey,
                kemPrekey: people.bobsPrekey.bundle.kemPrekey,
                sequence: sequence,
                createdHour: 1,
                nickname: nil
            )
        }
        #expect(bundle(people.bob, 8).supersedes(bundle(people.bob, 7)))
        #expect(!bundle(people.bob, 7).supersedes(bundle(people.bob, 7)))
        #expect(!bundle(people.bob, 6).supersedes(bundle(people.bob, 7)))
        #expect(!bundle(people.alice, 8).supersedes(bundle(people.bob, 7)))
    }

    @Test("Damaged bundles never trap and never pass", arguments: [11, 12] as [UInt64])
    func damage(seed: UInt64) throws {
        let bytes = try KnownPeople().bobsPrekey.bundle.bytes
        var random = SeededBytes(seed: seed)
        for _ in 0..<10_000 {
            let damaged = random.damaged(bytes)
            #expect((try? PrekeyBundle(verifying: damaged)) == nil)
        }
    }
}
