import ChatCrypto
package import Earshot

/// What the node knows of the mesh.
package struct MapCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "map"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> MapReply {
        MapReply(await node.map())
    }
}

/// A node's view of the mesh on the wire.
package struct MapReply: Codable, Hashable, Sendable {
    /// A link.
    package struct Link: Codable, Hashable, Sendable {
        /// The other node's name of the hour.
        package let node: String
        /// Its address and port.
        package let address: String
        /// The smoothed time there and back, once it is known.
        ///
        /// Units: seconds, to the microsecond.
        package let rtt: Double?
        /// Units: seconds, to the microsecond.
        package let uptime: Double
        /// The id of the contact there, where it is known.
        package let peer: String?
    }

    /// A node heard.
    package struct Neighbour: Codable, Hashable, Sendable {
        /// The node's name of the hour.
        package let node: String
        /// Its address and port.
        package let address: String
        /// Whether there is a link to it.
        package let linked: Bool
        /// The id of the contact there, where it is known.
        package let peer: String?
    }

    /// The own node's name of the hour.
    package let node: String
    /// The links that are up, oldest first.
    package let links: [Link]
    /// Who is heard, by interface.
    package let neighbours: [Neighbour]
    /// Who is known, with the distance where it is.
    package let contacts: [ContactReply]

    /// Puts a map into words of the wire.
    package init(_ map: MeshMap) {
        node = map.node
        links = map.links.map { link in
            Link(
                node: link.node,
                address: link.address,
                rtt: link.roundTrip.map(RPCCoding.seconds),
                uptime: RPCCoding.seconds(link.uptime),
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
