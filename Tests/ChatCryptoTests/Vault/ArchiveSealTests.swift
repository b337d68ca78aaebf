import Testing

@testable import ChatCrypto

@Suite("Sealed exports")
struct ArchiveSealTests {
    private let passphrase = SecretBytes(copying: Array("correct horse".utf8))

    @Test("Pieces open in their places with the right passphrase, and nowhere else")
    func opens() throws {
        let sealer = try ArchiveSealer(passphrase: passphrase, cost: .small)
        let pieces = [[UInt8](repeating: 1, count: ArchiveSealer.segmentByteCount), [2, 3]]
        let sealed = [sealer.seal(pieces[0], isLast: false), sealer.seal(pieces[1], isLast: true)]
        #expect(sealer.header.count == ArchiveOpener.headerByteCount && ArchiveOpener.isHeader(sealer.header))
        #expect(sealed[0].count == ArchiveSealer.sealedSegmentByteCount)
        let opener = try ArchiveOpener(header: sealer.header, passphrase: passphrase)
        #expect(opener.open(sealed[0], index: 0, isLast: false) == pieces[0])
        #expect(opener.open(sealed[1], index: 1, isLast: true) == pieces[1])
        #expect(opener.open(sealed[0], index: 0, isLast: true) == nil, "an export that was cut off")
        #expect(opener.open(sealed[0], index: 1, isLast: false) == nil)
        #expect(opener.open(sealed[1], index: 0, isLast: true) == nil)
        #expect(opener.open(Array(sealed[1].dropLast()), index: 1, isLast: true) == nil)
        #expect(throws: CryptoError(.wrongPassphrase, "")) {
            try ArchiveOpener(header: sealer.header, passphrase: SecretBytes(copying: [1]))
        }
    }

    @Test("The known lines give the known export, byte for byte", arguments: try VectorFile("export").cases)
    func knownAnswers(known: VectorCase) throws {
        let secret = SecretBytes(copying: try known.bytes("passphrase"))
        let cost = try PassphraseCost(
            iterations: UInt32(known.number("iterations")),
            memoryKibibytes: UInt32(known.number("kibibytes"))
        )
        let byteCount = try known.number("plain size")
        let lines = try known.has("lines") ? known.bytes("lines") : (0..<byteCount).map { UInt8($0 & 0xFF) }
        #expect(lines.count == byteCount)
        let sealer = try Randomness.$tape.withValue(RandomTape(try known.bytes("salt"))) {
            try ArchiveSealer(passphrase: secret, cost: cost)
        }
        #expect(try sealer.header == known.bytes("header"))
        let opener = try ArchiveOpener(header: sealer.header, passphrase: secret)
        var export = sealer.header
        for start in stride(from: 0, to: byteCount, by: ArchiveSealer.segmentByteCount) {
            let piece = Array(lines[start..<min(start + ArchiveSealer.segmentByteCount, byteCount)])
            let isLast = start + piece.count == byteCount
            let sealed = sealer.seal(piece, isLast: isLast)
            #expect(opener.open(sealed, index: UInt32(start / ArchiveSealer.segmentByteCount), isLast: isLast) == piece)
            export += sealed
        }
        #expect(try SHA256.hash(export) == known.bytes("sha256"))
        if known.has("export") { #expect(try export == known.bytes("export")) }
    }

    @Test("What is no header, of another version, or asks for too much work is refused before any")
    func refuses() throws {
        let header = try ArchiveSealer(passphrase: passphrase, cost: .small).header
        func code(_ change: (inout [UInt8]) -> Void) -> CryptoError.Code? {
            var changed = header
            change(&changed)
            do {
                _ = try ArchiveOpener(header: changed, passphrase: passphrase)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { $0[0] ^= 1 } == .malformed)
        #expect(code { $0[8] = 2 } == .unknownVersion)
        #expect(code { $0.removeLast() } == .malformed)
        #expect(code { $0.removeAll() } == .malformed)
        #expect(code { $0[9] = 255 } == .outOfBounds)
        #expect(code { $0[13] = 255 } == .outOfBounds)
        #expect(code { $0[40] ^= 1 } == .wrongPassphrase)
    }
}
