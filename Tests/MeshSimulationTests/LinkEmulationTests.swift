import Testing

@testable import MeshCore
@testable import MeshSimulation

/// Tests of one link over bad radio: 50 Mbit/s, 2 ms each way, a queue of 100 packets.
///
/// Goodput counts the bytes of whole messages. Late timers and long radio outages are not covered.
@Suite("Links on bad radio")
struct LinkEmulationTests {
    /// The rate of the segment.
    ///
    /// Units: bytes per second.
    private static let rate = 50_000_000 / 8

    private static func quality(loss: Double = 0, burst: BurstLoss? = nil) -> SegmentQuality {
        var quality = SegmentQuality(delay: .milliseconds(2), loss: loss)
        quality.rate = rate
        quality.burst = burst
        return quality
    }

    /// Runs `emulation` for `duration` and returns the fraction of `rate` that bulk messages used.
    private static func goodput(_ emulation: inout LinkEmulation, for duration: Duration) -> Double {
        let before = emulation.bulkByteCounts.reduce(0, +)
        emulation.run(for: duration)
        let byteCount = emulation.bulkByteCounts.reduce(0, +) - before
        return Double(byteCount) / (Double(rate) * (duration / .seconds(1)))
    }

    /// Returns the delay that 99 of 100 messages do not exceed.
    private static func percentile99(_ chats: [LinkEmulation.Chat]) -> Duration {
        let delays = chats.map(\.delay).sorted()
        return delays.isEmpty ? .seconds(9) : delays[(delays.count * 99 + 99) / 100 - 1]
    }

    @Test(
        "Bulk fills the link and chat beside it is quick, whatever is lost",
        arguments: [(0, 0.9), (0.02, 0.9), (0.1, 0.8), (0.2, 0.7), (0.3, 0.6)]
    )
    func bulkAndChat(loss: Double, leastGoodput: Double) {
        var emulation = LinkEmulation(quality: Self.quality(loss: loss), seed: 1)
        emulation.startBulk(from: 1)
        emulation.run(for: .milliseconds(300))
        emulation.scheduleChat(for: .seconds(3))
        #expect(Self.goodput(&emulation, for: .seconds(3)) >= leastGoodput)
        emulation.run(for: .milliseconds(300))
        #expect(emulation.chats.count == 60)
        if loss <= 0.2 { #expect(Self.percentile99(emulation.chats) < .milliseconds(60)) }
    }

    @Test("A link tells what it measures")
    func measurements() throws {
        var emulation = LinkEmulation(quality: Self.quality(loss: 0.1), seed: 2)
        #expect(emulation.info(of: 1)?.rate == nil)
        emulation.startBulk(from: 1)
        emulation.run(for: .seconds(1))
        let info = try #require(emulation.info(of: 1))
        #expect((0.05...0.15).contains(info.loss))
        #expect((0.8...1.05).contains(Double(try #require(info.rate)) / Double(Self.rate)))
    }

    @Test(
        "Bursts of loss leave most of the link",
        arguments: [(0.1, BurstLoss(onset: 0.0093, recovery: 1 / 12)), (0.2, BurstLoss(onset: 0.031, recovery: 1 / 8))]
    )
    func bursts(loss: Double, burst: BurstLoss) {
        var emulation = LinkEmulation(quality: Self.quality(burst: burst), seed: 3)
        emulation.startBulk(from: 1)
        emulation.run(for: .milliseconds(300))
        #expect(Self.goodput(&emulation, for: .seconds(2)) >= 0.8 * (1 - loss))
    }

    @Test("Three flows share a link within 15 %", arguments: [0, 0.1])
    func fairness(loss: Double) {
        var emulation = LinkEmulation(quality: Self.quality(loss: loss), senderCount: 3, seed: 4)
        for node in 1...3 { emulation.startBulk(from: node) }
        emulation.run(for: .seconds(1))
        let before = emulation.bulkByteCounts
        #expect(Self.goodput(&emulation, for: .seconds(2)) >= 0.9 * (1 - loss))
        let shares = zip(emulation.bulkByteCounts, before).dropFirst().map { Double($0 - $1) }
        let mean = shares.reduce(0, +) / 3
        #expect(shares.filter { abs($0 / mean - 1) > 0.15 } == [])
    }

    @Test("A link that slows down to a tenth and recovers is followed within a second or two")
    func rateStep() {
        var emulation = LinkEmulation(quality: Self.quality(), seed: 5)
        emulation.startBulk(from: 1)
        emulation.run(for: .milliseconds(500))
        emulation.segment.quality.rate = Self.rate / 10
        emulation.scheduleChat(for: .seconds(4))
        emulation.run(for: .seconds(2))
        #expect(Self.goodput(&emulation, for: .seconds(2)) >= 0.09)
        let late = emulation.chats.filter { $0.sentAt >= emulation.now.advanced(by: .seconds(-2)) }
        #expect(late.count >= 38 && Self.percentile99(late) < .milliseconds(60))
        #expect(Self.percentile99(emulation.chats) < .milliseconds(200))
        emulation.segment.quality.rate = Self.rate
        emulation.run(for: .seconds(1))
        #expect(Self.goodput(&emulation, for: .milliseconds(500)) >= 0.9)
    }

    @Test("Hours of chat teach a link no low rate")
    func chatTeachesNothing() {
        var emulation = LinkEmulation(quality: Self.quality(), seed: 6)
        emulation.startBulk(from: 1)
        emulation.run(for: .milliseconds(500))
        emulation.stopBulk(from: 1)
        let rate = emulation.info(of: 1)?.rate
        emulation.scheduleChat(for: .seconds(60))
        emulation.run(for: .seconds(61))
        #expect(emulation.info(of: 1)?.rate == rate)
        emulation.startBulk(from: 1)
        #expect(Self.goodput(&emulation, for: .milliseconds(500)) >= 0.85)
    }

    @Test("What waits in a small queue is not mistaken for bad radio", arguments: [0, 0.1])
    func smallQueue(loss: Double) {
        var quality = Self.quality(loss: loss)
        quality.queueLimit = 20
        var emulation = LinkEmulation(quality: quality, seed: 7)
        emulation.startBulk(from: 1)
        emulation.run(for: .milliseconds(300))
        let before = emulation.datagramCount
        #expect(Self.goodput(&emulation, for: .seconds(1)) >= 0.9 * (1 - loss))
        // The ideal is a packet per 1,232 bytes and an acknowledgement per four. At most a quarter more is wasted.
        let ideal = Double(Self.rate / 1232) * 1.25
        #expect(Double(emulation.datagramCount - before) < ideal * 1.25)
    }

    @Test("The same seed gives the same run")
    func repeatable() {
        let runs = (0..<2).map { _ in
            var emulation = LinkEmulation(quality: Self.quality(loss: 0.2), seed: 8)
            emulation.startBulk(from: 1)
            emulation.scheduleChat(for: .milliseconds(300))
            emulation.run(for: .milliseconds(400))
            return (emulation.bulkByteCounts, emulation.datagramCount, emulation.chats)
        }
        #expect(runs[0] == runs[1])
    }
}
