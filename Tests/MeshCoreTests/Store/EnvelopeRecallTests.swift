import MeshCore
import MeshSimulation
import Testing

@Suite("Envelopes asked for once more")
struct EnvelopeRecallTests {
    @Test("Those of the kind that begin with what is asked for come in the order in which they came")
    func recall() {
        let cryptography = ToyCryptography()
        var store = EnvelopeStore(limits: StoreLimits(), kinds: .simulated)
        let bodies: [[UInt8]] = [[2, 1, 9], [1, 1, 8], [3, 1, 7], [1, 1, 6], [1, 2, 5], [1]]
        for kind in [EnvelopeKind.chunk, .bundle] {
            for body in bodies {
                let envelope = Envelope(kind: kind, life: 100, body: body)
                let id = cryptography.envelopeID(kindByte: envelope.kindByte, body: body[...])
                _ = store.insert(envelope, id: id, proofHashes: [], origin: nil, isOld: false, now: .zero)
            }
        }
        let found = store.envelopes(.chunk, startingWith: [[1, 1], [2]])
        #expect(found.map(\.body) == [[2, 1, 9], [1, 1, 8], [1, 1, 6]])
        #expect(found.allSatisfy { $0.kind == .chunk })
        #expect(store.envelopes(.chunk, startingWith: []) == [])
    }
}
