import Testing

@testable import MeshCore

@Suite("Turns of links")
struct LinkTurnTests {
    private static func linked() -> LinkNetwork {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        network.isRecording = true
        return network
    }

    @Test("Messages that are sent in one turn fill packets together")
    func messagesShareAPacket() {
        var network = Self.linked()
        let messages = (0..<10).map { [UInt8](repeating: $0, count: 100) }
        network.call(0) { table, _, _ in
            for message in messages {
                let isTaken = table.send(message, lane: .interactive, tag: 0, on: LinkID(1))
                #expect(isTaken)
            }
        }
        #expect(network.sent.map(\.node) == [0])
        network.run(for: .milliseconds(10))
        #expect(network.messages(at: 1) == messages)
    }

    @Test("Nothing leaves before the turn ends")
    func nothingLeavesEarly() {
        var network = Self.linked()
        network.call(0) { table, now, effects in
            let isTaken = table.send([1], lane: .control, tag: 7, on: LinkID(1))
            #expect(isTaken)
            #expect(effects.isEmpty)
            table.flush(now: now, into: &effects)
            #expect(effects.count == 2)
            table.flush(now: now, into: &effects)
            #expect(effects.count == 2)
        }
    }

    @Test("Packets that come in one turn are acknowledged once")
    func packetsShareAnAcknowledgement() {
        var network = Self.linked()
        for number in 0..<3 { network.send([UInt8(number)], from: 0) }
        let packets = network.sent.map(\.bytes)
        #expect(packets.count == 3)
        network.dropFlights()
        let source = network.endpoints[0]
        network.call(1) { table, now, effects in
            for packet in packets { table.receive(packet, from: source, now: now, into: &effects) }
        }
        #expect(network.sent.map(\.node) == [0, 0, 0, 1])
        #expect(network.messages(at: 1) == [[0], [1], [2]])
    }
}
