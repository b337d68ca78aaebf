import Foundation
import NIOCore
import NIOHTTP1

/// A handler that lets only correct requests become a WebSocket; all others are answered as requests.
///
/// SwiftNIO loses the head of a request whose upgrade is refused, so this handler removes the upgrade before SwiftNIO
/// sees it. Source: RFC 6455, section 4.2.1.
final class HandshakeCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let exchange: WebExchange

    init(_ exchange: WebExchange) { self.exchange = exchange }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.headers.contains(name: "upgrade"),
            !Self.isHandshake(head) || !exchange.opensSocket(head)
        else { return context.fireChannelRead(data) }
        head.headers.remove(name: "upgrade")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func isHandshake(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers
        let keys = headers["sec-websocket-key"]
        return head.version == .http1_1
            && headers["upgrade"].map { $0.lowercased() } == ["websocket"]
            && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
            && headers["sec-websocket-version"] == ["13"]
            && keys.count == 1 && keys.first.flatMap { Data(base64Encoded: $0) }?.count == 16
            && !headers.contains(name: "content-length") && !headers.contains(name: "transfer-encoding")
    }
}
