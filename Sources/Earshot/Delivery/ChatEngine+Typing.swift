package import ChatCrypto
import MeshCore

/// That somebody types travels along paths alone: never stored, never acknowledged, and never to strangers.
extension ChatEngine {
    /// Tells a peer that somebody types here, or has stopped, if this node's user chose to tell.
    package mutating func sendTyping(
        _ isTyping: Bool,
        to peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws {
        try checkTrust(in: peer)
        let now = transaction.time.monotonic
        guard sendsTyping, isAccepted(peer), typing.sends(isTyping, to: peer, at: now) else { return }
        if let path = paths.path(to: peer) {
            send(.typing(isTyping), on: path.own, isLive: true, in: &transaction)
        } else if isTyping, paths.takeHello(to: peer, now: now) {
            typing.wait(isTyping, for: peer, at: now)
            // Without a session there is nobody yet who would want to know.
            try? sayHello(to: peer, in: &transaction)
        }
    }

    /// Sends the sign that has waited for a path.
    mutating func sendWaitingTyping(to peer: PeerID, in transaction: inout ChatTransaction) {
        guard let isTyping = typing.takeWaiting(for: peer, at: transaction.time.monotonic),
            let path = paths.path(to: peer)
        else { return }
        send(.typing(isTyping), on: path.own, isLive: true, in: &transaction)
    }

    /// Tells that a peer types, if that is news.
    mutating func receiveTyping(_ isTyping: Bool, from peer: PeerID, in transaction: inout ChatTransaction) {
        guard typing.hears(isTyping, from: peer, at: transaction.time.monotonic) else { return }
        transaction.perform(.tell(.typing(.direct(peer), by: peer, isTyping: isTyping)))
    }
}
