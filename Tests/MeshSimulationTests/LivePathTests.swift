import MeshCore
import MeshSimulation
import Testing

/// Tests of live payloads between whole nodes in virtual time.
@Suite("Live payloads on paths")
struct LivePathTests {
    private static func live(_ number: Int, to label: PathLabel) -> PathMessage {
        var payload = [UInt8](repeating: 0, count: 160)
        payload[0] = UInt8(truncatingIfNeeded: number >> 8)
        payload[1] = UInt8(truncatingIfNeeded: number)
        return PathMessage(to: label, hops: 0, isLive: true, payload: payload)
    }

    /// Returns the numbers of the live payloads that reached a host, in order.
    private static func arrivals(at host: Int, of net: SimNet) -> [Int] {
        net.reports(of: host).compactMap { report in
            guard case .pathMessage(let message) = report, message.isLive else { return nil }
            return Int(message.payload[0]) << 8 | Int(message.payload[1])
        }
    }

    /// Sends fifty live payloads a second, as speech does.
    private static func stream(_ numbers: Range<Int>, on path: TestPath, over net: inout SimNet) {
        for number in numbers {
            net.send(.sendOnPath(live(number, to: path.answererLabel)), to: path.opener)
            net.run(for: .milliseconds(20))
        }
        net.run(for: .milliseconds(500))
    }

    @Test(
        "Every link loses its share of live payloads, none comes twice, none is sent again",
        arguments: [0, 0.1, 0.3]
    )
    func loss(loss: Double) {
        var net = SimNet.linked(.line(4), seed: 3)
        let path = net.openPath(1, from: 0, to: 3)
        #expect(path.answerHops == 3)
        for segment in 0..<3 { net.setQuality(SegmentQuality(loss: loss), of: segment) }
        let count = 2_000
        Self.stream(0..<count, on: path, over: &net)
        let arrivals = Self.arrivals(at: 3, of: net)
        #expect(arrivals == arrivals.sorted())
        #expect(Set(arrivals).count == arrivals.count)
        // The tolerance is five standard deviations of that many draws.
        let expected = (1 - loss) * (1 - loss) * (1 - loss)
        let tolerance = 5 * (expected * (1 - expected) / Double(count)).squareRoot()
        #expect(abs(Double(arrivals.count) / Double(count) - expected) <= tolerance)
        #expect(!net.reports(of: 0).contains(.pathLost(path.answererLabel)))
    }

    @Test("A relay that dies is told of once, whatever goes on being sent")
    func relayDeath() {
        var net = SimNet.linked(.line(3), seed: 4)
        let path = net.openPath(1, from: 0, to: 2)
        Self.stream(0..<10, on: path, over: &net)
        net.crash(1)
        Self.stream(10..<500, on: path, over: &net)
        #expect(Self.arrivals(at: 2, of: net) == Array(0..<10))
        // From here on the node itself refuses each payload at once.
        let lost = net.reports(of: 0).filter { $0 == .pathLost(path.answererLabel) }.count
        #expect(lost > 0)
        #expect(net.snapshot(of: 0)?.links.isEmpty == true)
    }

    @Test("Beside bulk that fills the path, live payloads arrive")
    func besideBulk() {
        var quality = SegmentQuality(delay: .milliseconds(2))
        quality.rate = 1_000_000
        var net = SimNet.linked(.line(3), seed: 5)
        let path = net.openPath(1, from: 0, to: 2)
        for segment in 0..<2 { net.setQuality(quality, of: segment) }
        for number in 0..<500 {
            net.send(.sendOnPath(path.component), to: 0)
            net.send(.sendOnPath(Self.live(number, to: path.answererLabel)), to: 0)
            net.run(for: .milliseconds(20))
        }
        net.run(for: .milliseconds(500))
        #expect(Self.arrivals(at: 2, of: net).count > 450)
        #expect(net.pieceCount(at: 2) > 200)
    }
}
