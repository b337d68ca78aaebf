import ChatCrypto
package import Earshot

package struct MapCall: RPCMethod {
    package static let name = "map"
    package static let summary = "Returns the node's knowledge of the mesh."
    package static let example = MapCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> MapReply { MapReply(try await node.map()) }
}

package struct PingCall: RPCMethod {
    package static let name = "ping"
    package static let summary =
        "Asks a peer to answer, and measures the distance; fails as `noAnswer` after five seconds."
    package static let parameters: RPCParameters = [
        "peer": Meaning.peer,
        "live": "Whether to travel like speech, once on every link, and wait one second; false by default.",
    ]
    package static let waitsForPeer = true
    package static let example = PingCall(peer: "Bob", live: true)

    /// The distance of a peer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The ID of the peer that answered.
        package let peer: String
        /// The number of links on the path to the peer.
        package let hops: Int
        /// The round-trip time.
        ///
        /// Units: seconds, to the microsecond.
        package let rtt: Double
    }

    let peer: String
    let live: Bool?

    package init(peer: String, live: Bool? = nil) { (self.peer, self.live) = (peer, live) }

    package func perform(on node: ChatNode) async throws -> Reply {
        let peer = try await node.contacts.id(named: peer)
        let answer = try await node.contacts.ping(peer, isLive: live ?? false)
        return Reply(peer: peer.description, hops: answer.hops, rtt: answer.roundTrip.fractionalSeconds)
    }
}

/// A node's view of the mesh on the wire.
package struct MapReply: Codable, Hashable, Sendable {
    /// A link.
    package struct Link: Codable, Hashable, Sendable {
        /// The other node's present name, which changes every hour.
        package let node: String
        /// The address and port of the other node.
        package let address: String
        /// The smoothed round-trip time; absent until it is known.
        ///
        /// Units: seconds, to the microsecond.
        package let rtt: Double?
        /// The age of the link.
        ///
        /// Units: seconds, to the microsecond.
        package let uptime: Double
        /// The ID of the contact on the other node; absent if unknown.
        package let peer: String?
    }

    /// A discovered node.
    package struct Neighbour: Codable, Hashable, Sendable {
        /// The node's present name, which changes every hour.
        package let node: String
        /// The address and port of the node.
        package let address: String
        /// Whether this node has a link to it.
        package let linked: Bool
        /// The ID of the contact on the node; absent if unknown.
        package let peer: String?
    }

    /// This node's present name, which changes every hour.
    package let node: String
    /// The links that are up, oldest first.
    package let links: [Link]
    /// The neighbours, by interface.
    package let neighbours: [Neighbour]
    /// The known peers, with the distance of those for which it is known.
    package let contacts: [ContactReply]

    package init(_ map: MeshMap) {
        node = map.node
        links = map.links.map { link in
            Link(
                node: link.node,
                address: link.address,
                rtt: link.roundTrip.map(\.fractionalSeconds),
                uptime: link.uptime.fractionalSeconds,
                peer: link.peer?.description
            )
        }
        neighbours = map.neighbours.map { neighbour in
            Neighbour(
                node: neighbour.node,
                address: neighbour.address,
                linked: neighbour.isLinked,
                peer: neighbour.peer?.description
            )
        }
        contacts = map.contacts.map(ContactReply.init)
    }
}
