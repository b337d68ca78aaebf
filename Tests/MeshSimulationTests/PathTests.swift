import MeshCore
import MeshSimulation
import Testing

/// Tests of paths between whole nodes in virtual time; the test supplies the messages of the two ends.
@Suite("Paths")
struct PathTests {
    @Test("Paths through a random mesh are hardly longer than the shortest over its links", arguments: [1, 2])
    func stretch(seed: UInt64) {
        let topology = Topology.randomGeometric(64, degree: 8, seed: seed)
        let quality = SegmentQuality(jitter: .microseconds(500))
        var net = SimNet.linked(topology, seed: seed, quality: quality)
        var random = SplitMix64(seed: seed)
        var taken = 0
        var shortest = 0
        for number in 0..<20 {
            let opener = Int.random(in: 0..<64, using: &random)
            let answerer = Int.random(in: 0..<64, using: &random)
            guard opener != answerer, let distance = net.distance(from: opener, to: answerer) else { continue }
            let path = net.openPath(UInt64(number) + 1, from: opener, to: answerer)
            #expect(path.requestHops == path.answerHops)
            taken += path.answerHops ?? 1_000
            shortest += distance
            net.run(for: .milliseconds(600))
        }
        #expect(Double(taken) <= 1.1 * Double(shortest))
    }

    @Test("A path that loses a relay is found again by another way")
    func relayDeath() {
        var net = SimNet.linked(.grid(width: 3, height: 3), seed: 5)
        let first = net.openPath(1, from: 0, to: 8)
        #expect(first.answerHops == 4)
        var survivors = net
        let isOnPath = [1, 2, 3, 4, 5, 6, 7].first { relay in
            survivors = net
            survivors.crash(relay)
            // The test allows time to notice the silence of the relay, and then sends a payload.
            let isNoticed = survivors.run(for: .seconds(10)) { attempt in
                attempt.reports(of: 0).contains(.pathLost(first.answererLabel))
            }
            guard !isNoticed else { return true }
            survivors.sendOnPath(first, 1)
            return survivors.run(for: .seconds(5)) { attempt in
                attempt.reports(of: 0).contains(.pathLost(first.answererLabel))
            }
        }
        #expect(isOnPath != nil)
        let second = survivors.openPath(2, from: 0, to: 8)
        #expect(second.answerHops == 4)
        #expect(survivors.sendOnPath(second, 7) == 4)
    }

    @Test("A path is closed by ten minutes of silence at every node, and not before")
    func silence() {
        var net = SimNet.linked(.line(3), seed: 6)
        let path = net.openPath(1, from: 0, to: 2)
        #expect(path.answerHops == 2)
        net.run(for: .seconds(599))
        #expect(net.sendOnPath(path, 1) == 2)
        net.run(for: .seconds(602))
        #expect(net.sendOnPath(path, 2) == nil)
        #expect(net.reports(of: 0).last == .pathLost(path.answererLabel))
    }

    @Test("Two ends on one segment whose path goes through a third link directly once they know of each other")
    func promotion() {
        var configuration = MeshConfiguration.simulated
        configuration.discovery.fullMeshLimit = 0
        configuration.discovery.linkTarget = 1
        configuration.discovery.linksPerSegment = 1
        var net = SimNet.linked(.clique(12), seed: 8, configuration: configuration)
        let far = (1..<12).first { net.distance(from: 0, to: $0) ?? 0 > 1 }
        guard let far, let node = net.snapshot(of: far)?.nodeID else {
            Issue.record("everybody is linked to everybody")
            return
        }
        let first = net.openPath(1, from: 0, to: far)
        #expect(first.answerHops ?? 0 > 1)
        net.send(.linkDirectly(node), to: 0)
        net.run(for: .milliseconds(500))
        #expect(net.distance(from: 0, to: far) == 1)
        let second = net.openPath(2, from: 0, to: far)
        #expect(second.answerHops == 1)
    }

    @Test("A sender that waits when it is refused, and goes on when it is told, loses nothing")
    func backpressure() {
        var net = SimNet.linked(.line(3), seed: 9)
        let path = net.openPath(1, from: 0, to: 2)
        // The first link is the narrow one, so that the second can carry every message that the first accepts.
        var narrow = SegmentQuality()
        narrow.rate = 250_000
        net.setQuality(narrow, of: 0)
        var takenCount = 0
        for _ in 0..<10_000 where takenCount < 60 {
            let refusalCount = net.reports(of: 0).count { $0 == .pathRefused(path.answererLabel) }
            if refusalCount == net.reports(of: 0).count(where: { $0 == .pathReady(path.answererLabel) }) {
                net.send(.sendOnPath(path.component), to: 0)
                if net.reports(of: 0).last != .pathRefused(path.answererLabel) { takenCount += 1 }
            } else {
                net.run(for: .milliseconds(1))
            }
        }
        net.run(for: .seconds(5))
        #expect(net.reports(of: 0).contains(.pathRefused(path.answererLabel)))
        #expect(takenCount == 60)
        #expect(net.pieceCount(at: 2) == 60)
    }

    @Test("A relay before a slow link keeps what it may and drops the oldest of the rest")
    func slowLink() {
        var net = SimNet.linked(.line(3), seed: 9)
        let path = net.openPath(1, from: 0, to: 2)
        net.setQuality(SegmentQuality(delay: .milliseconds(100)), of: 1)
        for _ in 0..<100 {
            net.send(.sendOnPath(path.component), to: 0)
            net.run(for: .milliseconds(10))
        }
        net.run(for: .seconds(5))
        let dropCount = net.snapshot(of: 1)?.drops[.pathQueueFull] ?? 0
        #expect(!net.reports(of: 0).contains(.pathRefused(path.answererLabel)))
        #expect(dropCount > 0)
        #expect(net.pieceCount(at: 2) + dropCount == 100)
    }
}

/// A path that a test has opened.
struct TestPath {
    let opener: Int
    let answerer: Int
    let openerLabel: PathLabel
    let answererLabel: PathLabel
    /// The number of links that the answer crossed; nil if no answer arrived.
    var answerHops: Int?
    /// The number of links that the first payload crossed.
    var requestHops: Int?

    /// A chunk of a large transfer, for the answerer.
    var component: PathMessage {
        let payload = [UInt8](repeating: 1, count: 16_384)
        return PathMessage(to: answererLabel, hops: 0, isBulk: true, payload: payload)
    }
}

extension SimNet {
    /// Opens a path; the answerer answers and the opener sends one payload.
    mutating func openPath(_ number: UInt64, from opener: Int, to answerer: Int) -> TestPath {
        let hello: [UInt8] = [1, 2, 3, UInt8(number)]
        let probe = Envelope(kind: .probe, life: 0, body: hello)
        var path = TestPath(
            opener: opener,
            answerer: answerer,
            openerLabel: PathLabel(
                trailOf: NullCryptography().envelopeID(kindByte: probe.kindByte, body: hello[...])
            ),
            answererLabel: PathLabel(number << 8 + 1)
        )
        send(.openPath(hello: hello), to: opener)
        let isHeard = run(for: .seconds(5)) { net in
            net.deliveries(at: answerer).contains { $0.envelope.kind == .probe && $0.envelope.body == hello }
        }
        guard isHeard else { return path }
        let answer = PathMessage(to: path.openerLabel, from: path.answererLabel, hops: 0, payload: [UInt8(number)])
        send(.sendOnPath(answer), to: answerer)
        path.answerHops = hops(of: answer, at: opener)
        guard path.answerHops != nil else { return path }
        path.requestHops = sendOnPath(path, 0)
        return path
    }

    /// Sends a payload from opener to answerer and returns the number of links it crossed, nil if it does not arrive.
    @discardableResult
    mutating func sendOnPath(_ path: TestPath, _ byte: UInt8) -> Int? {
        let message = PathMessage(to: path.answererLabel, hops: 0, payload: [byte])
        send(.sendOnPath(message), to: path.opener)
        return hops(of: message, at: path.answerer)
    }

    /// Returns the number of chunks of large transfers that reached a host.
    func pieceCount(at host: Int) -> Int {
        reports(of: host).count { report in
            guard case .pathMessage(let message) = report else { return false }
            return message.isBulk
        }
    }

    private mutating func hops(of message: PathMessage, at host: Int) -> Int? {
        func came(_ net: SimNet) -> PathMessage? {
            for case .pathMessage(let received) in net.reports(of: host)
            where received.to == message.to && received.from == message.from && received.payload == message.payload {
                return received
            }
            return nil
        }
        _ = run(for: .seconds(5)) { came($0) != nil }
        return came(self).map { Int($0.hops) }
    }

    /// Returns the number of links on the shortest route between two hosts.
    func distance(from start: Int, to end: Int) -> Int? {
        let neighbours = neighbourhoods
        var distances = [start: 0]
        var edge = [start]
        while !edge.isEmpty {
            var next: [Int] = []
            for host in edge {
                for other in neighbours[host] where distances[other] == nil {
                    distances[other] = (distances[host] ?? 0) + 1
                    next.append(other)
                }
            }
            edge = next
        }
        return distances[end]
    }
}
