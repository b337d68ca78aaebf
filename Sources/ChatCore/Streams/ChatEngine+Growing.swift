package import ChatCrypto
import MeshCore

/// An answer that is being made travels along paths alone until it is whole: never stored, never acknowledged.
extension ChatEngine {
    /// Shows how far the answer to a message has come; where there is no path to who asked yet, one is looked for.
    ///
    /// In a group those of the other members see it too to whom there is a path already, of all at most
    /// ``ContentLimits/growingViewerCount``.
    package mutating func show(
        _ text: String,
        growingAnswerTo question: MessageID,
        to conversation: ConversationID
    ) throws {
        let viewers = try viewers(of: question, in: conversation)
        guard let part = GrowingPart(of: question, upTo: text) else { return }
        for peer in viewers {
            if let path = paths.path(to: peer) {
                send(.growing(part), on: path.own, isLive: true)
            } else if paths.takeHello(to: peer, now: step.time.monotonic) {
                // What is shown next goes by it.
                try? sayHello(to: peer)
            }
        }
    }

    /// Who is shown an answer while it is made, who asked in front.
    private func viewers(
        of question: MessageID,
        in conversation: ConversationID
    ) throws -> [PeerID] {
        switch conversation {
        case .direct(let peer):
            try checkTrust(in: peer)
            return [peer].filter(isInReachOfLive)
        case .group(let group), .room(let group):
            guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
            guard let asked = try message(question), asked.conversation == conversation,
                !asked.isOutgoing
            else { throw ChatError(.notFound, "Nobody has asked that in this group.") }
            let members = session.recipients.map(\.identity.id).filter(isInReachOfLive)
            let others = members.filter { $0 != asked.sender && paths.path(to: $0) != nil }
            return Array((members.filter { $0 == asked.sender } + others).prefix(ContentLimits.growingViewerCount))
        }
    }

    /// Tells how far the answer of somebody has come, to a message of a conversation that both are in.
    mutating func receiveGrowing(_ part: GrowingPart, from peer: PeerID) {
        guard isInReachOfLive(peer), let question = try? message(part.question),
            mayAnswer(question, peer), let text = growing.take(part, from: peer)
        else { return }
        step.perform(.tell(.growing(question.conversation, by: peer, answering: question.id, text: text)))
    }

    /// Whether somebody may be seen making an answer to a message: who got it, and is where it stands.
    private func mayAnswer(_ question: Message, _ peer: PeerID) -> Bool {
        switch question.conversation {
        case .direct(let other): question.isOutgoing && other == peer
        case .group(let group), .room(let group):
            question.sender != peer && groups.membership(group)?.log.member(peer) != nil
        }
    }
}
