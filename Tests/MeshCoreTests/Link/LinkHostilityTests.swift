import Testing

@testable import MeshCore

@Suite("Links under attack")
struct LinkHostilityTests {
    @Test("A flipped bit in front of every datagram changes nothing", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func flippedBits(seed: UInt64) {
        var network = LinkNetwork(seed: seed)
        var random = SplitMix64(seed: seed)
        network.tamper = { bytes in
            var copy = bytes
            var bit = Int.random(in: 0..<(bytes.count * 8), using: &random)
            // The responder's connection number in a RESP counts only with the first packet.
            if bytes.first == 0x12, (40..<72).contains(bit) { bit += 32 }
            copy[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            return [copy, bytes]
        }
        network.dial(0, to: 1)
        network.run(for: .seconds(3))
        #expect(network.tables.map { $0.links.map(\.node) } == [[NodeID(2)], [NodeID(1)]])
        let messages = (0..<20).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 200) }
        for message in messages {
            network.send(message, from: 0)
            network.run(for: .milliseconds(5))
        }
        network.run(for: .seconds(1))
        #expect(network.messages(at: 1) == messages)
        let ups = network.log.count { if case .up = $0.effect { true } else { false } }
        let downs = network.log.count { if case .down = $0.effect { true } else { false } }
        #expect([ups, downs] == [2, 0])
    }

    @Test("Every single bit of the handshake's answer matters, except the responder's connection number")
    func everyBitOfResponse() throws {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        network.run(for: .microseconds(1500))
        let response = try #require(network.sent.last { $0.node == 1 }).bytes
        #expect(response.count == 105)
        // Whoever can change that number on the way can also drop the answer.
        for bit in 0..<(response.count * 8) where !(5..<9).contains(bit / 8) {
            var table = network.tables[0]
            var copy = response
            copy[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            var effects: [LinkEffect] = []
            table.receive(copy, from: network.endpoints[1], now: network.now, into: &effects)
            #expect(table.links.isEmpty && table.dials.count == 1, "bit \(bit)")
            table.receive(response, from: network.endpoints[1], now: network.now, into: &effects)
            #expect(table.links.count == 1, "bit \(bit)")
        }
    }

    @Test("Every single bit of an INIT matters, up to its padding")
    func everyBitOfInitiation() throws {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        let initiation = try #require(network.sent.first).bytes
        for bit in 0..<(63 * 8) {
            var tables = network.tables
            var copy = initiation
            copy[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            for datagram in [copy, initiation] {
                var answers: [LinkEffect] = []
                tables[1].receive(datagram, from: network.endpoints[0], now: network.now, into: &answers)
                for case .send(let bytes, _) in answers {
                    var effects: [LinkEffect] = []
                    tables[0].receive(bytes, from: network.endpoints[1], now: network.now, into: &effects)
                }
                #expect(tables[0].links.isEmpty == (datagram == copy), "bit \(bit)")
            }
        }
    }

    @Test("An INIT repeated from elsewhere before the true one arrives does not misplace the link")
    func redirectedHandshake() throws {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        network.inject(try #require(network.sent.first).bytes, to: 1, from: LinkNetwork.endpoint(9))
        network.run(for: .seconds(1))
        #expect(network.tables[1].links.map(\.endpoint) == [LinkNetwork.endpoint(1)])
        #expect(!network.log.contains { if case .moved = $0.effect { true } else { false } })
    }

    @Test("Random and mutated datagrams leave nothing behind", arguments: [1, 2, 3, 4] as [UInt64])
    func fuzz(seed: UInt64) {
        var network = LinkNetwork.linked(seed: seed)
        network.isRecording = true
        network.dial(0, to: 1)
        for index in 0..<30 {
            network.send([UInt8](repeating: 1, count: 1 + index * 100), from: index % 2)
            network.run(for: .milliseconds(3))
        }
        network.run(for: .seconds(1))
        let corpus = network.sent.map(\.bytes)
        network.isRecording = false
        network.log = []
        var random = SplitMix64(seed: seed)
        for _ in 0..<5000 {
            let bytes = mutant(of: corpus, random: &random)
            let source = LinkNetwork.endpoint(Int.random(in: 1...4, using: &random))
            network.inject(bytes, to: 0, from: source)
        }
        let harmless = network.log.allSatisfy { if case .dropped = $0.effect { true } else { false } }
        #expect(harmless)
        network.send([42], from: 1)
        network.run(for: .seconds(5))
        #expect(network.messages(at: 0) == [[42]])
        let table = network.tables[0]
        #expect(table.links.count == 1 && table.dials.isEmpty && table.answers.isEmpty)
    }

    private func mutant(of corpus: [[UInt8]], random: inout SplitMix64) -> [UInt8] {
        let types: [UInt8] = [0x10, 0x11, 0x12, 0x40, 0x41, 0x00]
        if random.next() % 3 == 0 {
            var bytes = (0..<Int.random(in: 0...500, using: &random)).map { _ in
                UInt8.random(in: 0 ... .max, using: &random)
            }
            if !bytes.isEmpty { bytes[0] = types[Int(random.next() % 6)] }
            return bytes
        }
        var bytes = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch random.next() % 3 {
            case 0: bytes[place] ^= UInt8.random(in: 1 ... .max, using: &random)
            case 1: bytes.removeLast(bytes.count - place)
            default: bytes.insert(UInt8.random(in: 0 ... .max, using: &random), at: place)
            }
        }
        return bytes
    }

    @Test("Authenticated but senseless frames never trap and keep to the limits", arguments: [1, 2, 3])
    func fuzzedFrames(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<100 {
            var pair = LinkNetwork.linked(seed: seed)
            var attacker = try #require(pair.tables[0].established.first)
            var endCount = 0
            while pair.tables[1].links.count == 1, endCount < 64 {
                let kinds: [UInt8] = [0, 1, 2, 4, 0x10, 0x12, 0xFF]
                var frames = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    UInt8.random(in: 0...(round % 2 == 0 ? 255 : 4), using: &random)
                }
                frames[0] = kinds[Int(random.next() % 7)]
                var effects: [LinkEffect] = []
                attacker.transmit(frames, to: pair.endpoints[1], now: pair.now, into: &effects)
                for case .send(let bytes, _) in effects { pair.inject(bytes, to: 1, from: pair.endpoints[0]) }
                endCount += 1
                if let victim = pair.tables[1].established.first {
                    #expect(victim.reassembly.messageCount <= 256 && victim.reassembly.byteCount <= 1 << 20)
                }
            }
            #expect(pair.tables[1].links.count <= 1 && pair.messages(at: 0).isEmpty)
        }
    }

    @Test("The 32nd malformed packet within a minute ends the link, and repeats of one packet count once")
    func malformedLimit() throws {
        var network = LinkNetwork.linked()
        var attacker = try #require(network.tables[0].established.first)
        func packet(_ frames: [UInt8]) -> [UInt8] {
            var effects: [LinkEffect] = []
            attacker.transmit(frames, to: network.endpoints[1], now: network.now, into: &effects)
            guard case .send(let bytes, _) = effects.first else { return [] }
            return bytes
        }
        network.log = []
        let first = packet([0xFF])
        for _ in 0..<40 { network.inject(first, to: 1, from: network.endpoints[0]) }
        #expect(network.tables[1].links.count == 1)
        for _ in 0..<30 { network.inject(packet([0xFF]), to: 1, from: network.endpoints[0]) }
        #expect(network.tables[1].links.count == 1)
        network.inject(packet([0xFF]), to: 1, from: network.endpoints[0])
        #expect(network.effects(of: 1).last == .down(LinkID(1), node: NodeID(1), reason: .misbehaved))
        network.run(for: .milliseconds(10))
        network.dial(0, to: 1)
        network.run(for: .milliseconds(50))
        #expect(network.tables[1].links.count == 1)
    }

    @Test("A datagram that comes again is ignored, whatever endpoint it comes from")
    func replays() {
        var network = LinkNetwork.linked()
        network.isRecording = true
        network.sent = []
        for value in 0..<10 { network.send([UInt8(value)], from: 0) }
        network.run(for: .milliseconds(100))
        #expect(network.messages(at: 1).count == 10)
        let packets = network.sent.filter { $0.node == 0 }.map(\.bytes)
        network.log = []
        network.sent = []
        for bytes in packets {
            network.inject(bytes, to: 1, from: network.endpoints[0])
            network.inject(bytes, to: 1, from: LinkNetwork.endpoint(9))
        }
        #expect(network.effects(of: 1) == Array(repeating: .dropped(.replayed), count: packets.count * 2))
        #expect(network.sent.isEmpty)
    }

    @Test("A repeated INIT of an old handshake makes no link and hides none")
    func replayedHandshake() throws {
        var network = LinkNetwork()
        network.isRecording = true
        network.dial(0, to: 1)
        let initiation = try #require(network.sent.first).bytes
        network.run(for: .seconds(10))
        network.log = []
        network.inject(initiation, to: 1, from: network.endpoints[0])
        network.inject(initiation, to: 1, from: LinkNetwork.endpoint(9))
        network.run(for: .seconds(10))
        #expect(network.tables[1].links.map(\.id) == [LinkID(1)])
        #expect(network.tables[1].answers.isEmpty)
    }

    @Test("100,000 INITs keep memory flat, send no more than they bring, and do not keep an honest node out")
    func flood() {
        var network = LinkNetwork()
        var sentByteCount = 0
        var effects: [LinkEffect] = []
        let attacker = NullLinkCryptography(firstEphemeral: 1 << 50)
        for index in 0..<100_000 {
            let bytes = attacker.initiation(from: NodeID(UInt64(index) + 1000), connection: UInt32(index)).encoded()
            network.now = network.now.advanced(by: .microseconds(100))
            effects.removeAll(keepingCapacity: true)
            let source = LinkNetwork.endpoint(100 + index % 60_000)
            network.tables[1].receive(bytes, from: source, now: network.now, into: &effects)
            for case .send(let bytes, _) in effects { sentByteCount += bytes.count }
            if index % 1000 == 0 { network.tables[1].tick(now: network.now, into: &effects) }
            if index == 50_000 {
                network.dial(0, to: 1)
            }
            if index > 50_000, index % 100 == 0 { network.run(for: .microseconds(1)) }
        }
        let table = network.tables[1]
        #expect(table.answers.count <= 64)
        #expect(table.sources.count <= 256)
        #expect(sentByteCount <= 100_000 * 400 / 4)
        #expect(table.links.map(\.node) == [NodeID(1)])
        let up = network.log.first { if case .up = $0.effect { $0.node == 1 } else { false } }
        #expect(up.map { $0.at < MeshInstant(nanoseconds: 6_000_000_000) } == true)
    }
}
