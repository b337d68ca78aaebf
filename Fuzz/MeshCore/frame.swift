import Bytes

#if !FUZZING
    @testable import MeshCore
#endif

/// Checks the frames of a packet: after encoding, decoded frames decode to the same values again.
func fuzzFrame(_ input: [UInt8]) {
    var choices = Choices(input)
    guard let frames = Frame.decode(choices.candidate(like: framesOfPackets)) else { return }
    var writer = ByteWriter()
    for frame in frames { frame.encode(into: &writer) }
    precondition(Frame.decode(writer.bytes) == frames)
}

/// Packets with each kind of frame.
let framesOfPackets: [[UInt8]] = [
    [.ping, .status(LinkStatus(load: 6))],
    [.statusSum(3)],
    [.acknowledgement(Frame.Acknowledgement(lowLargest: 3, delay: 100, bitmap: [0xA0, 1]))],
    [.acknowledgement(Frame.Acknowledgement(lowLargest: 1, delay: 0, bitmap: []))],
    [.message(Frame.MessageFrame(lane: .interactive, number: 0, offset: 0, total: 3, data: [1, 2, 3]))],
    [
        .message(Frame.MessageFrame(lane: .bulk, number: 300, offset: 0, total: 2_000, data: [1, 2, 3])),
        .message(Frame.MessageFrame(lane: .bulk, number: 300, offset: 1_998, total: nil, data: [4, 5])),
    ],
    [.datagram([1, 2, 3]), .ping],
    [.pathChallenge(1), .pathResponse(1 << 63)],
    [.close(.left)],
].map { (frames: [Frame]) in
    var writer = ByteWriter()
    for frame in frames { frame.encode(into: &writer) }
    return writer.bytes
}
