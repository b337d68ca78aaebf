import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Hosts that share one radio channel")
struct SharedChannelTests {
    /// A channel that loses nothing.
    private static var lossless: SharedChannel {
        var channel = SharedChannel()
        (channel.unicastLoss, channel.multicastLoss) = (0, 0)
        return channel
    }

    /// Hosts on one segment with a channel, linked.
    private static func hall(_ count: Int, _ channel: SharedChannel = lossless, seed: UInt64 = 1) -> SimNet {
        var quality = SegmentQuality(delay: .zero)
        quality.channel = channel
        return .linked(.clique(count), seed: seed, quality: quality)
    }

    /// Datagrams that wait for a channel, without hosts.
    private struct Air {
        var queue = ChannelQueue()
        var random = SplitMix64(seed: 1)
        let channel: SharedChannel
        let source = SimHost(number: 0, configuration: .simulated, cryptography: NullCryptography()).endpoint(on: 0)

        @discardableResult
        mutating func add(_ bytes: [UInt8], _ sender: Int, _ way: ChannelQueue.Transmission.Way) -> Bool {
            queue.add(.init(bytes: bytes, source: source, sender: sender, way: way), to: channel)
        }

        /// Sends the next datagram and returns the time that it took.
        mutating func send() -> (time: Duration, arrives: Bool)? {
            let begun = queue.begin(channel, using: &random)
            let second = queue.begin(channel, using: &random)
            let ended = queue.end()
            #expect(second == nil && (ended == nil) == (begun == nil), "one at a time")
            return begun
        }
    }

    @Test("A unicast of 500 bytes takes 0.16 ms on each of its ways, a multicast 0.94 ms")
    func times() {
        #expect(SharedChannel().unicastTime(byteCount: 500) == .nanoseconds(110_000 + 46_511))
        #expect(SharedChannel().multicastTime(byteCount: 500) == .nanoseconds(270_000 + 666_666))
        var still = SharedChannel()
        still.basicRate = 0
        #expect(still.multicastTime(byteCount: 1) == still.multicastOverhead + .seconds(8))
    }

    @Test("Each transmission that is lost takes its time again, and nine of them are the last")
    func retries() throws {
        var channel = SharedChannel()
        channel.unicastLoss = 1
        var air = Air(channel: channel)
        air.add([0x40], 1, .toAccessPoint(for: 2))
        let sent = air.send()
        let (time, arrives) = try #require(sent)
        #expect(time == channel.unicastTime(byteCount: 1) * 9 && !arrives)
        channel.unicastLoss = 0.1
        air = Air(channel: channel)
        var total = Duration.zero
        for _ in 0..<2_000 {
            air.add([0x40], 1, .toAccessPoint(for: 2))
            let sent = air.send()
            total += try #require(sent).time
        }
        #expect((1.08...1.14).contains(total / (channel.unicastTime(byteCount: 1) * 2_000)))
    }

    @Test("The air carries what came first, and a queue that is full takes nothing")
    func order() {
        var channel = Self.lossless
        (channel.stationQueueLimit, channel.accessPointQueueLimit) = (2, 3)
        var air = Air(channel: channel)
        let stationTakes = (0..<5).map { _ in air.add([0x40], 7, .toAccessPoint(for: 2)) }
        let pointTakes = (0..<5).map { _ in air.add([0x40, 0], 8, .toHost(9)) }
        let other = air.add([0x40, 0, 0], 8, .toAll)
        #expect(stationTakes.count(where: \.self) == 3 && pointTakes.count(where: \.self) == 4 && other)
        #expect(air.queue.dropCount == 3)
        var times: [Duration] = []
        while let sent = air.send() { times.append(sent.time) }
        #expect(times.count == 8)
        #expect(times[..<3].allSatisfy { $0 == channel.unicastTime(byteCount: 1) })
        #expect(times[3..<7].allSatisfy { $0 == channel.unicastTime(byteCount: 2) })
        #expect(times[7] == channel.multicastTime(byteCount: 3))
        #expect(air.queue.airtime.total == times.reduce(.zero, +))
        let takesAgain = air.add([0x40], 7, .toAccessPoint(for: 2))
        #expect(takesAgain)
    }

    @Test("Airtime is told by cause")
    func causes() {
        #expect(
            [[0x45], [0x10], [0x11], [0x12], [0x40], [0x41], []].map { Airtime.Cause(of: $0).rawValue } == [
                "beacon", "handshake", "handshake", "handshake", "link", "link", "link",
            ]
        )
        var net = Self.hall(3)
        let before = net.airtime(of: 0)
        let first: [Airtime.Cause] = [.beacon, .handshake, .acknowledgement, .status]
        #expect(first.allSatisfy { before[$0] > .zero } && before[.post] == .zero && before[.link] == .zero)
        net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .milliseconds(100))
        let spent = net.airtime(of: 0) - before
        #expect(spent[.post] > SharedChannel().unicastTime(byteCount: 256) * 4 && spent[.handshake] == .zero)
        #expect(spent[.acknowledgement] > .zero && spent[.status] == .zero && spent[.link] == .zero)
        net.run(for: .seconds(2))
        let later = net.airtime(of: 0) - before
        #expect(later[.status] > .zero && later[.post] == spent[.post])
        #expect(spent - spent == Airtime())
        #expect(spent.total == Airtime.Cause.allCases.reduce(.zero) { $0 + spent[$1] })
    }

    @Test("The frames of a link tell its cause, and the most important one counts")
    func frames() {
        func cause(_ frames: [UInt8]) -> Airtime.Cause {
            Airtime.Cause(of: HostileMessage.packet(frames, connection: 1, number: 1))
        }
        /// A whole message of one byte on lane 1.
        func message(_ first: UInt8) -> [UInt8] { [0x10, 1, 0, 0, 1, 1, first] }
        let (ping, receipt, status) = (
            [UInt8(1)], [UInt8(2)] + [0, 0, 0, 1, 0, 0, 1, 0xFF], [4] + [UInt8](repeating: 9, count: 74)
        )
        #expect(
            [ping, receipt, [3, 0], [0x12, 0] + [UInt8](repeating: 1, count: 8)].map(cause)
                == .init(repeating: .acknowledgement, count: 4)
        )
        #expect([status, [5] + status.prefix(4)].map(cause) == [.status, .status])
        #expect(cause(receipt + status + ping) == .status)
        #expect(
            [0x14, 0x20, 0x22, 0x03, 0x30, 0x31, 0xF0].map { cause(message($0)) } == [
                .post, .announcement, .announcement, .comparing, .way, .way, .link,
            ]
        )
        #expect(cause(status + message(0x10)) == .post && cause([0x11, 1, 7]) == .way)
        #expect(cause([0x10, 1, 0, 5, 1, 0x20]) == .post, "the rest of a long message")
        for broken in [[0xFF], [2, 0], [4, 1], [0x10, 1], [0x10, 1, 0, 0, 1, 9, 1], [0x11, 5, 1], [0x12]] as [[UInt8]] {
            #expect(cause(broken) == .link)
        }
    }

    @Test("Nodes of a network that isolates its clients hear beacons and do not link")
    func isolation() {
        var channel = Self.lossless
        channel.passesUnicasts = false
        let net = Self.hall(3, channel)
        let (links, neighbours) = (net.neighbourhoods, net.snapshot(of: 0)?.neighbours)
        #expect(links == [[], [], []] && neighbours?.isEmpty == false)
    }

    @Test("More than the air carries waits and is dropped, and once it is quiet all have all")
    func overload() {
        var channel = SharedChannel()
        channel.unicastRate = 6_000_000
        var net = Self.hall(10, channel, seed: 3)
        let (start, before) = (net.now, net.airtime(of: 0).total)
        let ids = (0..<300).map { net.submit(body: SimNet.body($0), from: $0 % 10) }
        net.run(for: .seconds(1))
        let busy = net.airtime(of: 0).total - before
        #expect(busy > .milliseconds(900))
        let isDone = net.run(for: .seconds(120)) { net in
            ids.enumerated().allSatisfy { net.deliveryCounts(of: $1) == net.onceEverywhere(but: $0 % 10) }
        }
        let (dropCount, end) = (net.queueDropCount(of: 0), net.now)
        #expect(isDone && dropCount > 0)
        // 300 envelopes to nine hosts each take the channel twice.
        let least = channel.unicastTime(byteCount: 256) * (300 * 9 * 2)
        #expect(start.duration(to: end) > least)
    }

    @Test("A crowd that begins at once on a slow channel is one mesh in a minute, though its first answers are late")
    func slowCrowd() {
        var channel = Self.lossless
        channel.unicastRate = 500_000
        var quality = SegmentQuality(delay: .zero)
        quality.channel = channel
        var net = SimNet(.clique(20), seed: 3, quality: quality)
        net.startAll()
        net.run(for: .seconds(3))
        let (dropCount, isEarly) = (net.queueDropCount(of: 0), net.isOneComponent)
        #expect(dropCount > 0 && !isEarly)
        net.run(for: .seconds(57))
        let isWhole = net.isOneComponent
        #expect(isWhole)
    }

    @Test("The same seed gives the same run")
    func seeds() {
        func hash(_ seed: UInt64) -> UInt64 {
            var net = Self.hall(5, SharedChannel(), seed: seed)
            net.submit(body: SimNet.body(1), from: 0)
            net.run(for: .seconds(5))
            return net.traceHash
        }
        #expect(hash(1) == hash(1) && hash(1) != hash(2))
    }
}
