import NIOCore
import NIOWebSocket

/// A violation of the WebSocket protocol by a client.
struct SocketViolation: Error {
    /// The close code for the client.
    let code: WebSocketErrorCode

    init(_ code: WebSocketErrorCode) { self.code = code }

    /// Makes the violation that an error of the lower layers stands for.
    init(_ error: any Error) {
        switch error {
        case let violation as SocketViolation: self = violation
        case NIOWebSocketError.invalidFrameLength,
            NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            self.init(.messageTooLarge)
        default: self.init(.protocolError)
        }
    }
}

/// A handler that refuses frames that no browser sends: frames without a mask, and frames with undefined bits or kinds.
///
/// It sends no frame after the one that closes the socket.
///
/// Source: RFC 6455, sections 5.1, 5.2 and 5.5.1.
final class FrameCheck: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let opcodes: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]
    private var isBroken = false
    private var isClosed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        let frame = unwrapInboundIn(data)
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3, Self.opcodes.contains(frame.opcode) else {
            isBroken = true
            return context.fireErrorCaught(SocketViolation(.protocolError))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosed else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        isClosed = unwrapOutboundIn(data).opcode == .connectionClose
        context.write(data, promise: promise)
    }
}
