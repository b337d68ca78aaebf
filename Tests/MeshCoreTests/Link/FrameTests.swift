import Bytes
import Testing

@testable import MeshCore

@Suite("Frames and datagrams")
struct FrameTests {
    private static let status = LinkStatus(
        store: StoreSummary(
            shelf: Shelf(of: 0xABCD, depth: 9),
            sums: SIMD16(0..<16),
            count: 12
        ),
        load: 13
    )

    @Test(
        "Each frame has its bytes",
        arguments: [
            (.ping, [0x01]),
            (
                .acknowledgement(Frame.Acknowledgement(lowLargest: 7, delay: 258, bitmap: [0xA0])),
                [2, 0, 0, 0, 7, 1, 2, 1, 0xA0]
            ),
            (.close(.timedOut), [3, 1]),
            (
                .status(status),
                [4, 0xAB, 0x80, 9, 0] + (0..<16).flatMap { [0, 0, 0, $0] } + [0, 0, 0, 12, 13, 0]
            ),
            (.statusSum(0x0102_0304), [5, 1, 2, 3, 4]),
            (
                .message(Frame.MessageFrame(lane: .bulk, number: 300, offset: 0, total: 5, data: [1, 2])),
                [0x10, 3, 0xAC, 2, 0, 5, 2, 1, 2]
            ),
            (
                .message(Frame.MessageFrame(lane: .control, number: 1, offset: 3, total: nil, data: [9])),
                [0x10, 0, 1, 3, 1, 9]
            ),
            (.datagram([7, 8]), [0x11, 2, 7, 8]),
            (.pathChallenge(5), [0x12, 0, 0, 0, 0, 0, 0, 0, 0, 5]),
            (.pathResponse(5), [0x12, 1, 0, 0, 0, 0, 0, 0, 0, 5]),
        ] as [(Frame, [UInt8])]
    )
    func bytes(frame: Frame, expected: [UInt8]) {
        var writer = ByteWriter()
        frame.encode(into: &writer)
        #expect(writer.bytes == expected)
        #expect(Frame.decode([0, 0] + expected + [0, 1]) == [frame, .ping])
        for count in 1..<expected.count { #expect(Frame.decode(Array(expected.prefix(count))) == nil) }
    }

    @Test(
        "Senseless frames are refused",
        arguments: [
            [5], [0x11, 0], [0x11, 2, 1], [0x11, 0xCD, 8] + [UInt8](repeating: 1, count: 1101),
            [2, 0, 0, 0, 1, 0, 0, 129] + [UInt8](repeating: 0, count: 129),
            [0x12, 2, 0, 0, 0, 0, 0, 0, 0, 0],
            // An unknown lane; no data; more data than the message has; a total of 0; a total beyond 24 KiB.
            [0x10, 4, 1, 0, 1, 1, 1], [0x10, 0, 1, 0, 1, 0], [0x10, 0, 1, 0, 1, 2, 1, 1], [0x10, 0, 1, 0, 0, 1, 1],
            [0x10, 0, 1, 0, 0x81, 0xC0, 1, 1, 1], [0x10, 0, 1, 0x80, 0xC0, 1, 1, 1],
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(Frame.decode(bytes) == nil)
    }

    @Test("An INIT is laid out as agreed, with and without cookie", arguments: [0, 16])
    func initiation(cookieCount: Int) {
        let cookie = [UInt8](repeating: 0xCC, count: cookieCount)
        let message = [UInt8](repeating: 0xEE, count: 48)
        let initiation = LinkDatagram.Initiation(
            connection: 0x0102_0304,
            node: NodeID(5),
            cookie: cookie,
            message: message
        )
        let bytes = initiation.encoded()
        let head: [UInt8] = [0x10, 2, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 5, UInt8(cookieCount)] + cookie + message
        #expect(bytes == head + [UInt8](repeating: 0, count: 400 - head.count))
        #expect(LinkDatagram.Initiation(decoding: bytes) == initiation)
        #expect(LinkDatagram.Initiation(decoding: bytes.dropLast()) == nil)
        var other = bytes
        other[1] = 1
        #expect(LinkDatagram.Initiation(decoding: other) == nil)
    }

    @Test("RETRY and RESP have exact lengths")
    func answers() {
        let retry = LinkDatagram.Retry(connection: 1, cookie: [UInt8](repeating: 2, count: 16))
        #expect(retry.encoded() == [0x11, 0, 0, 0, 1] + [UInt8](repeating: 2, count: 16))
        #expect(LinkDatagram.Retry(decoding: retry.encoded()) == retry)
        #expect(LinkDatagram.Retry(decoding: retry.encoded() + [0]) == nil)
        let response = LinkDatagram.Response(connection: 1, sender: 2, message: [UInt8](repeating: 3, count: 96))
        let expected = [0x12, 0, 0, 0, 1, 0, 0, 0, 2] + [UInt8](repeating: 3, count: 96)
        #expect(response.encoded() == expected)
        #expect(LinkDatagram.Response(decoding: expected) == response)
        #expect(LinkDatagram.Response(decoding: expected + [0]) == nil)
        #expect(LinkDatagram.Response(decoding: expected.dropLast()) == nil)
    }

    @Test(
        "A packet number is rebuilt from its low bytes",
        arguments: [
            (0, 0, 0), (5, 1, 5), (0xFFFF_FFFF, 0x1_0000_0003, 0xFFFF_FFFF), (2, 0xFFFF_FFFE, 0x1_0000_0002),
            (0xFFFF_FFFF, 3, 0xFFFF_FFFF), (7, 0x5_0000_0000, 0x5_0000_0007),
            (0, .max, 0xFFFF_FFFF_0000_0000),
        ] as [(UInt32, UInt64, UInt64)]
    )
    func packetNumbers(low: UInt32, expected: UInt64, full: UInt64) {
        #expect(LinkDatagram.DataPacket.fullNumber(low: low, expected: expected) == full)
    }
}
