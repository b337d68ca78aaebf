import Earshot
import MeshTransport

/// An end that does what the measuring one asks for: a receiver, or a relay between.
protocol ServingEnd: Sendable {
    /// Opens the sockets and joins the mesh.
    func start() async throws

    /// Takes what comes until the node is stopped.
    func serve() async

    /// Leaves the mesh.
    func stop() async
}

/// A relay of a bare mesh.
struct MeshRelay: ServingEnd {
    private let node: MeshNode

    init(_ place: MeshPlace) throws {
        node = try place.makeNode(isRelay: true)
    }

    func start() async throws { try await node.start() }

    func serve() async {
        while await node.nextBatch() != nil {}
    }

    func stop() async { await node.stop() }
}

/// A relay of chat: a node with an identity that it never uses.
struct ChatRelay: ServingEnd {
    private let node: ChatNode

    init(_ place: ChatPlace) throws {
        node = try place.makeNode(ChatPlace.name("relay-"), isRelay: true)
    }

    func start() async throws { try await node.start() }

    /// A relay's node runs without anybody looking after it.
    func serve() async {}

    func stop() async { await node.stop() }
}
