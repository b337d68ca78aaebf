#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

private let start = LinkFixture()

/// Checks a neighbour that has the keys and obeys no rule, and any other sender of datagrams.
func fuzzLink(_ input: [UInt8]) {
    var choices = Choices(input)
    var table = start.table
    var now = MeshInstant.zero
    var number: UInt64 = 1
    while !choices.isAtEnd {
        var effects: [LinkEffect] = []
        let action = choices.byte()
        let source = LinkFixture.endpoint(action & 0x80 == 0 ? 2 : choices.byte() % 4)
        switch action % 8 {
        case 0, 1, 2:
            let frames = choices.variant(of: framesOfPackets[Int(choices.byte()) % framesOfPackets.count])
            number &+= UInt64(choices.byte() % 4) &* UInt64(choices.byte())
            let packet = start.packet(frames, number: number, phase: action >> 4 & 1 == 0 ? 0 : 1)
            table.receive(packet, from: source, now: now, into: &effects)
        case 3:
            let datagram = choices.variant(of: datagrams[Int(choices.byte()) % datagrams.count])
            table.receive(datagram, from: source, now: now, into: &effects)
        case 4, 5: now = now.advanced(by: .milliseconds(choices.number(below: action % 8 == 4 ? 50 : 40_000)))
        case 6:
            guard let link = table.links.first, let lane = Lane(rawValue: choices.byte() % 4) else { break }
            let message = [UInt8](repeating: 1, count: 1 + choices.number(below: LinkProtocol.maximumMessageByteCount))
            _ = table.send(message, lane: lane, tag: 1, on: link.id)
        default:
            if choices.flag(), let link = table.links.first {
                let bytes = [UInt8](repeating: 2, count: 1 + choices.number(below: LinkProtocol.maximumLiveByteCount))
                _ = table.sendDatagram(bytes, on: link.id, now: now)
            }
            if choices.flag() { table.dial(nil, at: source, now: now, into: &effects) }
            if choices.flag() { table.interfaceDown(source.interface, now: now, into: &effects) }
        }
        tick(&table, now: now, into: &effects)
        check(table, effects)
    }
}
