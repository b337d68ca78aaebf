import Testing

@testable import ChatCrypto
@testable import MeshCore

/// Tests of one set with both modules: ChatCrypto hashes the short ids, MeshCore encodes them.
@Suite("Known symbols")
struct SymbolVectorTests {
    /// Cryptography with the hash of short ids only; a comparison needs no more.
    private struct Hashing: MeshCryptography {
        func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 { ShortHash.of(shortID, salt: salt) }
        func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID { preconditionFailure() }
        func proofHash(deliveryProof: [UInt8]) -> [UInt8] { preconditionFailure() }
        func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] { preconditionFailure() }
        func networkTags() -> [UInt32] { [] }
        var beaconKey: [UInt8]? { nil }
        func nodeKey(seed: UInt64) -> any NodeKey { preconditionFailure() }
        func nodeID(of publicKey: [UInt8]) -> NodeID { preconditionFailure() }
    }

    private static func integers(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    @Test("Salt and ids give the known hash, places, symbols and digest", arguments: try VectorFile("symbols").cases)
    func knownAnswers(known: VectorCase) throws {
        let salt = try Self.integers(known.bytes("salt"))[0]
        let ids = try Self.integers(known.bytes("ids"))
        let hash = SaltedHash(salt: salt, cryptography: Hashing())
        #expect(try [hash(ids[0])] == Self.integers(known.bytes("first hash")))
        var places = SymbolPositions(hash: hash(ids[0]))
        var reached: [String] = []
        while places.place < SymbolPositions.limit {
            reached.append(String(places.place))
            places.advance()
        }
        #expect(try reached.joined(separator: " ") == known.text("first places"))

        let message = try known.bytes("message")
        guard case .symbols(salt, 0, let symbols) = SyncMessage(decoding: message) else {
            Issue.record("no symbols from place 0")
            return
        }
        var encoder = SymbolEncoder(ids, hash: hash)
        let made = (0..<symbols.count).compactMap { _ in encoder.next() }
        #expect(SyncMessage.symbols(salt: salt, place: 0, made).encoded() == message)
        let sums = try sums(of: ids)
        #expect(try sums.indices.flatMap { Self.bytes(of: sums[$0]) } == known.bytes("sums"))
    }

    private static func bytes(of sum: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    }

    /// Returns the sums of a store that holds envelopes with these short ids.
    private func sums(of ids: [UInt64]) throws -> SIMD16<UInt32> {
        var store = EnvelopeStore(limits: StoreLimits(), kinds: KindPolicy([0: .message]))
        for id in ids {
            let bytes = (0..<16).map { UInt8(truncatingIfNeeded: id >> UInt64(56 - 8 * ($0 % 8))) }
            let name = try #require(EnvelopeID(bytes: bytes))
            let envelope = Envelope(kind: 0, life: 8_640, body: [1])
            let isKept = store.insert(
                envelope,
                id: name,
                proofHashes: [],
                origin: nil,
                isOld: false,
                now: .zero
            )
            #expect(isKept)
        }
        return store.summary.sums
    }
}
