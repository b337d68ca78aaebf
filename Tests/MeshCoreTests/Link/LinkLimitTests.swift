import Bytes
import Testing

@testable import MeshCore

@Suite("Limits of links")
struct LinkLimitTests {
    /// Builds a star with node 0 in the middle and the other nodes around it.
    private func star(count: Int, configuration: LinkConfiguration = LinkConfiguration()) -> LinkNetwork {
        LinkNetwork(nodes: (1...(count + 1)).map { NodeID(UInt64($0)) }, configuration: configuration)
    }

    @Test("A node accepts 16 links, a relay 32, and says no more to the rest", arguments: [16, 32])
    func acceptLimit(limit: Int) {
        var network = star(count: 40)
        network.tables[0].acceptLimit = limit
        for node in 1...40 {
            network.dial(node, to: 0)
            network.run(for: .milliseconds(200))
        }
        #expect(network.tables[0].links.count == limit)
        network.run(for: .seconds(5))
        #expect(network.tables.dropFirst().count { $0.links.count == 1 } == limit)
        #expect(network.effects(of: 0).contains(.dropped(.handshakeLimited)))
    }

    @Test("Dials go beyond the number accepted, but not beyond 40 links in all")
    func dialsBeyondAcceptance() {
        var network = star(count: 50)
        network.tables[0].acceptLimit = 2
        for node in 1...50 {
            network.dial(0, to: node)
            network.run(for: .milliseconds(200))
        }
        #expect(network.tables[0].links.count == 40)
        #expect(network.effects(of: 0).contains(.dialFailed(NodeID(51), LinkNetwork.endpoint(51))))
    }

    @Test("At most 24 dials are under way")
    func dialLimit() {
        var network = star(count: 30)
        network.dead = Set(1...30)
        for node in 1...30 { network.dial(0, to: node) }
        #expect(network.tables[0].dials.count == 24)
        #expect(network.effects(of: 0).count { $0 == .dropped(.handshakeLimited) } == 6)
    }

    @Test(
        "One address has 4 links, a loopback address 16, a stream 2",
        arguments: [([10, 0, 7, 7], false, 4), ([127, 0, 0, 1], false, 16), ([10, 0, 7, 7], true, 2)]
    )
    func addressLimit(bytes: [UInt8], isStream: Bool, limit: Int) throws {
        var network = star(count: 20)
        let address = try #require(IPAddress(bytes: bytes))
        for node in 1...20 { network.endpoints[node].address = address }
        for node in 1...20 { network.endpoints[node].port = UInt16(6000 + node) }
        if isStream { for node in 1...20 { network.endpoints[node].interface = .stream(8) } }
        network.tables[0].acceptLimit = 24
        for node in 1...20 {
            network.dial(node, to: 0)
            network.run(for: .milliseconds(600))
        }
        #expect(network.tables[0].links.count == limit)
    }

    @Test("Above 10 handshakes a second a cookie is asked for, and the cookie is taken")
    func cookies() {
        var network = star(count: 20)
        network.isRecording = true
        network.tables[0].acceptLimit = 24
        for node in 1...20 { network.dial(node, to: 0) }
        network.run(for: .milliseconds(10))
        let retries = network.sent.filter { $0.bytes.first == 0x11 }
        #expect(retries.count == 10)
        #expect(retries.allSatisfy { $0.bytes.count == 21 })
        #expect(network.tables[0].links.count == 20)
    }

    @Test("A cookie is good for its endpoint and node only, and not for ever")
    func cookieScope() {
        var random = MeshRandom(seed: 1)
        let cryptography = NullLinkCryptography()
        var cookies = Cookies(lifetime: .seconds(60), random: &random, now: .zero)
        let here = LinkNetwork.endpoint(3)
        func accepts(_ cookie: [UInt8], _ node: UInt64, _ endpoint: Endpoint, after seconds: Int) -> Bool {
            var copy = cookies
            let now = MeshInstant.zero.advanced(by: .seconds(seconds))
            // The secret changes only on use, so the test uses it once in between.
            _ = copy.cookie(
                for: NodeID(0),
                at: here,
                cryptography: cryptography,
                random: &random,
                now: MeshInstant.zero.advanced(by: .seconds(seconds / 2))
            )
            return copy.accepts(
                cookie,
                for: NodeID(node),
                at: endpoint,
                cryptography: cryptography,
                random: &random,
                now: now
            )
        }
        let cookie = cookies.cookie(
            for: NodeID(5),
            at: here,
            cryptography: cryptography,
            random: &random,
            now: .zero
        )
        #expect(cookie.count == 16)
        #expect(accepts(cookie, 5, here, after: 0))
        #expect(accepts(cookie, 5, here, after: 100))
        #expect(!accepts(cookie, 5, here, after: 121))
        #expect(!accepts(cookie, 6, here, after: 0))
        #expect(!accepts(cookie, 5, LinkNetwork.endpoint(3, port: 1), after: 0))
        #expect(!accepts(cookie, 5, LinkNetwork.endpoint(4), after: 0))
        #expect(!accepts([], 5, here, after: 0))
    }

    @Test("One source begins two handshakes a second, then must show a cookie, and two more with it")
    func sourceRate() {
        var network = LinkNetwork()
        let cryptography = NullLinkCryptography(firstEphemeral: 5000)
        func send(_ index: Int, cookie: [UInt8] = []) -> [LinkEffect] {
            let initiation = cryptography.initiation(from: NodeID(9), connection: UInt32(index), cookie: cookie)
            var effects: [LinkEffect] = []
            network.tables[0].receive(
                initiation.encoded(),
                from: LinkNetwork.endpoint(9),
                now: network.now,
                into: &effects
            )
            return effects
        }
        func firstByte(_ effects: [LinkEffect]) -> UInt8? {
            if case .send(let bytes, _) = effects.first { bytes.first } else { nil }
        }
        #expect((1...3).map { firstByte(send($0)) } == [0x12, 0x12, 0x11])
        guard case .send(let retry, _) = send(4).first else { return }
        let cookie = Array(retry.suffix(16))
        #expect((5...6).map { firstByte(send($0, cookie: cookie)) } == [0x12, 0x12])
        #expect(send(7, cookie: cookie) == [.dropped(.handshakeLimited)])
    }

    @Test("Twenty handshakes a second are answered, whatever cookies they show")
    func totalRate() {
        var configuration = LinkConfiguration()
        configuration.acceptLimit = 200
        configuration.maximumLinkCount = 200
        var network = star(count: 60, configuration: configuration)
        for node in 1...60 { network.dial(node, to: 0) }
        network.run(for: .milliseconds(10))
        #expect(network.tables[0].links.count == 20)
        network.run(for: .milliseconds(2900))
        #expect(network.tables[0].links.count == 60)
    }

    @Test("Unconfirmed answers and sources fill their tables and no more")
    func tables() {
        var configuration = LinkConfiguration()
        configuration.maximumAnswerCount = 3
        var network = star(count: 8, configuration: configuration)
        let responder = network.endpoints[0]
        network.isRecording = true
        for node in 1...8 {
            network.call(node) { $0.dial(NodeID(1), at: responder, now: $1, into: &$2) }
        }
        let initiations = network.sent
        network.dropFlights()
        for (node, bytes, _) in initiations { network.inject(bytes, to: 0, from: network.endpoints[node]) }
        #expect(network.tables[0].answers.count == 3)
        #expect(network.effects(of: 0) == Array(repeating: .dropped(.handshakeLimited), count: 5))

        var sources = SourceRates(perSecond: 2, limit: 3)
        let taken = (0..<5).map { sources.take(LinkNetwork.endpoint($0), now: .zero) }
        #expect(taken == [true, true, true, false, false])
        #expect(sources.count == 3)
        let isLaterTaken = sources.take(LinkNetwork.endpoint(9), now: MeshInstant(nanoseconds: 1_000_000_000))
        #expect(isLaterTaken)
        #expect(sources.count == 1)
    }

    @Test("A lane takes messages up to its capacity and says when a quarter of it is free", arguments: Lane.allCases)
    func laneCapacity(lane: Lane) {
        var network = LinkNetwork.linked()
        network.dead = [1]
        let message = [UInt8](repeating: 0, count: 16 << 10)
        let capacity = [256 << 10, 1 << 20, 1 << 20, 256 << 10][Int(lane.rawValue)]
        var count = 0
        while network.send(message, from: 0, lane: lane) { count += 1 }
        #expect(count == capacity / message.count)
        let isRefused = !network.send([1], from: 0, lane: lane)
        #expect(isRefused)
        let other = lane == .control ? Lane.bulk : .control
        let isTaken = network.send([1], from: 0, lane: other)
        #expect(isTaken)
        network.dead = []
        network.log = []
        network.run(for: .seconds(10)) { network in network.effects(of: 0).contains(.writable(LinkID(1))) }
        #expect(network.messages(at: 1).count >= count / 4)
        #expect(network.messages(at: 1).count < count)
        #expect(network.effects(of: 0).count { $0 == .writable(LinkID(1)) } == 1)
        network.run(for: .seconds(10))
        #expect(network.messages(at: 1).count == count + 1)
        #expect(network.effects(of: 0).count { $0 == .writable(LinkID(1)) } == 1)
    }

    @Test("A new link sends a burst, then its pace up to its window, and no datagram longer than 1,232 bytes")
    func window() throws {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.dead = [1]
        network.isRecording = true
        for _ in 0..<10 { network.send([UInt8](repeating: 0, count: 24 << 10), from: 0, lane: .bulk) }
        // The sum of a burst of 4 packets, 20 packets in 2 ms at twice the pace of 10, and one that overdraws.
        #expect(network.sent.count == 25)
        network.run(for: .milliseconds(7))
        let link = try #require(network.tables[0].established.first)
        #expect(link.rate.window == (2 * 10 + 16) * 1232)
        #expect((0..<1232).contains(link.sent.inFlightByteCount - link.rate.window))
        #expect(network.sent.map(\.bytes.count).max() ?? 0 <= 1232)
        #expect(network.sent.map(\.bytes.count).max() ?? 0 >= 1200)
    }

    @Test("All links together keep no more of incomplete messages than they may")
    func reassemblyOfAllLinks() throws {
        var configuration = LinkConfiguration()
        configuration.reassemblyTotalByteLimit = 30_000
        var network = star(count: 2, configuration: configuration)
        for node in 1...2 { network.dial(node, to: 0) }
        network.run(for: .milliseconds(500))
        network.log = []
        let fragment = Frame.MessageFrame(lane: .bulk, number: 9, offset: 0, total: 20_000, data: [1, 2, 3])
        var writer = ByteWriter()
        Frame.message(fragment).encode(into: &writer)
        for node in 1...2 {
            var link = try #require(network.tables[node].established.first)
            var effects: [LinkEffect] = []
            link.transmit(writer.bytes, to: network.endpoints[0], now: network.now, into: &effects)
            for case .send(let bytes, _) in effects { network.inject(bytes, to: 0, from: network.endpoints[node]) }
        }
        #expect(network.effects(of: 0) == [.dropped(.reassemblyLimit)])
        #expect(network.tables[0].established.reassemblyByteCount == 20_000)
        network.call(0) { $0.close(LinkID(1), reason: .closedHere, now: $1, into: &$2) }
        #expect(network.tables[0].established.reassemblyByteCount == 0)
    }
}
