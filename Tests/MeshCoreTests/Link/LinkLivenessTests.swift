import Testing

@testable import MeshCore

@Suite("Life and death of links")
struct LinkLivenessTests {
    @Test("An idle link stays up and says no more than one short ping and its acknowledgement every 12 s")
    func idle() {
        var network = LinkNetwork.linked()
        for node in 0...1 { network.call(node) { table, now, _ in table.setStatus(LinkStatus(load: 1), now: now) } }
        network.run(for: .seconds(3))
        network.isRecording = true
        network.log = []
        network.run(for: .seconds(600))
        #expect(network.tables.allSatisfy { $0.links.count == 1 })
        // Only the end whose timer expires first sends a ping.
        #expect((42 * 2...62 * 2).contains(network.sent.count))
        #expect(network.log.isEmpty)
        let (ping, acknowledgement) = (5, 8)
        #expect(network.sent.allSatisfy { $0.bytes.count <= 9 + ping + acknowledgement + 8 + 16 })
    }

    @Test("A peer that vanishes with data out is given up after 8 timeouts and 1.2 s, and can be dialled at once")
    func vanishedWithData() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.dead = [1]
        network.log = []
        let start = network.now
        network.send([1], from: 0, tag: 3)
        network.run(for: .milliseconds(599))
        #expect(network.tables[0].established.first?.health == .up)
        network.run(for: .milliseconds(250))
        #expect(network.tables[0].established.first?.health == .suspect)
        network.run(for: .seconds(5))
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
        let lived = start.duration(to: network.log.last?.at ?? .zero)
        #expect(lived >= .milliseconds(1200) && lived <= .milliseconds(1450))
        network.dead = []
        network.dial(0, to: 1)
        network.run(for: .milliseconds(50))
        #expect(network.tables.map { $0.links.count } == [1, 1])
    }

    @Test("A silent peer makes a link suspect after 15 s and ends it after 30 s, if nothing else does before")
    func silence() {
        var configuration = LinkConfiguration()
        configuration.idleInterval = .seconds(1000)
        var network = LinkNetwork.linked(configuration: configuration)
        network.run(for: .milliseconds(100))
        let discoveredAt = network.tables[0].established[0].lastReceivedAt
        network.dead = [1]
        network.run(until: discoveredAt.advanced(by: .milliseconds(14_999)))
        #expect(network.tables[0].established.first?.health == .up)
        network.run(until: discoveredAt.advanced(by: .seconds(15)))
        #expect(network.tables[0].established.first?.health == .suspect)
        network.run(until: discoveredAt.advanced(by: .milliseconds(29_999)))
        #expect(network.tables[0].links.count == 1)
        network.run(until: discoveredAt.advanced(by: .seconds(30)))
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
    }

    @Test("A suspect link recovers when the peer speaks again")
    func recovery() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.conditions.loss = 1
        network.send([1], from: 0)
        network.run(for: .milliseconds(900))
        #expect(network.tables[0].established.first?.health == .suspect)
        network.conditions.loss = 0
        network.run(for: .milliseconds(300))
        #expect(network.tables[0].established.first?.health == .up)
        #expect(network.messages(at: 1) == [[1]])
    }

    @Test("A goodbye ends the link at both ends, and there may be another")
    func close() {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        network.log = []
        network.call(0) { $0.close(LinkID(1), reason: .closedHere, now: $1, into: &$2) }
        network.run(for: .milliseconds(100))
        #expect(network.effects(of: 0) == [.down(LinkID(1), node: NodeID(2), reason: .closedHere)])
        #expect(network.effects(of: 1) == [.down(LinkID(1), node: NodeID(1), reason: .left)])
        network.dial(0, to: 1)
        #expect(network.tables[0].dials.count == 1)
    }

    /// Sets the status of node 0.
    private static func tell(_ status: LinkStatus, in network: inout LinkNetwork) {
        network.call(0) { table, now, _ in table.setStatus(status, now: now) }
    }

    /// The loads of the statuses that node 1 took, with the seconds at which they came.
    private static func loads(_ network: LinkNetwork) -> [(load: UInt8, second: Int)] {
        network.log.compactMap { entry in
            guard entry.node == 1, case .status(let status, _) = entry.effect else { return nil }
            return (status.load, Int(MeshInstant.zero.duration(to: entry.at) / .seconds(1)))
        }
    }

    @Test("A status is told with a new link, then on change, and again if the packet was lost")
    func status() {
        var network = LinkNetwork()
        let first = LinkStatus(store: StoreSummary(digest: 3, count: 4), load: 5)
        Self.tell(first, in: &network)
        network.dial(0, to: 1)
        network.run(for: .seconds(3))
        #expect(network.effects(of: 1).contains(.status(first, from: LinkID(1))))
        network.log = []
        Self.tell(first, in: &network)
        network.run(for: .seconds(1))
        #expect(network.log.isEmpty)
        network.conditions.loss = 1
        Self.tell(LinkStatus(load: 6), in: &network)
        network.conditions.loss = 0
        network.run(for: .milliseconds(200))
        #expect(network.effects(of: 1) == [.status(LinkStatus(load: 6), from: LinkID(1))])
    }

    @Test("A status that changes all the time is told every two seconds")
    func statusInterval() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(3))
        for load in UInt8(1)...100 {
            Self.tell(LinkStatus(load: load), in: &network)
            network.run(for: .milliseconds(100))
        }
        network.run(for: .seconds(3))
        #expect(Self.loads(network).map(\.second) == [3, 5, 7, 9, 11, 13])
        #expect(Self.loads(network).last?.load == 100)
    }

    @Test("Of a neighbour's statuses one a second is taken")
    func statusRate() {
        var configuration = LinkConfiguration()
        configuration.statusInterval = .zero
        var network = LinkNetwork.linked(configuration: configuration)
        network.run(for: .seconds(3))
        for load in UInt8(1)...100 {
            Self.tell(LinkStatus(load: load), in: &network)
            network.run(for: .milliseconds(100))
        }
        #expect(Self.loads(network).map(\.second) == Array(3...12))
        #expect(network.effects(of: 1).count { $0 == .dropped(.limited) } == 90)
    }

    @Test("The sum in an idle ping shows a neighbour that its status was dropped, and it tells it again")
    func statusSum() {
        var configuration = LinkConfiguration()
        configuration.statusInterval = .zero
        var network = LinkNetwork.linked(configuration: configuration)
        network.run(for: .seconds(3))
        for load in UInt8(1)...2 { Self.tell(LinkStatus(load: load), in: &network) }
        network.run(for: .seconds(60))
        #expect(Self.loads(network).map(\.load) == [1, 2])
    }

    @Test("A status that was overtaken by a later one is not taken")
    func overtakenStatus() throws {
        var configuration = LinkConfiguration()
        configuration.statusInterval = .zero
        var network = LinkNetwork.linked(configuration: configuration)
        network.run(for: .seconds(3))
        network.isRecording = true
        for load in UInt8(1)...2 { Self.tell(LinkStatus(load: load), in: &network) }
        network.dropFlights()
        network.log = []
        for (_, bytes, _) in network.sent.reversed() { network.inject(bytes, to: 1, from: network.endpoints[0]) }
        #expect(network.effects(of: 1) == [.status(LinkStatus(load: 2), from: LinkID(1))])
    }

    @Test("A peer that moves is followed after it answered a challenge, and messages go on")
    func migration() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.log = []
        network.endpoints[0] = LinkNetwork.endpoint(77, port: 9)
        network.send([1], from: 0)
        network.send([2], from: 1)
        network.run(for: .milliseconds(500))
        let moved = network.effects(of: 1).compactMap { effect -> Endpoint? in
            if case .moved(let info) = effect { info.endpoint } else { nil }
        }
        #expect(moved == [LinkNetwork.endpoint(77, port: 9)])
        #expect(network.messages(at: 0) == [[2]])
        #expect(network.messages(at: 1) == [[1]])
        #expect(network.tables.map { $0.links.map(\.id) } == [[LinkID(1)], [LinkID(1)]])
    }

    @Test("A packet copied from a foreign endpoint does not move the link")
    func noMoveWithoutAnswer() throws {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.isRecording = true
        network.send([1], from: 0)
        let bytes = try #require(network.sent.last).bytes
        network.dropFlights()
        network.inject(bytes, to: 1, from: LinkNetwork.endpoint(99))
        #expect(network.sent.contains { $0.to == LinkNetwork.endpoint(99) })
        #expect(network.tables[1].links.first?.endpoint == LinkNetwork.endpoint(1))
        network.run(for: .seconds(2))
        #expect(network.tables[1].links.first?.endpoint == LinkNetwork.endpoint(1))
    }

    @Test("The links on an interface that goes away end at once, with a goodbye")
    func interfaceDown() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.log = []
        let interface = network.endpoints[1].interface
        network.call(0) { $0.interfaceDown(InterfaceID(index: 7, family: .v4), now: $1, into: &$2) }
        #expect(network.tables[0].links.count == 1)
        network.call(0) { $0.interfaceDown(interface, now: $1, into: &$2) }
        #expect(network.effects(of: 0) == [.down(LinkID(1), node: NodeID(2), reason: .interfaceLost)])
        network.run(for: .milliseconds(10))
        #expect(network.effects(of: 1) == [.down(LinkID(1), node: NodeID(1), reason: .left)])
    }

    @Test("A link does not move to another interface")
    func noMoveBetweenInterfaces() throws {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.isRecording = true
        network.send([1], from: 0)
        let bytes = try #require(network.sent.last).bytes
        network.dropFlights()
        let elsewhere = LinkNetwork.endpoint(1, interface: 2)
        network.inject(bytes, to: 1, from: elsewhere)
        #expect(network.messages(at: 1) == [[1]])
        #expect(!network.sent.contains { $0.to == elsewhere })
    }

    @Test("After an hour of sleep the link ends, and a new dial is not held back")
    func sleep() {
        var network = LinkNetwork.linked()
        network.run(for: .seconds(1))
        network.now = network.now.advanced(by: .seconds(3600))
        network.call(0) { $0.tick(now: $1, into: &$2) }
        #expect(network.effects(of: 0).last == .down(LinkID(1), node: NodeID(2), reason: .timedOut))
        network.dial(0, to: 1)
        network.run(for: .milliseconds(50))
        #expect(network.tables.map { $0.links.count } == [1, 1])
    }

    @Test("The round trip is known within 20 % at 30 % loss", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        let conditions = LinkNetwork.Conditions(loss: 0.3, delay: .milliseconds(10))
        var network = LinkNetwork.linked(seed: seed, conditions: conditions)
        for index in 0..<200 {
            network.send([UInt8(index % 250)], from: 0, lane: index % 2 == 0 ? .interactive : .bulk)
            network.run(for: .milliseconds(7))
        }
        let roundTrip = try #require(network.tables[0].links.first?.roundTrip)
        #expect(roundTrip >= .milliseconds(16) && roundTrip <= .milliseconds(24))
    }

    @Test("The time an acknowledgement waited is no part of the round trip")
    func acknowledgementDelay() throws {
        var network = LinkNetwork.linked()
        for _ in 0..<40 {
            network.send([1], from: 0, lane: .bulk)
            network.run(for: .milliseconds(10))
        }
        let roundTrip = try #require(network.tables[0].links.first?.roundTrip)
        #expect(roundTrip >= .microseconds(1900) && roundTrip <= .microseconds(2200))
    }

    @Test("Keys change once and no further while the peer is not heard to follow")
    func keyPhaseWaits() {
        var configuration = LinkConfiguration()
        configuration.rekeyPacketCount = 4
        var network = LinkNetwork.linked(configuration: configuration)
        network.run(for: .milliseconds(100))
        let phase = network.tables[0].established[0].sendPhase.phase
        network.conditions.loss = 1
        for _ in 0..<20 { network.send([1], from: 0) }
        #expect(network.tables[0].established[0].sendPhase.phase == phase + 1)
        network.conditions.loss = 0
        network.run(for: .seconds(1))
        #expect(network.messages(at: 1).count == 20)
    }

    @Test("Keys change every so many packets and every so often, and nothing is lost by it")
    func keyPhases() throws {
        var configuration = LinkConfiguration()
        configuration.rekeyPacketCount = 16
        let conditions = LinkNetwork.Conditions(loss: 0.2, duplication: 0.1, jitter: .milliseconds(4))
        var network = LinkNetwork.linked(conditions: conditions, configuration: configuration)
        for index in 0..<300 {
            network.send([UInt8(index % 250), UInt8(index / 250)], from: index % 2)
            network.run(for: .milliseconds(2))
        }
        network.run(for: .seconds(3))
        #expect(network.messages(at: 0).count == 150)
        #expect(network.messages(at: 1).count == 150)
        let phases = network.tables.map { $0.established.first?.sendPhase.phase ?? 0 }
        #expect(phases.allSatisfy { $0 > 5 })

        var timed = LinkConfiguration()
        timed.rekeyInterval = .seconds(30)
        var quiet = LinkNetwork.linked(configuration: timed)
        for _ in 0..<10 {
            quiet.send([1], from: 0)
            quiet.run(for: .seconds(10))
        }
        let phase = try #require(quiet.tables[0].established.first).sendPhase.phase
        #expect((2...3).contains(phase))
    }

    @Test("Ticks before their time change nothing")
    func earlyTicks() {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        let deadline = network.tables[0].nextDeadline
        var effects: [LinkEffect] = []
        for _ in 0..<10 { network.tables[0].tick(now: network.now, into: &effects) }
        #expect(effects.isEmpty)
        #expect(network.tables[0].nextDeadline == deadline)
    }
}
