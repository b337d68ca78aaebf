import NIOCore
import NIOPosix

/// A program that connects by TCP and sends arbitrary bytes.
actor RawConnection {
    private let channel: any Channel
    private let chunks: AsyncStream<[UInt8]>
    /// The received bytes that no caller has read yet.
    private var received: [UInt8] = []

    init(port: UInt16, host: String = "127.0.0.1") async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        chunks = stream
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(continuation))
                }
            }
            .connect(host: host, port: Int(port)).get()
    }

    func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Stops reading from the connection.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    /// Resumes reading from the connection.
    func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Returns the value that `take` makes of the received bytes, as soon as it makes one; nil if the connection ends
    /// before.
    func read<Value: Sendable>(_ take: (inout [UInt8]) -> Value?) async -> Value? {
        if let value = take(&received) { return value }
        for await chunk in chunks {
            received += chunk
            if let value = take(&received) { return value }
        }
        return nil
    }

    /// Reads everything until the connection ends.
    func readToEnd() async -> [UInt8] {
        _ = await read { _ in nil as Int? }
        return received
    }

    func close() async { try? await channel.close() }
}

private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(_ continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
