import NIOCore
import NIOPosix
import NIOSOCKS
import Synchronization

/// A SOCKS5 proxy on loopback, which notes the destinations that it is asked for.
final class ProxyServer: Sendable {
    private let asked = Mutex<[SOCKSAddress]>([])
    private let channel: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }
    /// The destinations that clients asked for.
    var destinations: [SOCKSAddress] { asked.withLock { $0 } }

    /// - Parameter refusal: The reply to all clients; nil for a proxy that connects them.
    init(refusal: SOCKSServerReply? = nil) async throws {
        let notes = Notes()
        channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handshake = SOCKSServerHandshakeHandler()
                    try channel.pipeline.syncOperations.addHandlers(handshake, Gate(handshake, refusal, notes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        notes.owner.withLock { $0 = self }
    }

    func end() async { try? await channel.close() }

    fileprivate func note(_ destination: SOCKSAddress) { asked.withLock { $0.append(destination) } }
}

private final class Notes: Sendable {
    let owner = Mutex<ProxyServer?>(nil)
}

/// The proxy's end of one connection until the destination is reached.
private final class Gate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ClientMessage
    typealias OutboundOut = ServerMessage

    private let handshake: SOCKSServerHandshakeHandler
    private let refusal: SOCKSServerReply?
    private let notes: Notes

    init(_ handshake: SOCKSServerHandshakeHandler, _ refusal: SOCKSServerReply?, _ notes: Notes) {
        (self.handshake, self.refusal, self.notes) = (handshake, refusal, notes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .greeting: reply(.selectedAuthenticationMethod(.init(method: .noneRequired)), context)
        case .request(let request):
            notes.owner.withLock { $0 }?.note(request.addressType)
            if let refusal { answer(refusal, request, context) } else { connect(request, context) }
        case .authenticationData: context.close(promise: nil)
        }
    }

    private func reply(_ message: ServerMessage, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(message), promise: nil)
    }

    private func answer(_ reply: SOCKSServerReply, _ request: SOCKSRequest, _ context: ChannelHandlerContext) {
        self.reply(.response(SOCKSResponse(reply: reply, boundAddress: request.addressType)), context)
        // At the end the handshake hands on bytes, which are no messages for this handler.
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func connect(_ request: SOCKSRequest, _ context: ChannelHandlerContext) {
        let bootstrap = ClientBootstrap(group: context.eventLoop)
        let opening =
            switch request.addressType {
            case .domain(let name, let port): bootstrap.connect(host: name, port: port)
            case .address(let address): bootstrap.connect(to: address)
            }
        opening.assumeIsolated().whenComplete { result in
            guard let other = try? result.get() else { return self.answer(.refused, request, context) }
            let pipeline = context.channel.pipeline.syncOperations
            try? other.pipeline.syncOperations.addHandler(Pipe(to: context.channel))
            try? pipeline.addHandler(Pipe(to: other))
            // From here on the handshake reads bytes, which are no messages for this handler.
            pipeline.removeHandler(self, promise: nil)
            let reply = SOCKSResponse(reply: .succeeded, boundAddress: request.addressType)
            pipeline.writeAndFlush(NIOAny(ServerMessage.response(reply)), promise: nil)
            pipeline.removeHandler(self.handshake, promise: nil)
        }
    }
}

/// Hands all bytes of one connection on to another.
private final class Pipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
}
