import ChatCrypto
import Earshot

/// Asks a peer to answer and measures how far away it is.
package struct PingCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "ping"
    /// The names of its parameters.
    package static let parameters = ["peer"]

    /// The answer, given once the peer has answered; after five seconds the call fails as `noAnswer`.
    package struct Reply: Codable, Hashable, Sendable {
        /// The id of the peer that answered.
        package let peer: String
        /// Links between here and there.
        package let hops: Int
        /// The time there and back.
        ///
        /// Units: seconds, to the microsecond.
        package let rtt: Double
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let peer: String

    /// Makes the call.
    package init(peer: String) {
        self.peer = peer
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            let peer = try await node.peer(named: peer)
            let answer = try await node.ping(peer)
            return Reply(peer: peer.description, hops: answer.hops, rtt: RPCCoding.seconds(answer.roundTrip))
        } catch {
            throw RPCError(error)
        }
    }
}
