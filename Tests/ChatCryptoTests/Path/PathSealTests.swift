import Bytes
import Testing

@testable import ChatCrypto

@Suite("Seal of a path")
struct PathSealTests {
    private static let openerLabel: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private static let answererLabel: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]

    private let opener: PathSeal
    private let answerer: PathSeal

    init() {
        let secret = SecretBytes.random(count: PathSeal.secretByteCount)
        func seal(_ end: PathSeal.End) -> PathSeal {
            PathSeal(secret: secret, opener: Self.openerLabel, answerer: Self.answererLabel, end: end)
        }
        opener = seal(.opener)
        answerer = seal(.answerer)
    }

    @Test("Each end opens what the other sealed, in any order, with its number, and not its own")
    func bothWays() throws {
        let first = opener.seal([1, 2, 3])
        let second = opener.seal([])
        let answer = answerer.seal([4])
        #expect(answerer.open(second).map { [UInt8($0.number)] + $0.content } == [1])
        #expect(answerer.open(first).map { [UInt8($0.number)] + $0.content } == [0, 1, 2, 3])
        #expect(opener.open(answer).map { [UInt8($0.number)] + $0.content } == [0, 4])
        #expect(opener.open(first) == nil)
    }

    @Test("Secret and labels give the known keys, and they the known payloads")
    func knownAnswers() throws {
        let known = try VectorFile("path").cases[0]
        let secret = SecretBytes(copying: try known.bytes("secret"))
        let labels = try (opener: known.bytes("opener label"), answerer: known.bytes("answerer label"))
        func seal(_ end: PathSeal.End) -> PathSeal {
            PathSeal(secret: secret, opener: labels.opener, answerer: labels.answerer, end: end)
        }
        let ends = (opener: seal(.opener), answerer: seal(.answerer))
        let nonce = [UInt8](repeating: 0, count: 4) + UInt64(try known.number("number")).bigEndianBytes
        for end in ["opener", "answerer"] {
            let key = SecretBytes(copying: try known.bytes("\(end) key"))
            let sealed = try known.bytes("\(end) payload").dropFirst(8)
            let padded = try #require(AEAD.open(sealed, key: key, nonce: nonce, associatedData: []))
            let content = try known.bytes("\(end) content")
            #expect(padded.starts(with: [0, UInt8(content.count)] + content) && padded.count == 256)
        }
        let contents = try (opener: known.bytes("opener content"), answerer: known.bytes("answerer content"))
        #expect(try ends.opener.seal(contents.opener) == known.bytes("opener payload"))
        #expect(try ends.answerer.seal(contents.answerer) == known.bytes("answerer payload"))
        let opened = try (ends.answerer.open(known.bytes("opener payload")), known.number("number"))
        #expect(opened.0.map { Int($0.number) } == opened.1)
        #expect(opened.0.map { Array($0.content) } == contents.opener)
        #expect(try ends.opener.open(known.bytes("answerer payload")).map { Array($0.content) } == contents.answerer)
    }

    @Test("A payload tells of its length only the next multiple of 256", arguments: [(0, 280), (254, 280), (255, 536)])
    func lengths(count: Int, payloadByteCount: Int) {
        let payload = opener.seal([UInt8](repeating: 1, count: count))
        #expect(payload.count == payloadByteCount)
        #expect(answerer.open(payload)?.content.count == count)
    }

    @Test("The longest content makes the longest payload that a path takes at most")
    func longest() {
        let payload = opener.seal([UInt8](repeating: 1, count: PathSeal.maximumContentByteCount))
        #expect(payload.count == 20_248)
        #expect(payload.count + 256 > 20_480)
    }

    @Test("A copy of a seal goes on with the numbers of the original")
    func copies() {
        let copy = opener
        let payloads = [opener.seal([1]), copy.seal([1]), opener.seal([1])]
        #expect(payloads.compactMap { answerer.open($0)?.number } == [0, 1, 2])
    }

    @Test("A payload with any bit flipped, or cut short, opens for nobody")
    func damage() {
        let payload = opener.seal([1, 2, 3])
        for index in payload.indices {
            var damaged = payload
            damaged[index] ^= 1 << UInt8(index % 8)
            #expect(answerer.open(damaged) == nil)
            #expect(answerer.open(Array(payload.prefix(index))) == nil)
        }
    }

    @Test("Another secret, or another label at either end, makes other keys", arguments: 0..<3)
    func binding(which: Int) {
        let other = PathSeal(
            secret: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            opener: Self.openerLabel,
            answerer: Self.answererLabel,
            end: .answerer
        )
        let sealing = PathSeal(
            secret: SecretBytes(copying: [UInt8](repeating: which == 0 ? 8 : 7, count: 32)),
            opener: which == 1 ? Self.answererLabel : Self.openerLabel,
            answerer: which == 2 ? Self.openerLabel : Self.answererLabel,
            end: .opener
        )
        #expect(other.open(sealing.seal([1])) == nil)
    }

    @Test("The keys are those of the protocol")
    func derivation() throws {
        let secret = SecretBytes(copying: [UInt8](0..<32))
        let seal = PathSeal(secret: secret, opener: Self.openerLabel, answerer: Self.answererLabel, end: .answerer)
        let payload = seal.seal([9])
        let salt = Self.openerLabel + Self.answererLabel
        let info = Array("earshot/v1/path".utf8)
        let keys = HKDF.derive(salt: SecretBytes(copying: salt), inputKey: secret, info: info, count: 64)
        let padded = AEAD.open(
            payload.dropFirst(8),
            key: keys.slice(32..<64),
            nonce: [UInt8](repeating: 0, count: 12),
            associatedData: []
        )
        #expect(padded == [0, 1, 9] + [UInt8](repeating: 0, count: 253))
    }
}
