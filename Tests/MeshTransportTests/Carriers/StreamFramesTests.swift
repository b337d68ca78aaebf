import NIOCore
import Testing

@testable import MeshTransport

@Suite("Frames of a stream")
struct StreamFramesTests {
    private static let datagrams: [[UInt8]] = [[7], Array(1...200), [UInt8](repeating: 9, count: 1_232), [0, 0]]

    private static var stream: [UInt8] {
        datagrams.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }

    private static func datagrams(_ frames: inout StreamFrames, _ bytes: some Sequence<UInt8>) throws -> [[UInt8]] {
        try frames.take(ByteBuffer(bytes: bytes)).map { Array(buffer: $0) }
    }

    @Test("A datagram is written as its length and its bytes, and one that fits no frame is not")
    func writing() {
        let written = Self.datagrams.compactMap { StreamFrames.frame($0, ByteBufferAllocator()) }
        #expect(written.flatMap { Array(buffer: $0) } == Self.stream)
        #expect(StreamFrames.frame([], ByteBufferAllocator()) == nil)
        #expect(StreamFrames.frame([UInt8](repeating: 1, count: 1_233), ByteBufferAllocator()) == nil)
    }

    @Test("Frames are read wherever the stream is torn")
    func torn() throws {
        let stream = Self.stream
        for place in 0...stream.count {
            var frames = StreamFrames()
            let first = try Self.datagrams(&frames, stream[..<place])
            let second = try Self.datagrams(&frames, stream[place...])
            #expect(first + second == Self.datagrams)
            #expect(frames.pendingByteCount == 0)
        }
    }

    @Test("Frames are read from single bytes, and no more waits than one frame")
    func singleBytes() throws {
        var frames = StreamFrames()
        var found: [[UInt8]] = []
        for byte in Self.stream {
            found += try Self.datagrams(&frames, [byte])
            #expect(frames.pendingByteCount < 1_234)
        }
        #expect(found == Self.datagrams)
    }

    @Test("A length of 0 or above that of any datagram ends the stream", arguments: [0, 1_233, 65_535])
    func violations(count: Int) throws {
        var frames = StreamFrames()
        let length = [UInt8(count >> 8), UInt8(count & 0xFF)]
        #expect(throws: StreamFrames.Violation(byteCount: count)) {
            try frames.take(ByteBuffer(bytes: [0, 1, 5] + length))
        }
    }

    @Test("Random bytes are read as frames or refused, and the rest stays small")
    func randomBytes() {
        var random = SystemRandomNumberGenerator()
        var (readCount, refusedCount) = (0, 0)
        for _ in 0..<300 {
            var frames = StreamFrames()
            // Small first bytes of lengths are frequent, so that frames are too.
            let bytes = (0..<Int.random(in: 0...4_000, using: &random)).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &random) ? 4 : 255), using: &random)
            }
            for start in stride(from: 0, to: bytes.count, by: 700) {
                let part = ByteBuffer(bytes: bytes[start..<min(start + 700, bytes.count)])
                guard let found = try? frames.take(part) else {
                    refusedCount += 1
                    break
                }
                readCount += found.count
                #expect(found.allSatisfy { (1...1_232).contains($0.readableBytes) })
                #expect(frames.pendingByteCount < 1_234)
            }
        }
        #expect(readCount > 0 && refusedCount > 0)
    }
}
