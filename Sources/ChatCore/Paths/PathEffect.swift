import ChatCrypto
import MeshCore

/// An effect of the paths, which the engine carries out.
enum PathEffect: Sendable {
    /// Seal a hello with this secret for a peer, and flood it under an own label.
    case hello(to: PeerID, PathLabel, SecretBytes)
    /// Send a payload along a path.
    case send(PathMessage)
    /// Link to a node, if it is heard here.
    case link(NodeID)
    /// Note that something came from a peer.
    case heard(PeerID)
    /// Send what waited for a peer's answer to a hello.
    case answered(PeerID)
    /// Look for a better path to a peer, if something large comes from them.
    case retired(PeerID)
    /// End a ping with its answer, or with none.
    case endPing(UInt64, PingAnswer?)
    /// Take a typing indicator.
    case typing(Bool, inGroup: UInt64?, from: PeerID)
    /// Take a part of a streaming reply.
    case streamingReply(StreamingReplyPart, from: PeerID)
    /// Tell the transfers of large objects.
    case transfer(TransferNews)
}
