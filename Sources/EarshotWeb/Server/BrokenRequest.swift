import NIOCore
import NIOHTTP1

/// A handler that answers bytes that are not HTTP, and closes the connection.
final class BrokenRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var hasHead = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasHead = true
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // In the middle of a body, the request's own answer may be in progress.
        guard !hasHead, error is HTTPParserError else { return context.fireErrorCaught(error) }
        hasHead = true
        let head = WebResponse(.badRequest).head
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}

/// A handler that turns answers that can cross threads into those that SwiftNIO writes.
final class ResponseParts: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPPart<HTTPResponseHead, ByteBuffer>
    typealias OutboundOut = HTTPServerResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part: HTTPServerResponsePart =
            switch unwrapOutboundIn(data) {
            case .head(let head): .head(head)
            case .body(let bytes): .body(.byteBuffer(bytes))
            case .end(let trailers): .end(trailers)
            }
        context.write(wrapOutboundOut(part), promise: promise)
    }
}
