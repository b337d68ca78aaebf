import MeshCore
import NIOCore
import Testing

@testable import MeshTransport

@Suite("Outbox")
struct OutboxTests {
    private let near: Endpoint
    private let far: Endpoint

    init() throws {
        let address = try #require(IPAddress(bytes: [10, 0, 0, 1]))
        near = Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: 1)
        far = Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: 2)
    }

    @Test("Datagrams of one size to one endpoint leave together, a shorter one closes the train")
    func oneSize() {
        #expect(lengths([(100, near), (100, near), (60, near), (60, near)]) == [[100, 100, 60], [60]])
    }

    @Test("A longer datagram begins another train, and so does an empty one")
    func otherSizes() {
        #expect(lengths([(60, near), (100, near), (0, near), (100, near)]) == [[60], [100], [0], [100]])
    }

    @Test("Datagrams to several endpoints are sorted out, each endpoint's in their order")
    func severalEndpoints() {
        var outbox = Outbox()
        for (number, endpoint) in [near, far, near, far, near].enumerated() {
            outbox.append([UInt8(number), 9], to: endpoint)
        }
        #expect(outbox.count == 5)
        let trains = outbox.takeAll()
        #expect(trains.map(\.endpoint) == [near, far])
        #expect(trains.map(\.datagrams) == [[[0, 9], [2, 9], [4, 9]], [[1, 9], [3, 9]]])
        #expect(trains.map(\.segmentByteCount) == [2, 2])
    }

    @Test("A train has at most as many datagrams and bytes as a kernel cuts")
    func limits() {
        #expect(lengths(Array(repeating: (10, near), count: 65)).map(\.count) == [64, 1])
        #expect(lengths(Array(repeating: (1_300, near), count: 51)).map(\.count) == [50, 1])
    }

    @Test("It is full at its limit, and empty once it was emptied")
    func full() {
        var outbox = Outbox()
        for _ in 1..<Outbox.limit { outbox.append([1], to: near) }
        #expect(!outbox.isFull)
        outbox.append([1], to: near)
        #expect(outbox.isFull)
        #expect(outbox.takeAll().map(\.datagrams.count).reduce(0, +) == Outbox.limit)
        #expect(outbox.count == 0)
        #expect(outbox.takeAll() == [])
        outbox.append([2], to: near)
        #expect(outbox.takeAll().map(\.datagrams) == [[[2]]])
    }

    @Test(
        "What the system joined is cut into the datagrams it was",
        arguments: [
            (2, [[1, 2], [3, 4], [5]]), (5, [[1, 2, 3, 4, 5]]), (9, [[1, 2, 3, 4, 5]]), (0, [[1, 2, 3, 4, 5]]),
            (nil, [[1, 2, 3, 4, 5]]),
        ] as [(Int?, [[UInt8]])]
    )
    func cut(byteCount: Int?, datagrams: [[UInt8]]) {
        var buffer = ByteBuffer(bytes: [0, 1, 2, 3, 4, 5])
        buffer.moveReaderIndex(forwardBy: 1)
        var cut: [[UInt8]] = []
        buffer.forEachDatagram(of: byteCount) { cut.append($0) }
        #expect(cut == datagrams)
    }

    private func lengths(_ datagrams: [(Int, Endpoint)]) -> [[Int]] {
        var outbox = Outbox()
        for (count, endpoint) in datagrams { outbox.append([UInt8](repeating: 7, count: count), to: endpoint) }
        return outbox.takeAll().map { $0.datagrams.map(\.count) }
    }
}
