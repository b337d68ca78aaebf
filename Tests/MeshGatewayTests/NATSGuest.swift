import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

@testable import GatewayCore
@testable import MeshGateway

/// A guest of a hub that sends bytes of its own choice through TLS.
final class NATSGuest: Sendable {
    private let channel: any Channel
    private let listener: Listener

    private final class Listener: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let state = Mutex((text: "", isEnded: false))

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            state.withLock { $0.text += text }
        }

        func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isEnded = true } }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    /// Connects, waits for the greeting, and begins TLS.
    init(_ hub: HubURL, authorities: String) async throws {
        let tls = try await HubTLS.context(authorities: authorities)
        let listener = Listener()
        self.listener = listener
        channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .channelInitializer { $0.pipeline.addHandler(listener) }
            .connect(host: hub.host, port: Int(hub.port)).get()
        guard await hears("\r\n") else { throw ChannelError.eof }
        try await channel.eventLoop.submit { [channel] in
            let encryption = try HubTLS.handler(tls, for: hub)
            try channel.pipeline.syncOperations.addHandler(encryption, position: .first)
        }.get()
    }

    /// Sends bytes, and returns whether the answers contain a text before the connection ends.
    func say(_ bytes: [UInt8], until text: String) async throws -> Bool {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
        let isHeard = await hears(text)
        channel.close(promise: nil)
        return isHeard
    }

    private func hears(_ text: String) async -> Bool {
        while !listener.state.withLock({ $0.text.contains(text) }) {
            if listener.state.withLock({ $0.isEnded }) { return false }
            await Task.yield()
        }
        return true
    }
}
