package import Earshot
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server of a node's metrics over HTTP for programs on the same machine.
///
/// It owns the listening socket, which is bound to 127.0.0.1 only. A connection serves one request.
package actor MetricsServer {
    private let metrics: @Sendable () async -> [Metric]
    private let port: UInt16
    private let connectionTime: TimeAmount
    /// The event loop of all connections; one loop counts them in the order of their arrival.
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private var listener: (any Channel)?

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: the TCP port; 0 for any.
    ///   - metrics: reads the present metrics.
    package init(port: UInt16, metrics: @escaping @Sendable () async -> [Metric]) {
        self.init(port: port, connectionTime: MetricsLimits.connectionTime, metrics: metrics)
    }

    init(port: UInt16, connectionTime: TimeAmount, metrics: @escaping @Sendable () async -> [Metric]) {
        self.port = port
        self.connectionTime = connectionTime
        self.metrics = metrics
    }

    /// Starts to listen.
    ///
    /// - Returns: the port.
    /// - Throws: `system` if the port is not available.
    @discardableResult
    package func start() async throws(RPCServerError) -> UInt16 {
        let connections = Slots(limit: MetricsLimits.connectionCount)
        let (metrics, connectionTime) = (metrics, connectionTime)
        do {
            let listener = try await ServerBootstrap(group: eventLoop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard connections.take() else { throw ChannelError.operationUnsupported }
                        channel.closeFuture.whenComplete { _ in connections.release() }
                        let timeLimit = channel.eventLoop.scheduleTask(in: connectionTime) {
                            channel.close(promise: nil)
                        }
                        channel.closeFuture.whenComplete { _ in timeLimit.cancel() }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(RequestLimit())
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(MetricsResponder(metrics: metrics))
                    }
                }
                .bind(host: "127.0.0.1", port: Int(port))
                .get()
            self.listener = listener
            return UInt16(clamping: listener.localAddress?.port ?? 0)
        } catch {
            throw RPCServerError(.system, "Metrics cannot be served on port \(port): \(error).")
        }
    }

    /// Stops listening.
    ///
    /// Open connections end by themselves.
    package func stop() async {
        try? await listener?.close()
        listener = nil
    }
}

/// A handler that closes a connection whose request is longer than allowed.
private final class RequestLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var left = MetricsLimits.requestByteCount

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        guard left >= 0 else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
