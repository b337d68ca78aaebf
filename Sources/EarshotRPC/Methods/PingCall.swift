import ChatCrypto
import Earshot

/// Asks a peer to answer and measures how far away it is.
package struct PingCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "ping"
    /// Others' requests need not wait for a peer.
    package static let waitsForPeer = true
    /// The names of its parameters.
    package static let parameters = ["peer", "live"]

    /// The answer, given once the peer has answered; after five seconds, or one, the call fails as `noAnswer`.
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

    /// Whether it travels like speech, sent once on every link, and then waits one second; no if left out.
    package let live: Bool?

    /// Makes the call.
    package init(peer: String, live: Bool? = nil) {
        self.peer = peer
        self.live = live
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            let peer = try await node.peer(named: peer)
            let answer = try await node.ping(peer, isLive: live ?? false)
            return Reply(peer: peer.description, hops: answer.hops, rtt: RPCCoding.seconds(answer.roundTrip))
        } catch {
            throw RPCError(error)
        }
    }
}
