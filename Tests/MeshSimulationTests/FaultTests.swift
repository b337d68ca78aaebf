import MeshCore
import MeshSimulation
import Testing

/// Tests of segments that carry nothing for a while, and of machines that sleep.
///
/// The notifications of the operating system about them are not covered.
@Suite("Faults")
struct FaultTests {
    /// Returns the longest time until two hosts are linked again, over many start times and lengths of the fault.
    private static func longestReturn(
        seed: UInt64,
        count: Int,
        longestFault: Duration,
        fault: (inout SimNet) -> Void,
        repair: (inout SimNet) -> Void
    ) -> Duration {
        var random = SplitMix64(seed: seed)
        var longest = Duration.zero
        for _ in 0..<count {
            var net = SimNet.linked(.line(2), seed: random.next())
            net.run(for: .milliseconds(Int64.random(in: 0...70_000, using: &random)))
            fault(&net)
            net.submit(body: SimNet.body(1), from: 0)
            let end = longestFault.components.seconds * 1_000
            net.run(for: .milliseconds(Int64.random(in: 0...end, using: &random)))
            repair(&net)
            let start = net.now
            let id = net.submit(body: SimNet.body(2), from: 0)
            let isBack = net.run(for: .seconds(60)) { $0.deliveryCounts(of: id) == [0, 1] }
            #expect(isBack)
            longest = max(longest, start.duration(to: net.now))
            net.run(for: .seconds(5))
            #expect(net.neighbourhoods == [[1], [0]])
            #expect(net.deliveries(at: 1).count == 2)
        }
        return longest
    }

    @Test(
        "When a firewall drops nothing any more, its host is found within a second and a half",
        arguments: [1, 2, 3, 4] as [UInt64],
        [3, 12, 110]
    )
    func firewall(seed: UInt64, seconds: Int) {
        let longest = Self.longestReturn(seed: seed, count: 25, longestFault: .seconds(seconds)) { net in
            net.setQuality(SegmentQuality(loss: 1), of: 0)
        } repair: { net in
            net.setQuality(SegmentQuality(), of: 0)
        }
        print("FIGURE found again after up to \(seconds) s without a segment: \(longest)")
        #expect(longest <= .milliseconds(1_500))
    }

    @Test("An interface that comes back is used within a second and a half", arguments: [1, 2] as [UInt64])
    func interface(seed: UInt64) {
        let longest = Self.longestReturn(seed: seed, count: 25, longestFault: .seconds(60)) { net in
            net.detach(0, from: 0)
        } repair: { net in
            net.attach(0, to: 0)
        }
        print("FIGURE found again after an interface was down: \(longest)")
        #expect(longest <= .milliseconds(1_500))
    }

    @Test("Links of a grid that fall silent while messages flow cost none of them and little time", arguments: 1...10)
    func cuts(seed: UInt64) {
        var net = SimNet.linked(.grid(width: 3, height: 3), seed: seed)
        let cuts = Topology.grid(width: 3, height: 3).segments.enumerated()
            .filter { $0.element == [0, 1] || $0.element == [5, 8] }.map(\.offset)
        var ids: [EnvelopeID?] = []
        var longest = Duration.zero
        for number in 0..<120 {
            if number == 40 { net.setQuality(SegmentQuality(loss: 1), of: cuts[0]) }
            if number == 80 { net.setQuality(SegmentQuality(loss: 1), of: cuts[1]) }
            let start = net.now
            let id = net.submit(body: SimNet.body(number), from: 0)
            ids.append(id)
            #expect(net.run(for: .seconds(5)) { $0.deliveryCounts(of: id)[8] == 1 })
            longest = max(longest, start.duration(to: net.now))
        }
        net.run(for: .seconds(5))
        for id in ids { #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: 0)) }
        print("FIGURE longest way of a message across a grid with two links cut: \(longest)")
        #expect(longest <= .milliseconds(150))
    }

    @Test("A first message comes soon after the link that it waited for", arguments: 1...10)
    func firstMessage(seed: UInt64) {
        var net = SimNet(.line(2), seed: seed)
        net.start(0)
        let id = net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(60))
        net.start(1)
        #expect(net.run(for: .milliseconds(100)) { $0.neighbourhoods == [[1], [0]] })
        #expect(net.run(for: .milliseconds(10)) { $0.deliveryCounts(of: id) == [0, 1] })
        net.run(for: .seconds(10))
        #expect(net.deliveryCounts(of: id) == [0, 1])
    }

    @Test(
        "A machine that slept for an hour is linked within a second, and its mail is an hour older",
        arguments: 1...20
    )
    func sleep(seed: UInt64) {
        var net = SimNet(.line(3), seed: seed)
        net.start(0)
        net.start(1)
        // The lives are an hour and a half, and half an hour, which is over before the host wakes.
        let long = net.submit(body: SimNet.body(1), life: 540, from: 1)
        net.submit(body: SimNet.body(2), life: 180, from: 1)
        net.run(for: .seconds(30))
        net.sleep(1)
        net.run(for: .seconds(3_600))
        #expect(net.neighbourhoods[0] == [])
        net.wake(1)
        #expect(net.run(for: .seconds(1)) { $0.neighbourhoods == [[1], [0], []] })
        #expect(net.snapshot(of: 1)?.storedCount == 1)
        net.run(for: .seconds(5))
        #expect(net.neighbourhoods == [[1], [0], []])
        net.start(2)
        #expect(net.run(for: .seconds(2)) { $0.deliveryCounts(of: long)[2] == 1 })
        let lives = net.deliveries(at: 2).map(\.envelope.life)
        // An hour and half a minute have passed, in whole ticks of ten seconds.
        #expect(lives == [176] || lives == [177])
    }
}
