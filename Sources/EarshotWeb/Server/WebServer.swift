package import Earshot
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A server of a node's page for browsers on the same machine.
///
/// It owns the listening socket, which is bound to 127.0.0.1 only, one task that accepts, and one child task for each
/// connection. A connection serves one request or one WebSocket. `stop()` closes the socket first, then ends the
/// connections, then removes the uploads.
package actor WebServer {
    /// The two kinds of connection.
    private enum Arrival: Sendable {
        case request(RequestChannel, WebExchange)
        case socket(SocketChannel, guest: SocketGuest?)
    }

    private typealias Listener = NIOAsyncChannel<EventLoopFuture<Arrival>, Never>

    private let context: WebContext
    private var listener: (any Channel)?
    private var accepting: Task<Void, Never>?

    /// Makes a server that does not listen yet.
    ///
    /// - Parameter now: the clock for the expiry of tokens and sessions.
    package init(
        node: ChatNode,
        page: any PageNode,
        times: WebTimes = WebTimes(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        context = WebContext(node: node, page: page, times: times, now: now)
    }

    /// Starts to listen.
    ///
    /// - Parameter port: the TCP port; 0 for any.
    /// - Returns: the port.
    /// - Throws: `WebServerError` if the port is not available.
    @discardableResult
    package func start(port: UInt16) async throws(WebServerError) -> UInt16 {
        let context = context
        do {
            // All connections share one event loop, so that they are counted in the order of their arrival.
            let listener: Listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: Int(port)) { channel in
                    channel.eventLoop.makeCompletedFuture { try Self.receive(channel, context) }
                }
            self.listener = listener.channel
            accepting = Task { await Self.accept(on: listener, context) }
            return UInt16(clamping: listener.channel.localAddress?.port ?? 0)
        } catch {
            throw WebServerError("The page cannot be served on port \(port): \(error).")
        }
    }

    /// Makes an address of the page, with a token that opens it once; nil if the page is not served.
    package func newAddress() -> String? {
        guard let port = listener?.localAddress?.port else { return nil }
        return "http://127.0.0.1:\(port)/#\(context.sessions.makeToken())"
    }

    /// Ends all sessions and invalidates the unused addresses.
    package nonisolated func endSessions() { context.sessions.endAll() }

    /// Ends all connections and stops listening.
    package func stop() async {
        guard let accepting, let listener else { return }
        self.accepting = nil
        self.listener = nil
        try? await listener.close()
        await accepting.value
        await context.uploads.removeAll()
    }

    private static func accept(on listener: Listener, _ context: WebContext) async {
        try? await listener.executeThenClose { arrivals in
            await withDiscardingTaskGroup { group in
                // Only the end of the listener ends this loop. A cancellation would lose accepted clients.
                var iterator = arrivals.makeAsyncIterator()
                while let arrival = try? await iterator.next() {
                    group.addTask { await serve(arrival, context) }
                }
                group.cancelAll()
                context.connections.close()
            }
        }
    }

    private static func serve(_ arrival: EventLoopFuture<Arrival>, _ context: WebContext) async {
        switch try? await arrival.get() {
        case .request(let channel, let exchange): await exchange.serve(channel)
        case .socket(let channel, let guest): await SocketTalk(context: context, guest: guest).serve(channel)
        case nil: break
        }
    }

    /// Assembles the handlers of a new connection.
    private static func receive(_ channel: any Channel, _ context: WebContext) throws -> EventLoopFuture<Arrival> {
        let exchange = WebExchange(
            context: context,
            number: context.connections.add(channel),
            port: channel.localAddress?.port ?? 0,
            expectation: Expectation()
        )
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let (validator, broken) = (NIOHTTPResponseHeadersValidator(), BrokenRequest())
        let handshake = HandshakeCheck(exchange)
        let upgrade = NIOTypedHTTPServerUpgradeHandler<Arrival>(
            httpEncoder: encoder,
            extraHTTPHandlers: [decoder, validator, broken, handshake],
            upgradeConfiguration: .init(
                upgraders: [upgrader(exchange)],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ResponseParts())
                        return .request(try RequestChannel(wrappingChannelSynchronously: channel), exchange)
                    }
                }
            )
        )
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([ConnectionClock(context.times, exchange.expectation), encoder, decoder])
        try pipeline.addHandlers([validator, broken, handshake, upgrade])
        return upgrade.upgradeResultFuture
    }

    private static func upgrader(_ exchange: WebExchange) -> NIOTypedWebSocketServerUpgrader<Arrival> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: WebLimits.messageByteCount,
            enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, _ in
                channel.eventLoop.makeSucceededFuture(HTTPHeaders(WebResponse.fixedHeaders))
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1,
                        maxAccumulatedFrameCount: WebLimits.fragmentCount,
                        maxAccumulatedFrameSize: WebLimits.messageByteCount
                    )
                    try channel.pipeline.syncOperations.addHandlers([FrameCheck(), aggregator])
                    let socket = try SocketChannel(wrappingChannelSynchronously: channel)
                    return .socket(socket, guest: exchange.guest(of: head))
                }
            }
        )
    }
}
