import Testing

@testable import MeshCore

@Suite("Dials")
struct LinkDialTests {
    @Test("A dial brings up one link at both ends, with the names of both")
    func dial() {
        var network = LinkNetwork()
        network.dial(0, to: 1)
        network.run(for: .milliseconds(50))
        let here = LinkInfo(
            id: LinkID(1),
            node: NodeID(2),
            endpoint: LinkNetwork.endpoint(2),
            dialledHere: true,
            since: MeshInstant(nanoseconds: 2_000_000),
            roundTrip: .milliseconds(2)
        )
        let there = LinkInfo(
            id: LinkID(1),
            node: NodeID(1),
            endpoint: LinkNetwork.endpoint(1),
            dialledHere: false,
            since: MeshInstant(nanoseconds: 3_000_000),
            roundTrip: nil
        )
        #expect(network.effects(of: 0) == [.up(here)])
        #expect(network.effects(of: 1) == [.up(there)])
        #expect(network.tables[0].links == [here])
    }

    @Test("A dial without a name takes whoever answers")
    func staticPeer() {
        var network = LinkNetwork()
        let endpoint = network.endpoints[1]
        network.call(0) { $0.dial(nil, at: endpoint, now: $1, into: &$2) }
        network.run(for: .milliseconds(50))
        #expect(network.tables[0].links.map(\.node) == [NodeID(2)])
        #expect(network.tables[1].links.map(\.node) == [NodeID(1)])
    }

    @Test("An INIT has 400 bytes and no answer is longer, and the INIT is sent again at 20, 40, 80 ms and so on")
    func resends() {
        var network = LinkNetwork()
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1)
        var times: [UInt64] = []
        while network.now < MeshInstant(nanoseconds: 4_000_000_000), !network.tables[0].dials.isEmpty {
            let count = network.sent.count
            network.run(for: .milliseconds(10))
            if network.sent.count > count { times.append(network.now.nanoseconds / 1_000_000) }
        }
        #expect(times == [20, 40, 80, 160, 320, 640, 1280, 2560])
        #expect(network.sent.allSatisfy { $0.bytes.count == 400 })
        #expect(network.now.nanoseconds == 3_000_000_000)
        #expect(network.effects(of: 0) == [.dialFailed(NodeID(2), LinkNetwork.endpoint(2))])
    }

    @Test("A host that has not shown that it is there gets one INIT")
    func unknownHost() {
        var network = LinkNetwork()
        let receiver = network.endpoints[1]
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1, isKnown: false)
        for _ in 0..<3 {
            network.run(for: .milliseconds(500))
            network.call(0) { $0.retryNow(receiver, now: $1, into: &$2) }
        }
        #expect(network.sent.count == 1)
        network.run(for: .milliseconds(1_500))
        #expect(network.effects(of: 0) == [.dialFailed(NodeID(2), receiver)])
    }

    @Test("An answer of a host that is not known makes the INIT go again once")
    func answer() {
        var network = LinkNetwork()
        let receiver = network.endpoints[1]
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1, isKnown: false)
        network.run(for: .milliseconds(100))
        network.call(0) { $0.retryNow(receiver, isAnswer: true, now: $1, into: &$2) }
        network.run(for: .milliseconds(500))
        #expect(network.sent.count == 2)
    }

    @Test("What comes from a host makes the INIT go again: its own INIT, a RETRY", arguments: [true, false])
    func shownHost(isInitiation: Bool) throws {
        var network = LinkNetwork()
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1, isKnown: false)
        network.run(for: .milliseconds(100))
        let connection = try #require(network.tables[0].dials.first).connection
        network.dead = []
        if isInitiation {
            network.dial(1, to: 0, isKnown: false)
        } else {
            let retry = LinkDatagram.Retry(connection: connection, cookie: [UInt8](repeating: 9, count: 16))
            network.inject(retry.encoded(), to: 0, from: network.endpoints[1])
            network.dropFlights()
        }
        network.run(for: .milliseconds(200))
        #expect(network.tables.map { $0.links.count } == [1, 1])
    }

    @Test("A static peer gets as many INITs as one that is known")
    func unknownStaticPeer() {
        var network = LinkNetwork()
        let endpoint = network.endpoints[1]
        network.dead = [1]
        network.isRecording = true
        network.call(0) { $0.dial(nil, at: endpoint, now: $1, into: &$2) }
        network.run(for: .milliseconds(200))
        #expect(network.sent.count == 5)
    }

    @Test("A dial that fails says so after 3 s, and another begins as soon as it is asked for")
    func failure() {
        var network = LinkNetwork()
        network.dead = [1]
        for _ in 0..<3 {
            network.log = []
            network.dial(0, to: 1)
            network.run(for: .milliseconds(2_999))
            #expect(network.effects(of: 0) == [])
            network.run(for: .milliseconds(1))
            #expect(network.effects(of: 0) == [.dialFailed(NodeID(2), network.endpoints[1])])
        }
    }

    @Test("An INIT goes again when its receiver is heard, but not at once after the last")
    func retryNow() {
        var network = LinkNetwork()
        let receiver = network.endpoints[1]
        network.dead = [1]
        network.dial(0, to: 1)
        network.run(for: .milliseconds(700))
        network.isRecording = true
        for _ in 0..<3 {
            network.call(0) { $0.retryNow(receiver, now: $1, into: &$2) }
        }
        #expect(network.sent.count == 1)
        network.run(for: .milliseconds(20))
        network.dead = []
        network.call(0) { $0.retryNow(receiver, now: $1, into: &$2) }
        network.run(for: .milliseconds(20))
        #expect(network.tables.map { $0.links.count } == [1, 1])
        network.sent = []
        network.call(0) { $0.retryNow(receiver, now: $1, into: &$2) }
        #expect(network.sent.isEmpty)
    }

    @Test("Of two crossed dials exactly one survives at both ends, whatever the offset", arguments: 0..<10)
    func crossedDials(block: Int) {
        var random = SplitMix64(seed: UInt64(block))
        for _ in 0..<100 {
            let offset = Duration.microseconds(Int64.random(in: 0...5000, using: &random))
            let conditions = LinkNetwork.Conditions(
                loss: block < 5 ? 0 : 0.2,
                delay: .milliseconds(Int64.random(in: 0...2, using: &random)),
                jitter: .milliseconds(1)
            )
            let seed = random.next()
            var network = LinkNetwork(seed: seed, conditions: conditions)
            let first = Int(random.next() % 2)
            network.dial(first, to: 1 - first)
            network.run(for: offset)
            network.dial(1 - first, to: first)
            network.run(for: .seconds(8))
            let links = network.tables.map(\.links)
            #expect(links.map(\.count) == [1, 1], "seed \(seed)")
            #expect(links[0].first?.dialledHere != links[1].first?.dialledHere, "seed \(seed)")
            network.send([1], from: 0, tag: 7)
            network.run(for: .seconds(1))
            #expect(network.messages(at: 1) == [[1]], "seed \(seed)")
        }
    }

    @Test("Of dials at the same instant the lower node id's survives", arguments: [0, 1])
    func lowerSurvives(first: Int) {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(first, to: 1 - first)
        network.dial(1 - first, to: first)
        network.run(for: .seconds(4))
        // The node dropped the other INIT without an answer.
        #expect(network.sent.filter { $0.bytes.first == 0x12 }.map(\.node) == [1])
        #expect(network.tables.map { $0.links.map(\.dialledHere) } == [[true], [false]])
        #expect(network.tables.allSatisfy { $0.dials.isEmpty && $0.answers.isEmpty })
    }

    @Test("A lost response is answered again with the same bytes, and the link still comes up", arguments: [1, 2, 5])
    func lostResponse(lostCount: Int) {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        var responses: [[UInt8]] = []
        while network.tables[0].links.isEmpty {
            network.conditions.loss = 0
            network.run(for: .milliseconds(1))
            let new = network.sent.filter { $0.node == 1 }.map(\.bytes)
            if new.count > responses.count, new.count <= lostCount { network.dropFlights() }
            responses = new
        }
        #expect(responses.count == lostCount + 1)
        #expect(Set(responses).count == 1)
        #expect(responses[0].count <= 400)
        network.run(for: .milliseconds(100))
        #expect(network.tables[1].links.count == 1)
    }

    @Test("Nodes of different meshes never link")
    func foreignMesh() {
        var network = LinkNetwork(meshKeys: [1, 2])
        network.dial(0, to: 1)
        network.run(for: .seconds(4))
        #expect(network.tables.allSatisfy { $0.links.isEmpty && $0.answers.isEmpty && $0.dials.isEmpty })
        #expect(network.effects(of: 1).contains(.dropped(.handshakeRefused)))
        #expect(network.effects(of: 0) == [.dialFailed(NodeID(2), LinkNetwork.endpoint(2))])
    }

    @Test("A node that lost its link dials again and takes the old one's place")
    func redial() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(5))
        network.tables[0] = LinkNetwork.table(NodeID(1))
        network.log = []
        network.dial(0, to: 1)
        network.run(for: .milliseconds(100))
        #expect(network.effects(of: 1).first == .down(LinkID(1), node: NodeID(1), reason: .closedHere))
        #expect(network.tables[1].links.map(\.id) == [LinkID(2)])
        network.send([5], from: 1)
        network.run(for: .milliseconds(100))
        #expect(network.messages(at: 0) == [[5]])
    }

    @Test("A peer that lost a young link is answered at once, whichever end had dialled", arguments: [0, 1])
    func redialOfYoungLink(loser: Int) {
        var network = LinkNetwork()
        network.dial(0, to: 1)
        network.run(for: .milliseconds(20))
        network.send([4], from: 1)
        network.run(for: .milliseconds(20))
        network.tables[loser] = LinkNetwork.table(NodeID(UInt64(loser) + 1))
        network.dial(loser, to: 1 - loser)
        network.run(for: .milliseconds(20))
        #expect(network.tables.map { $0.links.map(\.dialledHere) } == [[loser == 0], [loser == 1]])
        network.log = []
        network.send([5], from: 0)
        network.send([6], from: 1)
        network.run(for: .milliseconds(20))
        #expect([network.messages(at: 1), network.messages(at: 0)] == [[[5]], [[6]]])
    }

    @Test("A node neither dials itself nor answers itself")
    func selfDial() {
        var network = LinkNetwork(nodes: [NodeID(1), NodeID(1)])
        network.dial(0, to: 1)
        #expect(network.tables[0].dials.isEmpty)
        let endpoint = network.endpoints[1]
        network.call(0) { $0.dial(nil, at: endpoint, now: $1, into: &$2) }
        network.run(for: .seconds(4))
        #expect(network.tables.allSatisfy { $0.links.isEmpty })
    }

    @Test("A peer with a new key keeps its link, is not dialled at the link's endpoint, and shows the key in new dials")
    func newKey() {
        var network = LinkNetwork(nodes: [NodeID(1), NodeID(2), NodeID(3)])
        network.dial(0, to: 1)
        network.run(for: .seconds(10))
        network.log = []
        let renewed = network.call(1) { table, _, _ in table.renewNodeKey() }
        #expect(renewed != NodeID(2))
        network.dial(0, to: 1)
        #expect(network.tables[0].dials.isEmpty)
        network.dial(1, to: 2)
        network.run(for: .seconds(10))
        #expect(network.effects(of: 0).isEmpty)
        #expect(network.tables.map { $0.links.map(\.node) } == [[NodeID(2)], [NodeID(1), NodeID(3)], [renewed]])
        network.send([5], from: 0)
        network.run(for: .milliseconds(50))
        #expect(network.messages(at: 1) == [[5]])
    }

    @Test("A RETRY makes the INIT go again three times a dial; a later cookie waits for the next repetition")
    func retryBound() throws {
        var network = LinkNetwork()
        let receiver = network.endpoints[1]
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1)
        let connection = try #require(network.tables[0].dials.first).connection
        for value in 1...10 {
            let retry = LinkDatagram.Retry(connection: connection, cookie: [UInt8](repeating: UInt8(value), count: 16))
            network.inject(retry.encoded(), to: 0, from: receiver)
            network.inject(retry.encoded(), to: 0, from: receiver)
        }
        #expect(network.sent.count == 1 + 3)
        network.run(for: .milliseconds(20))
        #expect(network.sent.count == 1 + 3 + 1)
        #expect(network.sent.last.map { $0.bytes[15..<31].allSatisfy { $0 == 10 } } == true)
    }

    @Test("A dial ends when its interface goes away")
    func interfaceDown() {
        var network = LinkNetwork()
        network.dial(0, to: 1)
        let interface = network.endpoints[1].interface
        network.call(0) { $0.interfaceDown(interface, now: $1, into: &$2) }
        #expect(network.effects(of: 0) == [.dialFailed(NodeID(2), LinkNetwork.endpoint(2))])
        network.dial(0, to: 1)
        #expect(network.tables[0].dials.count == 1)
    }
}
