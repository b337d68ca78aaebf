import Testing

@testable import MeshCore

@Suite("Messages of paths")
struct PathFrameTests {
    private static let payload: [UInt8] = [0xAA, 0xBB]

    @Test(
        "A message stands on the wire as the protocol says, and is read back",
        arguments: [
            (
                PathFrame.routed(PathMessage(to: PathLabel(0x0102), hops: 7, payload: payload)),
                [0x30, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2, 0xAA, 0xBB]
            ),
            (
                .routed(PathMessage(to: PathLabel(3), from: PathLabel(4), hops: 0, isBulk: true, payload: [9])),
                [0x30, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 9]
            ),
            (
                .routed(PathMessage(to: PathLabel(3), hops: 1, isLive: true, payload: payload)),
                [0x30, 4, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0xAA, 0xBB]
            ),
            (
                .routed(PathMessage(to: PathLabel(3), from: PathLabel(4), hops: 1, isEnvelope: true, payload: payload)),
                [0x30, 10, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0xAA, 0xBB]
            ),
            (.routeLost(PathLabel(.max)), [0x31] + [UInt8](repeating: 0xFF, count: 8)),
        ] as [(PathFrame, [UInt8])]
    )
    func layout(frame: PathFrame, bytes: [UInt8]) {
        #expect(frame.encoded() == bytes)
        #expect(PathFrame(decoding: bytes) == frame)
    }

    @Test(
        "What is cut off, too long or flagged unknown is refused",
        arguments: [
            [], [0x30], [0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9],
            [0x30, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2],
            [0x30, 16, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 9],
            [0x30, 9, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 9],
            [0x30, 12, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 9],
            [0x30, 8, 7] + [UInt8](repeating: 0, count: 8 + PathMessage.maximumEnvelopeByteCount + 1),
            [0x30, 5, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 9],
            [0x30, 6, 7] + [UInt8](repeating: 1, count: 17),
            [0x30, 4, 7] + [UInt8](repeating: 0, count: 8 + PathMessage.maximumLivePayloadByteCount + 1),
            [0x30, 2, 7, 0, 0, 0, 0, 0, 0, 1, 2, 9],
            [0x30, 2, 7] + [UInt8](repeating: 0, count: 16),
            [0x30, 0, 7] + [UInt8](repeating: 0, count: 8 + PathMessage.maximumPayloadByteCount + 1),
            [0x31, 0, 0, 0, 0, 0, 0, 1],
            [0x31, 0, 0, 0, 0, 0, 0, 0, 1, 2],
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(PathFrame(decoding: bytes) == nil)
    }

    @Test("The longest live message fills a live datagram")
    func longestLive() {
        let payload = [UInt8](repeating: 1, count: PathMessage.maximumLivePayloadByteCount)
        let message = PathFrame.routed(PathMessage(to: PathLabel(1), hops: 1, isLive: true, payload: payload))
        #expect(message.encoded().count == LinkProtocol.maximumLiveByteCount)
        #expect(PathFrame(decoding: message.encoded()) == message)
    }

    @Test("The longest message fits a link")
    func longest() {
        let payload = [UInt8](repeating: 1, count: PathMessage.maximumPayloadByteCount)
        let bytes = PathFrame.routed(PathMessage(to: PathLabel(1), from: PathLabel(2), hops: 1, payload: payload))
            .encoded()
        #expect(bytes.count == PathFrame.maximumByteCount)
        #expect(bytes.count <= LinkProtocol.maximumMessageByteCount)
        #expect(PathFrame(decoding: bytes) != nil)
    }
}
