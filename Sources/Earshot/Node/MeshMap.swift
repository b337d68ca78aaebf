import Bytes
public import ChatCore
public import ChatCrypto
import Foundation
import MeshCore

/// One node's knowledge of the mesh: its links, the other nodes that it hears, and the distances of contacts.
public struct MeshMap: Hashable, Codable, Sendable {
    /// A link to another node.
    public struct Link: Hashable, Identifiable, Codable, Sendable {
        /// Shape: 16 hexadecimal digits; random, and another one every hour.
        public let node: String
        /// The other node's address and UDP port, or the number of the stream that leads to it.
        public let address: String
        /// The smoothed round-trip time; nil before it is known.
        public let roundTrip: Duration?
        /// The time since the link came up.
        public let uptime: Duration
        /// The contact at that node, if a path has shown it.
        public let peer: PeerID?
        /// The other node's id in the mesh at the moment.
        public var id: String { node }

        /// Makes a link from its parts.
        public init(
            node: String,
            address: String,
            roundTrip: Duration? = nil,
            uptime: Duration = .zero,
            peer: PeerID? = nil
        ) {
            self.node = node
            self.address = address
            self.roundTrip = roundTrip
            self.uptime = uptime
            self.peer = peer
        }
    }

    /// A node that is heard on one of this node's segments.
    public struct Neighbour: Hashable, Identifiable, Codable, Sendable {
        /// Shape: 16 hexadecimal digits; random, and another one every hour.
        public let node: String
        /// The other node's address and UDP port.
        public let address: String
        /// Whether there is a link to it, by this address or another.
        public let isLinked: Bool
        /// The contact at that node, if a path has shown it.
        public let peer: PeerID?
        /// The address and the node's id, because a node is heard at each of its addresses.
        public var id: String { "\(address) \(node)" }

        /// Makes a neighbour from its parts.
        public init(node: String, address: String, isLinked: Bool = false, peer: PeerID? = nil) {
            self.node = node
            self.address = address
            self.isLinked = isLinked
            self.peer = peer
        }
    }

    /// The node's own id in the mesh at the moment.
    public let node: String
    /// The links that are up, oldest first.
    public let links: [Link]
    /// The nodes heard, by interface.
    public let neighbours: [Neighbour]
    /// All peers that this node knows, with the distances that paths have shown.
    public let contacts: [Contact]

    /// Makes a map from its parts.
    public init(node: String, links: [Link] = [], neighbours: [Neighbour] = [], contacts: [Contact] = []) {
        self.node = node
        self.links = links
        self.neighbours = neighbours
        self.contacts = contacts
    }
}

extension MeshMap {
    /// Describes the mesh as a node's snapshot shows it.
    init(_ snapshot: MeshSnapshot, at now: MeshInstant, _ names: [NodeID: PeerID], _ contacts: [Contact]) {
        node = snapshot.nodeID.text
        links = snapshot.links.map { link in
            Link(
                node: link.node.text,
                address: link.endpoint.text,
                roundTrip: link.roundTrip,
                uptime: link.since.duration(to: now),
                peer: names[link.node]
            )
        }
        neighbours = snapshot.neighbours.map { neighbour in
            Neighbour(
                node: neighbour.node.text,
                address: neighbour.endpoint.text,
                isLinked: neighbour.isLinked,
                peer: names[neighbour.node]
            )
        }
        self.contacts = contacts
    }
}

extension NodeID {
    /// The id as people see it.
    var text: String { value.bigEndianBytes.hex }
}

extension Endpoint {
    /// Address and port as people write them, or the number of a stream.
    var text: String {
        if let stream = interface.streamNumber { return "stream \(stream)" }
        let family = address.family == .v4 ? AF_INET : AF_INET6
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, address.bytes, &buffer, socklen_t(buffer.count)) != nil else { return "?" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return address.family == .v4 ? "\(text):\(port)" : "[\(text)]:\(port)"
    }
}
