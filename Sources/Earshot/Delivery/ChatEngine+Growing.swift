package import ChatCrypto
import MeshCore

/// An answer that is being made travels along paths alone until it is whole: never stored, never acknowledged.
extension ChatEngine {
    /// Shows a peer how far the answer to its message has come; where there is no path yet, one is looked for.
    package mutating func show(
        _ text: String,
        growingAnswerTo question: MessageID,
        to peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws {
        try checkTrust(in: peer)
        guard isAccepted(peer), let part = GrowingPart(of: question, upTo: text) else { return }
        if let path = paths.path(to: peer) {
            send(.growing(part), on: path.own, isLive: true, in: &transaction)
        } else if paths.takeHello(to: peer, now: transaction.time.monotonic) {
            // What is shown next goes by it.
            try? sayHello(to: peer, in: &transaction)
        }
    }

    /// Tells how far a contact's answer to a message of this node's user has come.
    mutating func receiveGrowing(_ part: GrowingPart, from peer: PeerID, in transaction: inout ChatTransaction) {
        guard isAccepted(peer), let question = try? message(part.question, in: transaction), question.isOutgoing,
            question.conversation == .direct(peer), let text = growing.take(part, from: peer)
        else { return }
        transaction.perform(.tell(.growing(question.conversation, by: peer, answering: question.id, text: text)))
    }
}
