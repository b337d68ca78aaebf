package import Earshot
import Foundation
import NIOCore
import NIOPosix

/// Serves a node on a Unix socket.
///
/// Owns the listening socket, one task that accepts, and one child task for each client. `stop()` closes the socket
/// first, so that every client accepted is served or told, then ends the clients, then removes the socket's file.
package actor RPCSocketServer {
    private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    /// Nil stands for a client of another user, already closed.
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
    ///   - openPage: Serves the node's page; nil where nothing does.
    ///   - endPage: Ends the sessions of the page; nil where there is none.
    ///   - onShutdown: Is called when a client has asked the node to end.
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

    /// Listens; the socket of a dead process is replaced, that of a live one never.
    package func start() async throws(RPCServerError) {
        switch try path.occupant() {
        case .nothing, .stale: break
        case .live:
            throw RPCServerError(
                .alreadyServed,
                "Another process answers at \(path.text); stop it, or use another home."
            )
        case .other:
            throw RPCServerError(.notASocket, "\(path.text) is no socket; move it away.")
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

    /// Binds under another name, narrows the mode, and only then takes the name that clients look for: nobody ever finds
    /// a socket with a wider mode, and a stale one is replaced in one step.
    private func listen() async throws(RPCServerError) -> Listener {
        let newText = path.text.hasSuffix(".sock") ? String(path.text.dropLast(4)) + "new" : path.text + "~"
        let newPath = try SocketPath(newText)
        unlink(newPath.text)
        do {
            // One event loop for listener and clients: accepting a client has no step in between, at which a closing
            // listener would leave it to nobody.
            let listener: Listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(unixDomainSocketPath: newPath.text) { channel in
                    channel.eventLoop.makeCompletedFuture { try Self.admit(channel) }
                }
            guard chmod(newPath.text, 0o600) == 0, rename(newPath.text, path.text) == 0 else {
                let reason = String(cString: strerror(errno))
                unlink(newPath.text)
                try? await listener.executeThenClose { _ in }
                throw RPCServerError(.system, "\(path.text) cannot be made: \(reason).")
            }
            return listener
        } catch let error as RPCServerError {
            throw error
        } catch {
            throw RPCServerError(.system, "\(path.text) cannot be made: \(error).")
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
        let places = Places(limit: RPCLimits.clientCount)
        try? await listener.executeThenClose { clients in
            await withDiscardingTaskGroup { group in
                // The listener's own end is the only way out: cancelling instead would drop clients on the floor.
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
        in places: Places,
        _ session: @Sendable (any LineSink) -> RPCSession
    ) async {
        try? await client.executeThenClose { inbound, outbound in
            let sink = ChannelSink(outbound: outbound)
            guard places.take() else {
                let error = RPCError(.limited, "\(RPCLimits.clientCount) clients are connected; close one.")
                try await sink.write(RPCDispatcher.line(error))
                return
            }
            defer { places.giveBack() }
            await session(sink).serve(inbound.map { Array($0.readableBytesView) })
        }
    }
}

/// The way to a client; waits while the client does not read.
private struct ChannelSink: LineSink {
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    func write(_ line: [UInt8]) async throws {
        var buffer = ByteBuffer(bytes: line)
        buffer.writeInteger(UInt8(ascii: "\n"))
        try await outbound.write(buffer)
    }
}
