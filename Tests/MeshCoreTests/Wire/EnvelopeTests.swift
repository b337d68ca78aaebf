import MeshCore
import MeshSimulation
import Testing

@Suite("Envelope")
struct EnvelopeTests {
    @Test("An envelope survives the wire", arguments: KindPolicy.simulated.kinds)
    func roundTrip(kind: EnvelopeKind) {
        let envelope = Envelope(kind: kind, life: 0x1234, body: [1, 2, 3])
        let bytes = envelope.encoded()
        #expect(bytes == [0x10 | kind.rawValue, 0x12, 0x34, 1, 2, 3])
        #expect(Envelope(decoding: bytes[...]) == envelope)
    }

    @Test(
        "Bytes that are no envelope are refused",
        arguments: [
            [], [0x10], [0x10, 0, 1], [0x20, 0, 1, 9], [0x00, 0, 1, 9],
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(Envelope(decoding: bytes[...]) == nil)
    }

    @Test("A kind is a number from 0 to 15")
    func kinds() {
        #expect((0...UInt8.max).compactMap { EnvelopeKind(rawValue: $0)?.rawValue } == Array(0...15))
        #expect(Envelope(decoding: [0x1F, 0, 1, 9])?.kind == 15)
    }

    @Test("The largest envelope is read, one byte more is not")
    func largest() {
        let bytes = [0x10, 0, 1] + [UInt8](repeating: 5, count: Envelope.maximumByteCount - 3)
        #expect(Envelope(decoding: bytes[...]) != nil)
        #expect(Envelope(decoding: (bytes + [5])[...]) == nil)
    }
}
