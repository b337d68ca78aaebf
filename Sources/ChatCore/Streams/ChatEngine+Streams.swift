package import ChatCrypto
import MeshCore

/// Typing indicators and streaming replies, which are sent along paths only: never stored, never acknowledged.
extension ChatEngine {
    // MARK: - Sending

    /// Sends a typing indicator to a peer or to the contacts in a group, if the user has chosen that.
    package mutating func sendTyping(_ isTyping: Bool, to conversation: ConversationID) throws {
        let recipients = try audience(of: conversation)
        let now = step.time.monotonic
        guard sendsTyping, !recipients.isEmpty, typing.sends(isTyping, to: conversation, at: now) else { return }
        var hellos = 0
        for peer in recipients {
            if !paths.sendLive(PathContent(isTyping, in: conversation), to: peer), isTyping,
                hellos < ChatLimits.offerCount, paths.sayHello(to: peer, at: now)
            {
                hellos += 1
                typing.wait(for: peer, in: conversation, at: now)
            }
            carryOutPaths()
        }
    }

    /// Sends the typing indicators that have waited for a path.
    mutating func sendWaitingTyping(to peer: PeerID) {
        for conversation in typing.takeWaiting(for: peer, at: step.time.monotonic) {
            guard paths.sendLive(PathContent(true, in: conversation), to: peer) else { return }
            carryOutPaths()
        }
    }

    /// Sends the present part of a streaming reply, and searches for a path to the peer that asked.
    ///
    /// In a group, other members with a path to this node see it too, at most ``ContentLimits/streamingReplyViewerCount``.
    package mutating func show(
        _ text: String,
        growingAnswerTo question: MessageID,
        to conversation: ConversationID
    ) throws {
        let viewers = try viewers(of: question, in: conversation)
        guard let part = StreamingReplyPart(of: question, upTo: text) else { return }
        for peer in viewers {
            // The next part is sent by the path that is searched for now.
            if !paths.sendLive(.streamingReply(part), to: peer) {
                paths.sayHello(to: peer, at: step.time.monotonic)
            }
            carryOutPaths()
        }
    }

    /// Returns the peers that see a streaming reply, the one who asked first.
    private func viewers(of question: MessageID, in conversation: ConversationID) throws -> [PeerID] {
        let peers = try audience(of: conversation)
        if case .direct = conversation { return peers }
        guard let asked = try message(question), asked.conversation == conversation, !asked.isOutgoing else {
            throw ChatError(.notFound, "This group has no such question.")
        }
        let others = peers.filter { $0 != asked.sender && paths.hasPath(to: $0) }
        return Array((peers.filter { $0 == asked.sender } + others).prefix(ContentLimits.streamingReplyViewerCount))
    }

    /// Returns the other peers of a conversation that may exchange live contents with this node.
    private func audience(of conversation: ConversationID) throws -> [PeerID] {
        switch conversation {
        case .direct(let peer):
            try checkTrust(in: peer)
            return [peer].filter(isInReachOfLive)
        case .group(let group), .room(let group):
            guard let session = groups.membership(group) else { throw groups.notMember(group) }
            return session.recipients.map(\.identity.id).filter(isInReachOfLive)
        }
    }

    /// Whether this node exchanges live contents with a peer: a contact, or any member of this engine's room.
    private func isInReachOfLive(_ peer: PeerID) -> Bool { room != nil || isAccepted(peer) }

    // MARK: - Receiving

    /// Handles the typing indicator of a contact, or of a member of this engine's room.
    ///
    /// - Parameter digits: The first bytes of the group's id; nil for a direct conversation.
    mutating func receiveTyping(_ isTyping: Bool, inGroup digits: UInt64?, from peer: PeerID) {
        guard isInReachOfLive(peer) else { return }
        var conversation = ConversationID.direct(peer)
        if let digits {
            let group = groups.table.groupIDs.sorted().first { group in
                PathContent.digits(of: group) == digits && groups.membership(group)?.log.member(peer) != nil
            }
            guard let group else { return }
            conversation = conversationID(of: group)
        }
        guard typing.receives(isTyping, from: peer, in: conversation, at: step.time.monotonic) else { return }
        step.perform(.notify(.typing(conversation, by: peer, isTyping: isTyping)))
    }

    /// Reports the typing indicators that are over, because the peer has sent no other one.
    mutating func endTyping() {
        for (conversation, peer) in typing.expire(at: step.time.monotonic) {
            step.perform(.notify(.typing(conversation, by: peer, isTyping: false)))
        }
    }

    /// Handles a part of a peer's streaming reply to a message of a common conversation.
    mutating func receive(_ part: StreamingReplyPart, from peer: PeerID) {
        guard isInReachOfLive(peer), let question = try? message(part.question),
            mayAnswer(question, peer), let text = replies.take(part, from: peer)
        else { return }
        step.perform(.notify(.streamingReply(question.conversation, by: peer, answering: question.id, text: text)))
    }

    /// Whether a peer may stream a reply to a message: it received the message and is in its conversation.
    private func mayAnswer(_ question: Message, _ peer: PeerID) -> Bool {
        switch question.conversation {
        case .direct(let other): question.isOutgoing && other == peer
        case .group(let group), .room(let group):
            question.sender != peer && groups.membership(group)?.log.member(peer) != nil
        }
    }
}
