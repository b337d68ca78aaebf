import Earshot
import NIOCore
import NIOHTTP1

/// The handler that answers the one request of a connection.
///
/// The host that a request names must be this machine. Otherwise a web page could read the metrics through its own host
/// name after a change of its address to 127.0.0.1 (DNS rebinding).
final class MetricsResponder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let metrics: @Sendable () async -> [Metric]
    private var hasAnswered = false

    init(metrics: @escaping @Sendable () async -> [Metric]) {
        self.metrics = metrics
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !hasAnswered else { return }
        hasAnswered = true
        let channel = context.channel
        if let refusal = MetricsAnswer(refusing: head) { return refusal.write(to: channel) }
        Task { [metrics] in
            let text = PrometheusText.encode(await metrics())
            MetricsAnswer(.ok, text).write(to: channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// The answer to a request; the connection ends after it.
private struct MetricsAnswer: Sendable {
    private let status: HTTPResponseStatus
    private let text: String

    init(_ status: HTTPResponseStatus, _ text: String) {
        self.status = status
        self.text = text
    }

    /// Makes the answer to a refused request; nil for a request that gets the metrics.
    init?(refusing head: HTTPRequestHead) {
        if !Self.isHere(head.headers["host"]) {
            self.init(.misdirectedRequest, "Ask 127.0.0.1.\n")
        } else if head.uri != "/metrics" {
            self.init(.notFound, "There is only /metrics.\n")
        } else if head.method != .GET {
            self.init(.methodNotAllowed, "There is only GET.\n")
        } else {
            return nil
        }
    }

    func write(to channel: any Channel) {
        let body = ByteBuffer(string: text)
        let headers: HTTPHeaders = [
            "content-type": PrometheusText.mediaType, "content-length": "\(body.readableBytes)", "connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func isHere(_ hosts: [String]) -> Bool {
        guard hosts.count == 1, let host = hosts.first else { return false }
        let name = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first
        return name == "127.0.0.1" || name == "localhost"
    }
}
