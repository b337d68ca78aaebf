import Testing

@testable import MeshCore

@Suite("Link handshake")
struct LinkHandshakeTests {
    private func key(_ connection: UInt32, _ node: UInt64) -> LinkDatagram.Initiation {
        NullLinkCryptography(firstEphemeral: 9_000).initiation(from: NodeID(node), connection: connection)
    }

    @Test("Message 3 is packet 0, 73 bytes, goes before all others, and is repeated until a packet comes back")
    func thirdMessage() {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        network.run(for: .microseconds(2_500))
        let first = network.sent.filter { $0.node == 0 }.map(\.bytes)
        #expect(first.map(\.count).prefix(2) == [400, 73])
        #expect(first[1].prefix(1) == [0x40] && first[1][5..<9] == [0, 0, 0, 0])
        #expect(first[2][5..<9] == [0, 0, 0, 1])
        // The first two copies are lost, with all that goes with them.
        network.dropFlights()
        network.run(for: .milliseconds(10)) { network in
            network.sent.count { $0.node == 0 && $0.bytes == first[1] } == 2
        }
        network.dropFlights()
        #expect(network.tables.map { $0.links.count } == [1, 0])
        network.run(for: .milliseconds(500))
        #expect(network.tables.map { $0.links.count } == [1, 1])
        #expect(network.sent.count { $0.bytes == first[1] } == 3)
        network.send([7], from: 1)
        network.run(for: .milliseconds(100))
        #expect(network.messages(at: 0) == [[7]])
    }

    @Test("What overtakes message 3 is dropped, and comes again")
    func overtaken() {
        var network = LinkNetwork()
        network.dial(0, to: 1)
        network.run(for: .milliseconds(2))
        network.isRecording = true
        network.dropFlights()
        network.send([1, 2], from: 0)
        network.run(for: .milliseconds(3)) { network in network.sent.contains { $0.bytes.first == 0x40 } }
        let packets = network.sent.map(\.bytes).filter { $0.count != 73 }
        network.dropFlights()
        for packet in packets { network.inject(packet, to: 1, from: network.endpoints[0]) }
        #expect(network.effects(of: 1).allSatisfy { $0 == .dropped(.unauthenticated) })
        #expect(network.tables[1].links.isEmpty && network.tables[1].answers.count == 1)
        network.run(for: .milliseconds(500))
        #expect(network.messages(at: 1) == [[1, 2]])
    }

    @Test("The responder has no link and sends nothing before message 3")
    func silentResponder() {
        var network = LinkNetwork()
        network.isRecording = true
        network.inject(key(5, 9).encoded(), to: 1, from: LinkNetwork.endpoint(9))
        network.run(for: .seconds(4))
        #expect(network.sent.map(\.bytes.first) == [0x12])
        #expect(network.effects(of: 1).isEmpty)
        #expect(network.tables[1].links.isEmpty && network.tables[1].answers.isEmpty)
    }

    @Test("An INIT of another mesh costs no key agreement, no rate and no room, and does not keep honest nodes out")
    func foreignFlood() {
        var network = LinkNetwork()
        let counting = NullLinkCryptography(firstEphemeral: 1 << 40)
        network.tables[1] = LinkNetwork.table(NodeID(2), cryptography: counting)
        let foreign = NullLinkCryptography(meshKey: 66, firstEphemeral: 1 << 50)
        // 1,700 INITs a second are 680 kB/s.
        for index in 0..<3_400 {
            network.now = network.now.advanced(by: .microseconds(588))
            let bytes = foreign.initiation(from: NodeID(UInt64(index) + 1_000), connection: UInt32(index + 1)).encoded()
            network.inject(bytes, to: 1, from: LinkNetwork.endpoint(100 + index % 3_000))
            if index == 1_699 {
                #expect(counting.agreements.current == 0)
                network.dial(0, to: 1)
            }
            if index >= 1_700, index < 1_710 { network.run(for: .milliseconds(1)) }
        }
        #expect(network.tables[1].links.map(\.node) == [NodeID(1)])
        #expect(network.effects(of: 1).count { $0 == .dropped(.handshakeRefused) } == 3_400)
        #expect(network.tables[1].sources.count <= 1)
        #expect(counting.agreements.current == 2)
    }

    @Test("A flood of INITs with forged sources leaves room for a node that shows a cookie")
    func forgedSources() {
        var network = LinkNetwork()
        let attacker = NullLinkCryptography(firstEphemeral: 1 << 50)
        for index in 0..<5_000 {
            network.now = network.now.advanced(by: .milliseconds(1))
            let bytes = attacker.initiation(from: NodeID(UInt64(index) + 1_000), connection: UInt32(index + 1))
                .encoded()
            network.inject(bytes, to: 1, from: LinkNetwork.endpoint(100 + index))
            if index == 2_500 { network.dial(0, to: 1) }
            if index > 2_500, index % 10 == 0 { network.run(for: .milliseconds(1)) }
        }
        let up = network.log.first { if case .up = $0.effect { $0.node == 1 } else { false } }
        #expect(up.map { $0.at < MeshInstant(nanoseconds: 3_500_000_000) } == true)
        #expect(network.tables[1].answers.count <= 64)
    }

    @Test("A flood of false messages 2 or 3 costs a bounded number of key agreements, and the true one still comes in")
    func falseAnswers() throws {
        for side in 0..<2 {
            var network = LinkNetwork()
            let counting = NullLinkCryptography(firstEphemeral: 1 << 40)
            network.tables[side] = LinkNetwork.table(NodeID(UInt64(side) + 1), cryptography: counting)
            network.isRecording = true
            network.dial(0, to: 1)
            network.run(for: .milliseconds(4)) { $0.tables[1].answers.count == 1 }
            #expect(network.tables[1].answers.count == 1)
            let (dial, answer) = (try #require(network.tables[0].dials.first), network.tables[1].answers[0])
            let forged =
                side == 0
                ? LinkDatagram.Response(
                    connection: dial.connection,
                    sender: 9,
                    message: [UInt8](repeating: 1, count: 96)
                ).encoded()
                : LinkDatagram.DataPacket.encoded(
                    thirdMessage: [UInt8](repeating: 1, count: 64),
                    connection: answer.connection
                )
            let before = counting.agreements.current
            for _ in 0..<20_000 { network.inject(forged, to: side, from: network.endpoints[1 - side]) }
            #expect(counting.agreements.current - before <= 200)
            #expect(network.effects(of: side).count { $0 == .dropped(.handshakeLimited) } >= 19_800)
            network.run(for: .seconds(2))
            #expect(network.tables.map { $0.links.count } == [1, 1])
        }
    }

    @Test("64 half-open answers are kept and no more, also for sources that show cookies")
    func halfOpenLimit() {
        var configuration = LinkConfiguration()
        configuration.acceptLimit = 200
        configuration.maximumLinkCount = 200
        configuration.initiationsPerSecond = 1_000
        configuration.initiationsPerSecondWithoutCookie = 1_000
        let cryptography = NullLinkCryptography(firstEphemeral: 1 << 40)
        var table = LinkNetwork.table(NodeID(2), configuration: configuration)
        var effects: [LinkEffect] = []
        for index in 1...80 {
            let initiation = cryptography.initiation(from: NodeID(UInt64(index) + 50), connection: UInt32(index))
            table.receive(initiation.encoded(), from: LinkNetwork.endpoint(index), now: .zero, into: &effects)
        }
        #expect(table.answers.count == 64)
        #expect(effects.count { $0 == .dropped(.handshakeLimited) } == 16)
        #expect(effects.count { if case .send = $0 { true } else { false } } == 64)
    }

    @Test("A key of the other side that allows no answer is refused")
    func refusedKey() {
        var network = LinkNetwork(meshKeys: [1, 1])
        var initiation = key(5, 9)
        initiation.message[0] ^= 1
        network.inject(initiation.encoded(), to: 1, from: LinkNetwork.endpoint(9))
        #expect(network.effects(of: 1) == [.dropped(.handshakeRefused)])
    }

    @Test("120 path challenges from elsewhere get two answers if their packet is long, and none if it is short")
    func challenges() throws {
        for (byteCount, count) in [(1_200, 2), (1_000, 2), (999, 0)] {
            var network = LinkNetwork.linked()
            network.run(for: .seconds(1))
            var attacker = try #require(network.tables[0].established.first)
            let challenge: [UInt8] = [0x12, 0, 1, 2, 3, 4, 5, 6, 7, 8]
            var frames = Array(repeating: challenge, count: byteCount / 10 - 3).flatMap { $0 }
            frames += [UInt8](repeating: 0, count: byteCount - 25 - frames.count)
            var effects: [LinkEffect] = []
            attacker.transmit(frames, to: network.endpoints[1], now: network.now, into: &effects)
            guard case .send(let bytes, _) = effects.first else { return }
            #expect(bytes.count == byteCount)
            network.isRecording = true
            let victim = LinkNetwork.endpoint(99)
            network.inject(bytes, to: 1, from: victim)
            // One more datagram is this side's own challenge.
            let sent = network.sent.filter { $0.to == victim }.map(\.bytes.count)
            #expect(sent == Array(repeating: 35, count: count + 1))
            #expect(sent.reduce(0, +) <= byteCount)
        }
    }

    @Test("Challenges from the link's endpoint are answered in short packets too, two a second")
    func challengesOfPeer() throws {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        var peer = try #require(network.tables[0].established.first)
        network.isRecording = true
        for round in 1...10 {
            var effects: [LinkEffect] = []
            peer.transmit(.pathChallenge(UInt64(round)), to: network.endpoints[1], now: network.now, into: &effects)
            for case .send(let bytes, _) in effects { network.inject(bytes, to: 1, from: network.endpoints[0]) }
            network.now = network.now.advanced(by: .milliseconds(100))
        }
        #expect(network.sent.count == 3)
    }

    @Test("One packet number in 64 to 128 is skipped; a peer that acknowledges one is malformed and ends its link")
    func skippedNumbers() throws {
        var network = LinkNetwork.linked()
        network.isRecording = true
        for index in 0..<600 {
            network.send([UInt8(index % 250)], from: 0)
            network.run(for: .milliseconds(2))
        }
        let numbers = network.sent.filter { $0.node == 0 && $0.bytes.first == 0x40 }.map { sent in
            sent.bytes[5..<9].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let skipped = zip(numbers, numbers.dropFirst()).filter { $1 == $0 + 2 }.map { $0.0 + 1 }
        let distances = zip(skipped, skipped.dropFirst()).map { $1 - $0 }
        #expect(skipped.count >= 4)
        #expect(distances.allSatisfy { LinkProtocol.skipDistance.contains($0) })
        #expect(Set(distances).count > 1)
        network.run(for: .seconds(1))
        #expect(network.log.allSatisfy { if case .dropped = $0.effect { false } else { true } })
        try expectRefusal(of: try #require(skipped.last), in: network)
    }

    private func expectRefusal(of number: UInt64, in linked: LinkNetwork) throws {
        var network = linked
        var peer = try #require(network.tables[1].established.first)
        network.log = []
        for (low, bitmap) in [(number, []), (number + 1, [0x80]), (number + 9, [0, 0x80])] as [(UInt64, [UInt8])] {
            let frame = Frame.acknowledgement(.init(lowLargest: UInt32(low), delay: 0, bitmap: bitmap))
            var effects: [LinkEffect] = []
            peer.transmit(frame, to: network.endpoints[0], now: network.now, into: &effects)
            for case .send(let bytes, _) in effects { network.inject(bytes, to: 0, from: network.endpoints[1]) }
        }
        #expect(network.effects(of: 0) == Array(repeating: .dropped(.malformedFrame), count: 3))
        for _ in 0..<29 {
            var effects: [LinkEffect] = []
            let frame = Frame.acknowledgement(.init(lowLargest: UInt32(number), delay: 0, bitmap: []))
            peer.transmit(frame, to: network.endpoints[0], now: network.now, into: &effects)
            for case .send(let bytes, _) in effects { network.inject(bytes, to: 0, from: network.endpoints[1]) }
        }
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .misbehaved))
    }
}
