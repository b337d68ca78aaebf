public import ChatCore
public import ChatCrypto
import MeshCore
import MeshTransport

extension ChatNode {
    /// Asks a peer to answer, wherever in the mesh it is, and measures how far away it is.
    ///
    /// Only a peer that talks to this node's user answers; it does so without asking its own.
    ///
    /// - Parameters:
    ///   - peer: Whom.
    ///   - isLive: Whether question and answer travel like speech: sent once on every link, and lost where it loses
    ///     them. Many of these tell whether a live conversation would do.
    /// - Returns: Its distance in links and in time.
    /// - Throws: `noAnswer` after five seconds, of a live one after one; `noSession`, `refusedByTrust`, `notFound`, `limited`, `meshUnavailable`
    ///   before `start()`, or what the store refuses.
    public func ping(_ peer: PeerID, isLive: Bool = false) async throws(ChatError) -> PingAnswer {
        guard isStarted else { throw ChatError(.meshUnavailable, "This node has not joined the mesh; start it first.") }
        return try await account.ping(peer, isLive: isLive)
    }

    /// What this node knows of the mesh at this moment.
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
