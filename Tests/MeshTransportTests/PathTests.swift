import MeshCore
import Testing

@testable import MeshTransport

/// Tests with real sockets on the loopback interface.
@Suite("Paths on loopback", .timeLimit(.minutes(30)))
struct PathTests {
    @Test("A hello is heard beyond a relay, answered, and payloads go both ways until they are refused")
    func throughRelay() async throws {
        let (first, second) = (try await MulticastGroup.unused(), try await MulticastGroup.unused())
        let (left, right) = (TestNode(.loopback([first])), TestNode(.loopback([second])))
        let relay = TestNode(.loopback([first, second]))
        let answerer = PathLabel(2)
        try await withRunning([left, relay, right]) {
            try await left.linked(to: relay.id)
            try await right.linked(to: relay.id)
            let opener = try #require(await left.node.openPath(hello: [1, 2, 3]))
            try await right.received([1, 2, 3])
            var answer = PathMessage(to: opener, from: answerer, hops: 3, payload: [4])
            #expect(await right.node.send(answer))
            answer.hops = 5
            try await left.outputs.wait { [answer] in $0.contains(.pathMessage(answer)) }
            let live = PathMessage(to: answerer, hops: 2, isLive: true, payload: [6])
            var arrived = live
            arrived.hops = 4
            // A live payload may be lost, even on loopback.
            while !right.outputs.all.contains(.pathMessage(arrived)) {
                #expect(await left.node.send(live))
                await Task.yield()
            }
            let piece = PathMessage(
                to: answerer,
                hops: 0,
                isBulk: true,
                payload: [UInt8](repeating: 7, count: PathMessage.maximumPayloadByteCount)
            )
            var sentCount = 0
            while await left.node.send(piece) { sentCount += 1 }
            #expect(sentCount > 10)
            try await left.outputs.wait { $0.contains(.pathReady(answerer)) }
            #expect(await left.node.send(piece))
            #expect(await !left.node.send(PathMessage(to: PathLabel(9), hops: 0, payload: [1])))
            try await left.outputs.wait { $0.contains(.pathLost(PathLabel(9))) }
        }
    }
}
