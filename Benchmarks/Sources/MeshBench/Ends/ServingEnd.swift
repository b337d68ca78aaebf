import Earshot
import MeshTransport

/// An end that serves the measuring one: a receiver, or a relay between.
protocol ServingEnd: Sendable {
    /// Opens the sockets and joins the mesh.
    func start() async throws

    /// Handles everything that arrives until the node stops.
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

    init(_ place: ChatPlace) async throws {
        node = try await place.makeNode(ChatPlace.name("relay-"), isRelay: true)
    }

    func start() async throws { try await node.start() }

    /// Does nothing: a relay's node runs by itself.
    func serve() async {}

    func stop() async { await node.stop() }
}
