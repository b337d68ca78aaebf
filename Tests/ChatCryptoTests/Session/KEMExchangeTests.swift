import Bytes
import Testing

@testable import ChatCrypto

@Suite("Key exchange beside messages")
struct KEMExchangeTests {
    private let base = KEMExchange.Base(
        associatedData: [UInt8](repeating: 9, count: 32),
        secret: SecretBytes(copying: [UInt8](repeating: 8, count: 32))
    )

    private func pair(_ number: UInt32 = 1) -> (owner: KEMExchange, other: KEMExchange) {
        (
            KEMExchange(number, isOwner: true, at: Person.start),
            KEMExchange(number, isOwner: false, at: Person.start)
        )
    }

    /// Passes a section of one side to the other.
    private func pass(
        _ byteCount: Int,
        from sender: inout KEMExchange,
        to reader: inout KEMExchange,
        isNewest: Bool = true
    ) {
        let section = sender.writeSection(byteCount: byteCount, base: base)
        reader.readSection(section[...], isNewest: isNewest, base: base)
    }

    @Test("Both sides get one secret, in as many messages as the room asks for", arguments: [11, 121, 669, 1_929])
    func agrees(byteCount: Int) throws {
        var (owner, other) = pair()
        var rounds = 0
        while owner.secret == nil {
            rounds += 1
            pass(byteCount, from: &owner, to: &other)
            pass(byteCount, from: &other, to: &owner)
        }
        let units = (byteCount - 3) / 8
        // The answer to the owner's last unit carries the other side's first.
        #expect(rounds == (149 + units - 1) / units + (137 + units - 1) / units - 1)
        let secret = try #require(owner.secret)
        #expect(other.secret?.isEqual(to: secret) == true)
        #expect(owner.isOwner && !other.isOwner && owner.need == 137 && other.need == 149)
        #expect(owner.writeSection(byteCount: 20, base: base) == [1, 137, 0xFF] + [UInt8](repeating: 0, count: 17))
        pass(20, from: &owner, to: &other)
        #expect(other.writeSection(byteCount: 20, base: base).prefix(3) == [1, 149, 0xFF])
    }

    @Test("A room too small for a unit carries the need alone")
    func smallRooms() {
        var (owner, other) = pair(0x1_0203)
        for count in 3...10 {
            let section = owner.writeSection(byteCount: count, base: base)
            #expect(section == [3, 0, 0xFF] + [UInt8](repeating: 0, count: count - 3))
        }
        let section = owner.writeSection(byteCount: 11, base: base)
        #expect(section.prefix(3) == [3, 0, 0])
        other.readSection(section[...], isNewest: true, base: base)
        #expect(other.need == 1)
    }

    @Test("The cursor goes to what the peer's newest message lacks, and late messages do not put it back")
    func cursor() {
        var (owner, other) = pair()
        var lost = owner.writeSection(byteCount: 403, base: base)
        pass(403, from: &owner, to: &other)
        pass(403, from: &owner, to: &other)
        #expect(other.need == 0)
        let late = other.writeSection(byteCount: 3, base: base)
        other.readSection(lost[...], isNewest: false, base: base)
        #expect(other.need == 149 && other.secret != nil)
        pass(403, from: &other, to: &owner)
        owner.readSection(late[...], isNewest: false, base: base)
        #expect(owner.writeSection(byteCount: 403, base: base).prefix(3) == [1, 50, 0xFF])
        owner.readSection(late[...], isNewest: true, base: base)
        lost = owner.writeSection(byteCount: 403, base: base)
        #expect(lost.prefix(3) == [1, 50, 0])
    }

    @Test("Sections of another exchange or beyond the blob are ignored")
    func ignored() {
        var (owner, other) = pair()
        let unit = [UInt8](repeating: 1, count: 8)
        for section in [[2, 0, 0] + unit, [0, 0, 0] + unit, [1, 0, 149] + unit] {
            other.readSection(section[...], isNewest: true, base: base)
            #expect(other.need == 0)
        }
        for section in [[1, 0, 137] + unit, [1, 0, 0xFE] + unit] {
            owner.readSection(section[...], isNewest: true, base: base)
            #expect(owner.need == 0)
        }
        // The last unit alone, and bytes behind it.
        other.readSection(([1, 0, 148] + unit + unit)[...], isNewest: true, base: base)
        other.readSection(([1, 0, 0] + unit.dropLast())[...], isNewest: true, base: base)
        #expect(other.need == 0)
    }

    @Test("A side that is put back to an earlier state finishes the exchange all the same")
    func rollback() throws {
        var (owner, other) = pair()
        pass(403, from: &owner, to: &other)
        let earlier = other.encoded()
        pass(403, from: &owner, to: &other)
        pass(403, from: &owner, to: &other)
        pass(403, from: &other, to: &owner)
        #expect(owner.need == 50)
        other = try KEMExchange(decoding: earlier)
        var rounds = 0
        while owner.secret == nil, rounds < 20 {
            rounds += 1
            pass(403, from: &other, to: &owner)
            pass(403, from: &owner, to: &other)
        }
        let secret = try #require(owner.secret)
        #expect(other.secret?.isEqual(to: secret) == true)
    }

    @Test(
        "A blob with a wrong check is thrown away whole, and the genuine one still comes",
        arguments: [0, 1_183, 1_191]
    )
    func wrongKey(index: Int) {
        var (owner, other) = pair()
        var section = owner.writeSection(byteCount: 1_195, base: base)
        let genuine = section
        section[3 + index] ^= 1
        other.readSection(section[...], isNewest: true, base: base)
        #expect(other.need == 0 && other.secret == nil)
        other.readSection(genuine[...], isNewest: true, base: base)
        #expect(other.need == 149 && other.secret != nil)
    }

    @Test("A key with a coefficient of 3,329 or more is thrown away although its check is right")
    func invalidKey() {
        var other = pair().other
        let key = [UInt8](repeating: 0xFF, count: 1_184)
        let check = SHA256.hash(label: .exchangeKey, base.associatedData, UInt32(1).bigEndianBytes, key).prefix(8)
        other.readSection(([1, 0, 0] + key + check)[...], isNewest: true, base: base)
        #expect(other.need == 0 && other.secret == nil)
    }

    @Test("A ciphertext that gives another secret is thrown away whole", arguments: [0, 1_087, 1_088, 1_095])
    func wrongCiphertext(index: Int) throws {
        var (owner, other) = pair()
        pass(1_195, from: &owner, to: &other)
        let genuine = other.writeSection(byteCount: 1_099, base: base)
        var section = genuine
        section[3 + index] ^= 1
        owner.readSection(section[...], isNewest: true, base: base)
        #expect(owner.need == 0 && owner.secret == nil)
        owner.readSection(genuine[...], isNewest: true, base: base)
        let secret = try #require(other.secret)
        #expect(owner.secret?.isEqual(to: secret) == true)
    }

    @Test("Another session, number or earlier secret gives another secret or none")
    func binding() throws {
        let others = [
            KEMExchange.Base(associatedData: [UInt8](repeating: 7, count: 32), secret: base.secret),
            KEMExchange.Base(associatedData: base.associatedData, secret: .random(count: 32)),
        ]
        var (owner, other) = pair()
        let key = owner.writeSection(byteCount: 1_195, base: base)
        other.readSection(key[...], isNewest: true, base: others[0])
        #expect(other.secret == nil)
        other.readSection(key[...], isNewest: true, base: others[1])
        #expect(other.secret != nil)
        let ciphertext = other.writeSection(byteCount: 1_099, base: others[1])
        owner.readSection(ciphertext[...], isNewest: true, base: base)
        #expect(owner.secret == nil)
    }

    @Test("Every stage comes out of storage as it went in, and goes on from there with what the peer lacks")
    func storage() throws {
        var (owner, other) = pair()
        var rounds = 0
        // Each side is restored before each message that it reads, as a program that runs for one answer is.
        func restored(_ exchange: KEMExchange) throws -> KEMExchange {
            let record = exchange.encoded()
            let read = try KEMExchange(decoding: record)
            #expect(read.encoded().isEqual(to: record))
            return read
        }
        while owner.secret == nil, rounds < 100 {
            rounds += 1
            other = try restored(other)
            pass(121, from: &owner, to: &other)
            owner = try restored(owner)
            pass(121, from: &other, to: &owner)
            for record in [owner.encoded(), other.encoded()] {
                for count in [0, 9, record.count - 1] {
                    #expect(throws: CryptoError(.malformed, "")) { try KEMExchange(decoding: record.slice(0..<count)) }
                }
                let longer = SecretBytes(copying: record.exposed + [0])
                #expect(throws: CryptoError(.malformed, "")) { try KEMExchange(decoding: longer) }
            }
        }
        let secret = try #require(owner.secret)
        #expect(other.secret?.isEqual(to: secret) == true)
    }

    @Test("A new stage is due at once, units once a second")
    func due() {
        var (owner, other) = pair()
        #expect(owner.isDue(at: 5) && other.isDue(at: 5))
        other.noteSaved(at: 5)
        #expect(!other.isDue(at: 6))
        pass(121, from: &owner, to: &other)
        #expect(!other.isDue(at: 5) && other.isDue(at: 6))
        other.noteSaved(at: 6)
        let again = owner.writeSection(byteCount: 3, base: base)
        other.readSection(again[...], isNewest: true, base: base)
        #expect(!other.isDue(at: 7))
        pass(1_195, from: &owner, to: &other)
        pass(1_195, from: &owner, to: &other)
        #expect(other.secret != nil && other.isDue(at: 6))
    }
}
