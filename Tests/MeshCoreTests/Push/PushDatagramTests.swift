import Testing

@testable import MeshCore

@Suite("The datagram of a push")
struct PushDatagramTests {
    private let push = PushDatagram(unicastPort: 0x1234, node: NodeID(0x0102_0304_0506_0708), envelope: [0x11, 2, 3])

    @Test("It has the bytes that PROTOCOL describes")
    func shape() {
        let expected: [UInt8] = [0x45, 0x41, 0x52, 0x31, 0x21, 0, 0x12, 0x34, 1, 2, 3, 4, 5, 6, 7, 8, 0x11, 2, 3]
        #expect(push.encoded() == expected)
        #expect(PushDatagram(decoding: expected) == push)
    }

    @Test("Bytes that are too short, too long, of another type or without a port are refused")
    func refused() {
        let bytes = push.encoded()
        for count in 0...16 { #expect(PushDatagram(decoding: Array(bytes.prefix(count))) == nil) }
        for index in 0..<5 {
            var other = bytes
            other[index] ^= 1
            #expect(PushDatagram(decoding: other) == nil)
        }
        var withoutPort = bytes
        (withoutPort[6], withoutPort[7]) = (0, 0)
        #expect(PushDatagram(decoding: withoutPort) == nil)
        let longest = bytes + [UInt8](repeating: 1, count: 1_232 - bytes.count)
        #expect(PushDatagram(decoding: longest)?.envelope.count == 1_216)
        #expect(PushDatagram(decoding: longest + [1]) == nil)
    }

    @Test("No beacon is taken for a push")
    func beacon() {
        let beacon = Beacon(
            flags: [],
            unicastPort: 1,
            node: NodeID(1),
            interval: 10,
            sequence: 1,
            shelf: .everything,
            minutes: 1,
            networkTag: 0
        )
        #expect(!PushDatagram.begins(beacon.encoded()))
    }
}
