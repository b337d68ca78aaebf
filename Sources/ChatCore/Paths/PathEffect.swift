import ChatCrypto
import MeshCore

/// An effect of the paths, which the engine carries out.
enum PathEffect: Sendable {
    /// Seals a hello with this secret for a peer, and floods it.
    case hello(to: PeerID, SecretBytes)
    /// Sends a payload along a path.
    case send(PathMessage)
    /// Links to a node, if it is discovered here.
    case link(NodeID)
    /// Notes that a packet came from a peer.
    case discovered(PeerID)
    /// Sends the contents that waited for a peer's answer to a hello.
    case answered(PeerID)
    /// Searches for a better path to a peer, if a large transfer comes from them.
    case retired(PeerID)
    /// Ends a ping with its answer, or with nil.
    case endPing(UInt64, PingAnswer?)
    /// Handles a typing indicator.
    case typing(Bool, inGroup: UInt64?, from: PeerID)
    /// Handles a part of a streaming reply.
    case streamingReply(StreamingReplyPart, from: PeerID)
    /// Notifies the transfers of large attachments.
    case transfer(TransferEvent)
}
