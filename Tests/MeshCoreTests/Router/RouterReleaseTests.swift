import MeshCore
import MeshSimulation
import Testing

@Suite("Releases")
struct RouterReleaseTests {
    private let deliveryProof = [UInt8](repeating: 9, count: 16)

    private func sealed(for deliveryProof: [UInt8]) -> Envelope {
        Envelope(
            kind: .sealed,
            hops: 0,
            life: 100,
            body: ToyCryptography().proofHash(deliveryProof: deliveryProof) + [1, 2]
        )
    }

    private func release(_ deliveryProof: [UInt8]) -> Envelope {
        Envelope(kind: .release, hops: 0, life: 100, body: deliveryProof)
    }

    @Test("A release removes the message, leaves a tombstone, is kept and passed on")
    func removes() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let message = sealed(for: deliveryProof)
        _ = bench.receive(message, on: 1)
        _ = bench.links.takeSent()
        #expect(bench.receive(release(deliveryProof), on: 2).count == 1)
        #expect(bench.router.store[bench.id(message).shortID] == nil)
        #expect(bench.router.store[bench.id(release(deliveryProof)).shortID] != nil)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(1)])
        #expect(bench.receive(message, on: 1) == [.dropped(.duplicate)])
    }

    @Test("A release that fits nothing here leaves everything, is kept and passed on, and meets its message later")
    func wrongPreimage() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let message = sealed(for: deliveryProof)
        _ = bench.receive(message, on: 1)
        let other = [UInt8](repeating: 8, count: 16)
        _ = bench.links.takeSent()
        #expect(bench.receive(release(other), on: 1).count == 1)
        #expect(bench.links.takeSent().count == 1)
        #expect(bench.router.store.count == 2)
        #expect(bench.receive(sealed(for: other), on: 2) == [.dropped(.released)])
        #expect(bench.links.takeSent() == [])
        #expect(bench.router.store.count == 2)
        #expect(bench.receive(sealed(for: other), on: 2) == [.dropped(.duplicate)])
    }

    @Test("Releasing what was released already sends nothing")
    func ownReleased() {
        var bench = RouterBench()
        bench.connect(1)
        _ = bench.receive(release(deliveryProof), on: 1)
        #expect(bench.submit(sealed(for: deliveryProof)) == [.dropped(.released)])
        #expect(bench.links.takeSent() == [])
    }
}
