import ChatCrypto
import Earshot
import EarshotRPC
import EarshotWeb

/// The host of a node's page, which is served from the first request on.
///
/// It owns its server.
actor PageHost {
    private let node: ChatNode
    private let file: AddressFile
    private var starting: Task<WebServer, any Error>?
    private var isStopped = false

    init(_ node: ChatNode, in directory: HomeDirectory) {
        self.node = node
        file = AddressFile(in: directory)
    }

    /// Makes an address that opens the page once.
    ///
    /// - Throws: `unavailable` if the page cannot be served, for example because the port is taken.
    func open(_ call: PageCall) async throws(RPCError) -> PageCall.Reply {
        do {
            let server = try await server(port: call.port)
            guard let address = await server.newAddress() else { throw WebServerError.stopped }
            return PageCall.Reply(url: address)
        } catch {
            var refusal = RPCError(.unavailable, "\(error)")
            refusal.data?.code = PageCall.noPage
            throw refusal
        }
    }

    /// Opens the page at a message in the user's browser.
    ///
    /// - Throws: The reason why the page cannot be served, or the error of the disk or the system.
    func show(_ message: MessageID, in conversation: ConversationID) async throws {
        // The page takes the token first, then the place; neither leaves the fragment, which is sent to no server.
        try file.open("\(try await open(PageCall()).url)/c/\(conversation.hex)/m/\(message)")
    }

    /// Ends all sessions of the page, and invalidates the unused addresses.
    func endSessions() async {
        try? await starting?.value.endSessions()
    }

    /// Stops the page for good.
    func stop() async {
        isStopped = true
        try? await starting?.value.stop()
        file.remove()
    }

    private func server(port: UInt16?) async throws -> WebServer {
        guard !isStopped else { throw WebServerError.stopped }
        if let starting { return try await starting.value }
        let page = NodePage(node: node, onUse: { [file] in file.remove() })
        let server = WebServer(node: node, page: page)
        let task = Task {
            do {
                try await server.start(port: port ?? WebLimits.usualPort)
            } catch {
                guard port == nil else { throw error }
                try await server.start(port: 0)
            }
            return server
        }
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw error
        }
    }
}
