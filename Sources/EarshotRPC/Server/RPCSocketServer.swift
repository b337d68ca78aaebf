package import Earshot
import Foundation
import NIOCore
import NIOPosix

/// A server of a node on a Unix socket.
///
/// It owns the listening socket, one task that accepts, and one child task for each client. `stop()` closes the socket
/// first, so that every accepted client is served or notified. Then it ends the clients and removes the socket's file.
package actor RPCSocketServer {
    private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    /// The accepted clients.
    ///
    /// Nil stands for a client of another user, which is closed already.
    private typealias Listener = NIOAsyncChannel<Client?, Never>

    private let node: ChatNode
    private let path: SocketPath
    private let openPage: PageOpening?
    private let endPage: PageEnding?
    private let onShutdown: @Sendable () -> Void
    private var listener: (any Channel)?
    private var accepting: Task<Void, Never>?

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - openPage: serves the node's page; nil without a page.
    ///   - endPage: ends the sessions of the page; nil without a page.
    ///   - onShutdown: runs when a client has asked the node to end.
    package init(
        node: ChatNode,
        path: SocketPath,
        openPage: PageOpening? = nil,
        endPage: PageEnding? = nil,
        onShutdown: @escaping @Sendable () -> Void
    ) {
        self.node = node
        self.path = path
        self.openPage = openPage
        self.endPage = endPage
        self.onShutdown = onShutdown
    }

    /// Starts to listen; the socket of a dead process is replaced, that of a live process never.
    package func start() async throws(RPCServerError) {
        switch try path.occupant() {
        case .nothing, .stale: break
        case .live:
            throw RPCServerError(
                .alreadyServed,
                "Another process answers at \(path.text). Stop it, or use another data directory."
            )
        case .other:
            throw RPCServerError(.notASocket, "\(path.text) is not a socket. Move it away.")
        }
        let listener = try await listen()
        self.listener = listener.channel
        accepting = Task { [node, openPage, endPage, onShutdown] in
            await Self.accept(on: listener) { sink in
                RPCSession(node: node, sink: sink, openPage: openPage, endPage: endPage, onShutdown: onShutdown)
            }
        }
    }

    /// Ends all clients and stops listening.
    package func stop() async {
        guard let accepting, let listener else { return }
        self.accepting = nil
        self.listener = nil
        unlink(path.text)
        try? await listener.close()
        await accepting.value
    }

    /// Binds under another name, restricts the mode, and only then takes the name that clients use.
    ///
    /// No client ever finds a socket with a wider mode, and a stale socket is replaced in one step.
    private func listen() async throws(RPCServerError) -> Listener {
        let newText = path.text.hasSuffix(".sock") ? String(path.text.dropLast(4)) + "new" : path.text + "~"
        let newPath = try SocketPath(newText)
        unlink(newPath.text)
        do {
            // Listener and clients share one event loop: accepting a client has no intermediate step in which a closing
            // listener could lose it.
            let listener: Listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(unixDomainSocketPath: newPath.text) { channel in
                    channel.eventLoop.makeCompletedFuture { try Self.admit(channel) }
                }
            guard chmod(newPath.text, 0o600) == 0, rename(newPath.text, path.text) == 0 else {
                let reason = String(cString: strerror(errno))
                unlink(newPath.text)
                try? await listener.executeThenClose { _ in }
                throw RPCServerError(.system, "\(path.text) cannot be created: \(reason).")
            }
            return listener
        } catch let error as RPCServerError {
            throw error
        } catch {
            throw RPCServerError(.system, "\(path.text) cannot be created: \(error).")
        }
    }

    private static func admit(_ channel: any Channel) throws -> Client? {
        let isOwn = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self,
            SocketPeer.isOwnUser
        )
        guard isOwn == true else {
            channel.close(promise: nil)
            return nil
        }
        return try Client(wrappingChannelSynchronously: channel)
    }

    private static func accept(
        on listener: Listener,
        session: @escaping @Sendable (any LineSink) -> RPCSession
    ) async {
        let places = Slots(limit: RPCLimits.clientCount)
        try? await listener.executeThenClose { clients in
            await withDiscardingTaskGroup { group in
                // Only the end of the listener ends this loop. A cancellation would lose accepted clients.
                var iterator = clients.makeAsyncIterator()
                while let client = try? await iterator.next() {
                    guard let client else { continue }
                    group.addTask { await serve(client, in: places, session) }
                }
                group.cancelAll()
            }
        }
    }

    private static func serve(
        _ client: Client,
        in places: Slots,
        _ session: @Sendable (any LineSink) -> RPCSession
    ) async {
        try? await client.executeThenClose { inbound, outbound in
            let sink = ChannelSink(outbound: outbound)
            guard places.take() else {
                let error = RPCError(.limited, "\(RPCLimits.clientCount) clients are connected. Close one.")
                try await sink.write(RPCDispatcher.line(error))
                return
            }
            defer { places.release() }
            await session(sink).serve(inbound.map { Array($0.readableBytesView) })
        }
    }
}

/// The outgoing direction of a client; a write waits while the client does not read.
private struct ChannelSink: LineSink {
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    func write(_ line: [UInt8]) async throws {
        var buffer = ByteBuffer(bytes: line)
        buffer.writeInteger(UInt8(ascii: "\n"))
        try await outbound.write(buffer)
    }
}
