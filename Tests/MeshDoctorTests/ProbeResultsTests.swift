import Bytes
import MeshCore
import Testing

@testable import MeshDoctor

@Suite("Probe ledger")
struct ProbeResultsTests {
    private static let interface = InterfaceID(index: 2, family: .v4)
    private static let own = endpoint(1)
    private static let question = Probe(asker: 7).encoded()
    private static let beacon: [UInt8] = beacon(of: 5)

    private var results = ProbeResults(id: 7)

    init() {
        _ = results.open(prefixes: [Prefix(address: Self.own.address, length: 24)], own: Self.own)
    }

    private static func endpoint(_ host: UInt8, subnet: UInt8 = 0, port: UInt16 = 4_000) -> Endpoint {
        Endpoint(interface: interface, address: address([10, 0, subnet, host]), port: port)
    }

    private static func beacon(of node: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Array("EAR1".utf8) + [1, 0, 0x0F, 0xA0])
        writer.append(integer: node)
        writer.append([UInt8](repeating: 0, count: 20))
        return writer.bytes
    }

    @Test("The own question that comes back shows that the socket it came by hears")
    mutating func echo() {
        #expect(results.receive(Self.question, from: Self.own, at: .group, segment: 0) == nil)
        #expect(results.segments[0].hearsItself && !results.segments[0].hearsLinks)
        #expect(results.receive(Self.question, from: Self.own, at: .links, segment: 0) == nil)
        #expect(results.segments[0].hearsLinks)
    }

    @Test("The own question from another interface or port shows nothing")
    mutating func foreignEcho() {
        _ = results.receive(Self.question, from: Self.endpoint(2), at: .group, segment: 0)
        _ = results.receive(Self.question, from: Self.endpoint(1, port: 4_001), at: .group, segment: 0)
        #expect(!results.segments[0].hearsItself)
    }

    @Test("Another's question to the group is answered and remembered, one to another socket is not")
    mutating func answering() {
        let question = Probe(asker: 8).encoded()
        #expect(results.receive(question, from: Self.endpoint(2), at: .unicast, segment: 0) == nil)
        #expect(results.receive(question, from: Self.endpoint(2), at: .links, segment: 0) == nil)
        #expect(results.segments[0].others == [:])
        let answer = results.receive(question, from: Self.endpoint(2), at: .group, segment: 0)
        #expect(answer == Probe(asker: 8, answerer: 7).encoded())
        #expect(results.segments[0].others == [8: .init(address: Self.endpoint(2).address, hasAsked: true)])
    }

    @Test("An answer counts if it is to the own question and came by unicast")
    mutating func answers() {
        _ = results.receive(Probe(asker: 9, answerer: 8).encoded(), from: Self.endpoint(2), at: .unicast, segment: 0)
        _ = results.receive(Probe(asker: 7, answerer: 8).encoded(), from: Self.endpoint(2), at: .group, segment: 0)
        #expect(results.segments[0].others == [:])
        _ = results.receive(Probe(asker: 7, answerer: 8).encoded(), from: Self.endpoint(2), at: .unicast, segment: 0)
        #expect(results.segments[0].others == [8: .init(address: Self.endpoint(2).address, hasAnswered: true)])
    }

    @Test("Sources that are not on the segment are ignored")
    mutating func offLink() {
        let far = Self.endpoint(2, subnet: 1)
        #expect(results.receive(Probe(asker: 8).encoded(), from: far, at: .group, segment: 0) == nil)
        #expect(results.receive(Self.beacon, from: far, at: .group, segment: 0) == nil)
        #expect(results.segments[0].others == [:] && results.nodes == [:])
        #expect(results.receive(Probe(asker: 8).encoded(), from: Self.endpoint(2), at: .group, segment: 1) == nil)
    }

    @Test("Beacons that come to a group's port show nodes, each once")
    mutating func beacons() {
        #expect(results.receive(Self.beacon, from: Self.endpoint(2), at: .unicast, segment: 0) == nil)
        #expect(results.nodes == [:])
        #expect(results.receive(Self.beacon, from: Self.endpoint(2), at: .group, segment: 0) == nil)
        _ = results.receive(Self.beacon, from: Self.endpoint(3), at: .group, segment: 0)
        #expect(results.nodes.map(\.value.source) == [Self.endpoint(2)])
    }

    @Test("No more questions are answered, and no more others or nodes remembered, than the limits say")
    mutating func limits() {
        var answerCount = 0
        for asker in 100..<UInt64(100 + ProbeResults.answerLimit + 10) {
            let bytes = Probe(asker: asker).encoded()
            if results.receive(bytes, from: Self.endpoint(2), at: .group, segment: 0) != nil { answerCount += 1 }
        }
        #expect(answerCount == ProbeResults.answerLimit)
        #expect(results.segments[0].others.count == ProbeResults.unknownNodeLimit)
        for node in 0..<UInt64(ProbeResults.nodeLimit + 10) {
            _ = results.receive(Self.beacon(of: node), from: Self.endpoint(2), at: .group, segment: 0)
        }
        #expect(results.nodes.count == ProbeResults.nodeLimit)
    }

    @Test("Any bytes are ignored", arguments: UInt64(0)..<20)
    mutating func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            for port in [ProbeResults.Port.group, .links, .unicast] {
                #expect(results.receive(bytes, from: Self.endpoint(2), at: port, segment: 0) == nil)
            }
        }
    }
}
