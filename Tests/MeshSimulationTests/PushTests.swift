import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Posts that are pushed to whole segments")
struct PushTests {
    /// Twenty hosts or more that see each other, after they have linked.
    private static func net(
        _ topology: Topology = .clique(20),
        quality: SegmentQuality = SegmentQuality(),
        beaconKey: [UInt8]? = nil
    ) -> SimNet {
        let cryptography = NullCryptography(beaconKey: beaconKey)
        var net = SimNet(topology, seed: 3, quality: quality, cryptography: cryptography)
        for host in net.hostNumbers { net.start(host) }
        net.run(for: .seconds(60))
        return net
    }

    /// Two segments of twenty hosts, with one host on both.
    private static let bridged = Topology(
        hostCount: 39,
        segments: [Array(0..<20), Array(19..<39)],
        places: Topology.line(39).places
    )

    /// The number of datagrams on links that hosts have sent meanwhile.
    private static func pushCount(_ net: inout SimNet, during run: (inout SimNet) -> Void) -> Int {
        let before = net.hostNumbers.map { net.sentTraffic(of: $0).linkDatagramCount }
        run(&net)
        return zip(net.hostNumbers, before).reduce(0) { $0 + net.sentTraffic(of: $1.0).linkDatagramCount - $1.1 }
    }

    @Test("A post reaches a crowd with few datagrams, in an open mesh only")
    func few() {
        let counts = [nil, [UInt8](repeating: 1, count: 32)].map { key in
            var net = Self.net(beaconKey: key)
            var id: EnvelopeID?
            let count = Self.pushCount(&net) { net in
                id = net.submit(body: SimNet.body(1), from: 3)
                net.run(for: .milliseconds(40))
            }
            #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: 3))
            return count
        }
        #expect(counts[0] < 8 && counts[1] >= 19, "\(counts)")
    }

    @Test("With private delivery all hosts get a post, and its author pushes nothing", arguments: [true, false])
    func hidden(isPrivate: Bool) {
        var net = Self.net()
        net.send(.pushThroughNeighbors(isPrivate), to: 3)
        let before = net.sentTraffic(of: 3).pushCount
        let id = net.submit(body: SimNet.body(1), from: 3)
        net.run(for: .milliseconds(400))
        #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: 3))
        #expect(net.sentTraffic(of: 3).pushCount - before == (isPrivate ? 0 : 2))
    }

    @Test("All hosts get what is pushed once, although a tenth of all datagrams is lost")
    func loss() {
        var net = Self.net(quality: SegmentQuality(loss: 0.1))
        let ids = (0..<40).map { number in
            let id = net.submit(body: SimNet.body(number), from: number % 20)
            net.run(for: .milliseconds(100))
            return id
        }
        net.run(for: .seconds(20))
        for (number, id) in ids.enumerated() {
            #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: number % 20), "\(number)")
        }
    }

    @Test("An answer to a pushed post goes along a direct link, also across two segments", arguments: [7, 30])
    func answer(host: Int) throws {
        var net = Self.net(Self.bridged)
        let submitted = net.submit(body: SimNet.body(1), from: 0)
        let id = try #require(submitted)
        net.run(for: .milliseconds(500))
        #expect(net.deliveryCount(of: id, at: host) == 1)
        let (author, own) = (PathLabel(trailOf: id), PathLabel(77))
        let answer = PathMessage(to: author, from: own, hops: 0, isEnvelope: true, payload: [1])
        net.send(.sendOnPath(answer), to: host)
        net.run(for: .milliseconds(500))
        let came = net.reports(of: 0).contains {
            if case .pathMessage(let message) = $0 { message.from == own } else { false }
        }
        #expect(came)
        net.send(.sendOnPath(PathMessage(to: own, hops: 0, isEnvelope: true, payload: [2])), to: 0)
        net.run(for: .milliseconds(100))
        let returned = net.reports(of: host).contains {
            if case .pathMessage(let message) = $0 { message.payload == [2] } else { false }
        }
        #expect(returned)
    }

    @Test("A payload for an author whose id is forged is lost within a second")
    func forged() throws {
        var net = Self.net()
        let post = Envelope(kind: .sealed, life: 360, body: SimNet.body(5))
        let source = try #require(net.endpoint(of: 9, on: 0))
        let push = HostileMessage.push(post.encoded(), node: NodeID(12_345), port: source.port)
        net.send(.datagram(push, from: source, multicast: true), to: 2)
        let id = try #require(net.hosts[2].engine?.envelopeID(kind: .sealed, body: post.body))
        #expect(net.deliveryCount(of: id, at: 2) == 1)
        let label = PathLabel(trailOf: id)
        net.send(
            .sendOnPath(PathMessage(to: label, from: PathLabel(7), hops: 0, isEnvelope: true, payload: [1])),
            to: 2
        )
        #expect(!net.reports(of: 2).contains(.pathLost(label)))
        net.run(for: .milliseconds(1_001))
        #expect(net.reports(of: 2).contains(.pathLost(label)))
        net.send(
            .sendOnPath(PathMessage(to: label, from: PathLabel(8), hops: 0, isEnvelope: true, payload: [1])),
            to: 2
        )
        #expect(net.reports(of: 2).count { $0 == .pathLost(label) } == 2)
    }
}
