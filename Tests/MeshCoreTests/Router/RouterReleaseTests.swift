import Bytes
import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Releases")
struct RouterReleaseTests {
    private let deliveryProof = [UInt8](repeating: 9, count: 16)

    private func sealed(for deliveryProof: [UInt8]) -> Envelope {
        Envelope(
            kind: .sealed,
            life: 100,
            body: ToyCryptography().proofHash(deliveryProof: deliveryProof) + [1, 2]
        )
    }

    private func release(_ deliveryProof: [UInt8]) -> Envelope {
        Envelope(kind: .release, life: 100, body: deliveryProof)
    }

    @Test("A release removes the message, which is known from then on; it is kept and passed on")
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

    @Test(
        "A release of many delivery proofs removes as many messages; one of another number of them is malformed",
        arguments: [1, 4, 16, 64]
    )
    func several(count: Int) {
        var bench = RouterBench()
        bench.connect(1, 2)
        let proofs = (0..<count).map { [UInt8](repeating: UInt8($0), count: 16) }
        for proof in proofs { _ = bench.receive(sealed(for: proof), on: 1) }
        #expect(bench.router.store.count == count)
        #expect(bench.receive(release(Array(proofs.joined()) + [UInt8](repeating: 1, count: 16)), on: 2) != [])
        #expect(bench.router.store.count == count)
        _ = bench.receive(release(Array(proofs.joined())), on: 2)
        #expect(bench.router.store.count == 1)
        #expect(bench.router.store.releasedCount == count)
    }

    @Test("Delivery proofs count one by one: they fill at most half of the store's number")
    func bounded() {
        var bench = RouterBench()
        bench.connect(1)
        let limit = bench.router.store.limits.releaseCount
        for number in 0..<UInt16(clamping: limit / 64 + 2) {
            let body = (0..<64 as Range<UInt8>).flatMap { place in
                number.bigEndianBytes + [place] + [UInt8](repeating: 0, count: 13)
            }
            _ = bench.receive(release(body), on: 1)
        }
        #expect(bench.router.store.releaseCount <= limit && bench.router.store.releaseCount > limit - 64)
    }
}
