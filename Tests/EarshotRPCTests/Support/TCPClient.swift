import NIOCore
import NIOPosix

/// A program that connects by TCP, sends something and reads until the other side closes.
struct TCPClient: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func connect(host: String = "127.0.0.1", port: UInt16) async throws -> TCPClient {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: Int(port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return TCPClient(channel: channel)
    }

    static func exchange(_ text: String, host: String = "127.0.0.1", port: UInt16) async throws -> String {
        try await connect(host: host, port: port).exchange(text)
    }

    func exchange(_ text: String) async throws -> String {
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var answer = ByteBuffer()
            for try await part in inbound { answer.writeImmutableBuffer(part) }
            return String(buffer: answer)
        }
    }
}
