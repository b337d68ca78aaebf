import CSodium
import Testing

@testable import ChatCrypto

@Suite("Guessing at a record of a join")
struct OfflineGuessTests {
    @Test("The record of a join gives no test of the code: all 1,000,000 are tried, and none stands out")
    func allCodes() throws {
        let record = try Record()
        var cracker = Cracker(record)
        let hits = (0..<1_000_000).filter { cracker.fits($0) }
        #expect(hits == [])
    }

    @Test("The same search finds the code where a proof depends on nothing but the code and the record")
    func searchWorks() throws {
        var record = try Record()
        // A design without a key agreement would send this proof: its key comes from the code.
        let weak = HKDF.derive(
            salt: record.session,
            inputKey: SecretBytes(copying: record.digits),
            info: .join,
            count: 96
        )
        record.hostTag = HMACSHA256.code(record.hostMessage, key: weak.slice(64..<96))
        var cracker = Cracker(record)
        let code = record.digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        #expect((max(0, code - 5_000)..<min(1_000_000, code + 5_000)).filter { cracker.fits($0) } == [code])
    }

    @Test("For any code there is a way in which the record came about: only the scalars tell which")
    func everyCodeFits() throws {
        let record = try Record()
        let code = record.digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        var seeded = SeededBytes(seed: 1)
        let codes = (0..<300).map { _ in seeded.below(1_000_000) } + [code]
        var matching: [Int] = []
        for candidate in Set(codes) {
            let generator = CPace.generator(
                password: SecretBytes(copying: Cracker.digits(candidate)),
                channel: record.channel,
                session: record.session
            )
            // Each generator generates the whole group, so each point that was sent is a multiple of it.
            #expect(Ristretto255.isElement(generator.exposed))
            #expect(Ristretto255.multiply(generator, by: Self.order) == nil)
            // An attacker with the host's scalar could recognise the code at once.
            if Ristretto255.multiply(generator, by: record.hostScalar)?.exposed == record.hostPoint {
                matching.append(candidate)
            }
            // The values that an attacker can compute from the record without a scalar prove nothing.
            for guess in [generator.exposed, record.joinerPoint, record.hostPoint] {
                #expect(Cracker.hostTag(sharedPoint: guess, record) != record.hostTag)
            }
        }
        #expect(matching == [code])
    }

    /// The order of the group; it multiplies every element to the neutral one.
    private static let order: SecretBytes = {
        let digits: [UInt8] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
        ]
        return SecretBytes(copying: digits + [UInt8](repeating: 0, count: 15) + [0x10])
    }()
}

/// A genuine join: the values that an eavesdropper records, and the secrets that only the two sides have.
private struct Record {
    let digits: [UInt8]
    let hostScalar = Ristretto255.randomScalar()
    let channel: [UInt8]
    let session: [UInt8]
    let joinerPoint: [UInt8]
    let joinerMessage: [UInt8]
    let hostPoint: [UInt8]
    let hostMessage: [UInt8]
    let joinerTag: [UInt8]
    var hostTag: [UInt8]
    let sealedRequest: [UInt8]
    let kemSecret: [UInt8]

    init() throws {
        let host = Identity()
        let room = try #require(GroupID(bytes: randomBytes(16)))
        let code = RoomCode(for: room)
        digits = code.secret.exposed
        let meeting = RoomMeeting(room: room, lobby: randomBytes(16), password: code.secret)
        channel = [15] + Array("earshot/v1/room".utf8) + [1] + host.id.bytes
        session = meeting.session
        let joiner = CPace(password: code.secret, channel: channel, session: session)
        let answerer = CPace(password: code.secret, channel: channel, session: session, scalar: hostScalar)
        let guest = Identity()
        // An attacker that has broken ML-KEM-768 reads the secret of the ciphertext too.
        let kemKey = KEM768.makeKey()
        let encapsulation = try KEM768.encapsulate(to: kemKey.publicKey)
        kemSecret = encapsulation.secret.exposed
        let cards = [
            JoinIdentity(of: guest.publicIdentity, kemPart: kemKey.publicKey).bytes,
            JoinIdentity(of: host.publicIdentity, kemPart: encapsulation.ciphertext).bytes,
        ]
        let transcript = CPace.Transcript(
            initiatorPoint: joiner.point,
            initiatorData: cards[0],
            responderPoint: answerer.point,
            responderData: cards[1]
        )
        let keys = try #require(
            JoinKeys(
                joiner,
                session: session,
                otherPoint: answerer.point,
                transcript: transcript,
                kemSecret: encapsulation.secret
            )
        )
        joinerPoint = joiner.point
        hostPoint = answerer.point
        joinerMessage = CPace.joined(joiner.point, cards[0])
        hostMessage = CPace.joined(answerer.point, cards[1])
        joinerTag = keys.joinerTag
        hostTag = keys.hostTag
        let hello = JoinHello(lobby: meeting.lobby, point: joiner.point, card: cards[0])
        let bundle = try KeptBook.bundle(of: guest, nickname: nil)
        sealedRequest = try #require(JoinRequest(run: hello.run, keys: keys, bundle: bundle)).sealed
    }
}

/// An attacker that tries codes on a record, with full knowledge of the protocol but without a scalar.
private struct Cracker {
    private let record: Record
    /// All runs of 8 bytes of the record; a value derived from a code would appear among them.
    private let words: Set<UInt64>
    // The buffers are allocated once because there are a million codes.
    private var state = crypto_auth_hmacsha256_state()
    private var block = [UInt8](repeating: 0, count: 32)
    private var digest = [UInt8](repeating: 0, count: 64)

    init(_ record: Record) {
        self.record = record
        let parts = [record.joinerTag, record.hostTag, record.joinerPoint, record.hostPoint, record.sealedRequest]
        words = Set(parts.flatMap { part in (0...(part.count - 8)).map { Self.word(part, at: $0) } })
    }

    static func digits(_ code: Int) -> [UInt8] {
        var rest = code
        var digits = [UInt8](repeating: 0x30, count: 6)
        for index in digits.indices.reversed() {
            digits[index] += UInt8(rest % 10)
            rest /= 10
        }
        return digits
    }

    /// Whether the record contains a value that follows from a code: a proof under a key made from it, or its hash.
    mutating func fits(_ code: Int) -> Bool {
        let digits = Self.digits(code)
        // The key schedule of a join with the code in place of the shared key. Its block 3 is the key of the proofs.
        authenticate(digits, key: record.session)
        let pseudorandomKey = block
        for number in 0..<3 {
            crypto_auth_hmacsha256_init(&state, pseudorandomKey, 32)
            if number > 0 { crypto_auth_hmacsha256_update(&state, block, 32) }
            crypto_auth_hmacsha256_update(&state, Self.infos[number], 16)
            crypto_auth_hmacsha256_final(&state, &block)
        }
        if words.contains(Self.word(block)) { return true }
        authenticate(record.hostMessage, key: block)
        if words.contains(Self.word(block)) { return true }
        crypto_hash_sha512(&digest, digits, 6)
        return words.contains(Self.word(digest))
    }

    private mutating func authenticate(_ message: [UInt8], key: [UInt8]) {
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &block)
    }

    private static let infos = (1...3).map { joinLabel + [UInt8($0)] }
    private static let joinLabel = Array("earshot/v1/join".utf8)

    /// Reads 8 bytes as a number.
    private static func word(_ bytes: [UInt8], at offset: Int = 0) -> UInt64 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    /// Computes the host's proof for the assumption that `sharedPoint` is the point that both sides share.
    static func hostTag(sharedPoint: [UInt8], _ record: Record) -> [UInt8] {
        let input =
            CPace.joined(Array("CPaceRistretto255_ISK".utf8), record.session, sharedPoint)
            + record.joinerMessage + record.hostMessage
        let shared = SHA512.secretHash(SecretBytes(copying: input)).exposed
        var key = HMACSHA256.code(shared, record.kemSecret, key: SecretBytes(copying: record.session))
        let pseudorandomKey = SecretBytes(copying: key)
        key = []
        for number in 1...3 { key = HMACSHA256.code(key, joinLabel, [UInt8(number)], key: pseudorandomKey) }
        return HMACSHA256.code(record.hostMessage, key: SecretBytes(copying: key))
    }
}
