import Earshot
import EarshotRPC

/// A node on the mesh that serves its home's socket, until it is told to stop.
struct RunningNode: Sendable {
    let node: ChatNode
    let stopSignal: StopSignal
    /// The page of the node, which is served from the first request on.
    let page: PageHost
    private let server: RPCSocketServer
    private let erasure: Task<Void, Never>

    /// Serves the socket and joins the mesh; on failure everything is closed again.
    init(_ node: ChatNode, in directory: HomeDirectory) async throws {
        self.node = node
        let stopSignal = StopSignal()
        self.stopSignal = stopSignal
        let page = PageHost(node, in: directory)
        self.page = page
        let events = try node.events()
        erasure = Task { await RoomErasure.watch(events) }
        do {
            server = RPCSocketServer(
                node: node,
                path: try SocketPath(directory.socketPath),
                openPage: { call throws(RPCError) in try await page.open(call) },
                endPage: { await page.endSessions() },
                onShutdown: { stopSignal.fire() }
            )
            try await server.start()
        } catch {
            erasure.cancel()
            await node.stop()
            throw error
        }
        do {
            try await node.start()
        } catch {
            await stop()
            throw error
        }
    }

    /// Ends the clients, leaves the mesh and releases the home.
    func stop() async {
        erasure.cancel()
        await page.stop()
        await server.stop()
        await node.stop()
    }
}
