import Testing

@testable import MeshCore

@Suite("Live datagrams")
struct LinkLiveTests {
    private static func live(_ network: LinkNetwork) -> [LinkEffect] {
        network.effects(of: 1).filter { if case .datagram = $0 { true } else { false } }
    }

    private static func send(_ bytes: [UInt8], in network: inout LinkNetwork) -> Bool {
        network.call(0) { table, now, _ in table.sendDatagram(bytes, on: LinkID(1), now: now) }
    }

    /// Makes a link that sends nothing for at least 150 ms, because nothing arrives from the peer.
    private static func shut() -> LinkNetwork {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.dead = [1]
        network.send([1], from: 0)
        network.run(for: .seconds(1)) { $0.tables[0].established[0].probeCount == 5 }
        // The second of the packets that a timeout allows.
        _ = send([0], in: &network)
        network.log = []
        return network
    }

    @Test("A live datagram arrives as it is, once, also the longest, also beside a long acknowledgement")
    func arrival() {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        for _ in 0..<40 { network.send([UInt8](repeating: 1, count: 20_000), from: 1, lane: .bulk) }
        network.run(for: .milliseconds(20))
        let longest = [UInt8](repeating: 7, count: 1100)
        for bytes in [[9], longest] {
            let isTaken = Self.send(bytes, in: &network)
            #expect(isTaken)
        }
        network.run(for: .milliseconds(100))
        #expect(Self.live(network) == [.datagram([9], from: LinkID(1)), .datagram(longest, from: LinkID(1))])
    }

    @Test("A live datagram that is lost is not sent again")
    func loss() {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        network.conditions.loss = 1
        let isTaken = Self.send([1], in: &network)
        #expect(isTaken)
        network.run(for: .milliseconds(1))
        network.conditions.loss = 0
        network.run(for: .seconds(1))
        #expect(Self.live(network) == [])
    }

    @Test("A live datagram that cannot leave within 150 ms never does")
    func expiry() {
        var network = Self.shut()
        let isTaken = Self.send([1], in: &network)
        #expect(isTaken)
        network.run(for: .milliseconds(400))
        #expect(network.effects(of: 0) == [.dropped(.liveExpired)])
        network.dead = []
        network.run(for: .seconds(1))
        #expect(Self.live(network) == [])
        #expect(network.messages(at: 1) == [[1]])
    }

    @Test("64 live datagrams wait and no more")
    func limit() {
        var network = Self.shut()
        let taken = (0..<70).count { Self.send([UInt8($0)], in: &network) }
        #expect(taken == 64)
    }

    @Test("Live datagrams go behind control and before everything else")
    func order() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        for _ in 0..<10 { network.send([UInt8](repeating: 3, count: 20_000), from: 0, lane: .bulk) }
        for lane in [Lane.background, .interactive, .control] { network.send([lane.rawValue], from: 0, lane: lane) }
        let isTaken = Self.send([99], in: &network)
        #expect(isTaken)
        network.run(for: .milliseconds(100))
        let arrived = network.effects(of: 1).compactMap { effect -> UInt8? in
            switch effect {
            case .message(let bytes, _, _), .datagram(let bytes, _): bytes.first
            default: nil
            }
        }
        #expect(arrived.filter { $0 != 3 } == [0, 99, 1, 2])
        #expect(arrived.count == 14)
    }
}
