public import ChatCore
public import ChatCrypto
import MeshCore
import MeshTransport

extension ChatNode {
    /// Pings a peer, wherever in the mesh it is, and measures its distance.
    ///
    /// Only a peer that talks to this node's user answers; its node answers without asking its own user.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - isLive: Whether the ping and its answer travel like speech: each is sent once on every link, and is lost if
    ///     a link loses it. Many live pings show whether a live conversation would work.
    /// - Returns: Its distance in links and in time.
    /// - Throws: `noAnswer` after five seconds, or one second for a live ping; `noSession`, `refusedByTrust`,
    ///   `notFound`, `limited`, `meshUnavailable` before `start()`, or the store's error.
    public func ping(_ peer: PeerID, isLive: Bool = false) async throws(ChatError) -> PingAnswer {
        guard isStarted else { throw ChatError(.meshUnavailable, "This node has not joined the mesh. Start it first.") }
        return try await account.ping(peer, isLive: isLive)
    }

    /// Returns what this node knows of the mesh at this moment.
    public func map() async -> MeshMap {
        let snapshot = await mesh.snapshot()
        let now = await mesh.now
        let contacts = await contacts()
        let names = await account.peersByNode
        return MeshMap(
            node: snapshot.nodeID.text,
            links: snapshot.links.map { link in
                MeshMap.Link(
                    node: link.node.text,
                    address: link.endpoint.text,
                    roundTrip: link.roundTrip,
                    uptime: link.since.duration(to: now),
                    peer: names[link.node]
                )
            },
            neighbours: snapshot.neighbours.map { neighbour in
                MeshMap.Neighbour(
                    node: neighbour.node.text,
                    address: neighbour.endpoint.text,
                    isLinked: neighbour.isLinked,
                    peer: names[neighbour.node]
                )
            },
            contacts: contacts
        )
    }
}
