import Testing

@testable import MeshCore

@Suite("Links over streams")
struct LinkStreamTests {
    /// Makes two nodes at the ends of a stream, on which a datagram takes `delay`.
    private static func network(delay: Duration = .milliseconds(1)) -> LinkNetwork {
        var network = LinkNetwork(conditions: LinkNetwork.Conditions(delay: delay))
        network.endpoints = [1, 2].map { LinkNetwork.endpoint($0, interface: InterfaceID.stream(8).index) }
        return network
    }

    @Test("The INIT goes again after 1 and 2 s, and late answers slow down no dials by UDP")
    func dials() {
        var network = Self.network()
        network.dead = [1]
        network.isRecording = true
        network.dial(0, to: 1)
        network.run(for: .milliseconds(999))
        #expect(network.sent.count == 1)
        network.run(for: .milliseconds(1))
        #expect(network.sent.count == 2)
        network.run(for: .seconds(2))
        #expect(network.sent.count == 3)
        #expect(network.effects(of: 0).last == .dialFailed(NodeID(2), network.endpoints[1]))
        network.dead = []
        network.conditions.delay = .milliseconds(400)
        network.dial(0, to: 1)
        network.run(for: .seconds(2))
        #expect(network.tables[0].links.count == 1)
        #expect(network.tables[0].dialPace.delay == .milliseconds(20))
    }

    @Test("A link comes up where each datagram takes a second, carries what is sent and stays")
    func slowLine() {
        var network = Self.network(delay: .seconds(1))
        network.dial(0, to: 1)
        network.run(for: .milliseconds(3_500))
        for number in 0..<20 {
            for node in 0..<2 { network.send([UInt8(number)], from: node) }
            network.run(for: .seconds(3))
        }
        #expect(network.messages(at: 0).count == 20 && network.messages(at: 1).count == 20)
        #expect(network.tables.map { $0.links.map(\.id) } == [[LinkID(1)], [LinkID(1)]])
    }

    @Test("A peer that vanishes with data out is suspect after 10 s and given up after 20 s, not sooner")
    func vanished() {
        var network = Self.network()
        network.dial(0, to: 1)
        network.run(for: .seconds(1))
        network.dead = [1]
        network.send([1], from: 0)
        network.run(for: .milliseconds(9_900))
        #expect(network.tables[0].established.first?.health == .up)
        network.run(for: .milliseconds(600))
        #expect(network.tables[0].established.first?.health == .suspect)
        network.run(for: .milliseconds(9_400))
        #expect(network.tables[0].links.count == 1)
        network.run(for: .seconds(1))
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
    }
}
