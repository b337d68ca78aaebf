import Testing

@testable import MeshCore

@Suite("Links in a crowd")
struct LinkCrowdTests {
    @Test("In a crowd a link repeats more and more rarely, and so is given up later")
    func vanishedInCrowd() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.tables[0].setCrowdFactor(10, of: LinkID(1))
        network.dead = [1]
        network.log = []
        network.isRecording = true
        let start = network.now
        network.send([1], from: 0, tag: 3)
        network.run(for: .seconds(20))
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
        // Each wait is twice as long as the one before, up to 2 s.
        let lived = start.duration(to: network.log.last?.at ?? .zero)
        #expect(lived >= .seconds(12) && lived <= .seconds(15))
        #expect(network.sent.count <= 2 * 13 + 1)
    }

    @Test("In a crowd an acknowledgement waits for what goes back, for 6 ms times the crowd factor less one")
    func acknowledgementInCrowd() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        for node in 0...1 { network.tables[node].setCrowdFactor(10, of: LinkID(1)) }
        network.isRecording = true
        network.send([1], from: 0)
        network.run(for: .milliseconds(54))
        #expect(network.sent.count == 1)
        network.run(for: .milliseconds(2))
        #expect(network.sent.count == 2)
        // A message that goes back takes the acknowledgement along.
        network.run(for: .milliseconds(500))
        network.sent = []
        network.send([1], from: 0)
        network.run(for: .milliseconds(20))
        network.send([2], from: 1)
        network.run(for: .milliseconds(500))
        #expect(network.sent.count == 3)
    }

    @Test(
        "A peer that has the next crowd factor, and lets acknowledgements wait longer, is not asked twice",
        arguments: 1...9
    )
    func acknowledgementOfPeerInCrowd(factor: Int) {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        for node in 0...1 { network.tables[node].setCrowdFactor(factor + node, of: LinkID(1)) }
        network.isRecording = true
        for _ in 0..<5 {
            network.sent = []
            network.send([1], from: 0)
            network.run(for: .milliseconds(500))
            #expect(network.sent.count == 2)
        }
    }

    @Test("In a crowd a link that rests is asked after as much longer as the crowd factor says")
    func idle() {
        for factor in [1, 10] {
            var network = LinkNetwork.linked()
            for node in 0...1 { network.tables[node].setCrowdFactor(factor, of: LinkID(1)) }
            network.send([1], from: 0)
            network.send([1], from: 1)
            network.run(for: .seconds(1))
            network.isRecording = true
            // The shortest wait is 12 s less a fifth, the longest a fifth more.
            network.run(for: .milliseconds(8_500 * factor))
            #expect(network.sent.isEmpty)
            network.run(for: .milliseconds(6_500 * factor))
            #expect(!network.sent.isEmpty && network.sent.count <= 4)
            network.run(for: .seconds(600))
            #expect(network.tables.map { $0.established.first?.health } == [.up, .up])
        }
    }

    @Test("In a crowd silence ends a link after 300 s, and no earlier because the crowd has gone")
    func silence() {
        var configuration = LinkConfiguration()
        configuration.idleInterval = .seconds(1000)
        for factor in [10, 1] {
            var network = LinkNetwork.linked(configuration: configuration)
            network.tables[0].setCrowdFactor(10, of: LinkID(1))
            network.send([1], from: 0)
            network.run(for: .seconds(1))
            let heardAt = network.tables[0].established[0].lastReceivedAt
            network.dead = [1]
            network.run(until: heardAt.advanced(by: .milliseconds(149_999)))
            network.tables[0].setCrowdFactor(factor, of: LinkID(1))
            network.run(for: .milliseconds(0))
            #expect(network.tables[0].established.first?.health == .up)
            network.run(until: heardAt.advanced(by: .seconds(150)))
            #expect(network.tables[0].established.first?.health == .suspect)
            network.run(until: heardAt.advanced(by: .milliseconds(299_999)))
            #expect(network.tables[0].links.count == 1)
            network.run(until: heardAt.advanced(by: .seconds(300)))
            #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
        }
    }
}
