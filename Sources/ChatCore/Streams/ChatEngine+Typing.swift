import ChatCrypto
import MeshCore

/// That somebody types travels along paths alone: never stored, never acknowledged, and never to strangers.
extension ChatEngine {
    /// Tells a peer, or the contacts in a group, that somebody types here, or has stopped, if this node's user chose to.
    package mutating func sendTyping(
        _ isTyping: Bool,
        to conversation: ConversationID
    ) throws {
        var recipients: [PeerID]
        switch conversation {
        case .direct(let peer):
            try checkTrust(in: peer)
            recipients = [peer]
        case .group(let group), .room(let group):
            guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
            recipients = session.recipients.map(\.identity.id)
        }
        let now = step.time.monotonic
        recipients = recipients.filter(isInReachOfLive)
        guard sendsTyping, !recipients.isEmpty, typing.sends(isTyping, to: conversation, at: now) else { return }
        var hellos = 0
        for peer in recipients {
            if let path = paths.path(to: peer) {
                send(PathContent(isTyping, in: conversation), on: path.own, isLive: true)
            } else if isTyping, hellos < ChatLimits.offerCount, paths.takeHello(to: peer, now: now) {
                hellos += 1
                typing.wait(isTyping, for: peer, in: conversation, at: now)
                // Without a session there is nobody yet who would want to know.
                try? sayHello(to: peer)
            }
        }
    }

    /// Sends the signs that have waited for a path.
    mutating func sendWaitingTyping(to peer: PeerID) {
        for (conversation, isTyping) in typing.takeWaiting(for: peer, at: step.time.monotonic) {
            guard let path = paths.path(to: peer) else { return }
            send(PathContent(isTyping, in: conversation), on: path.own, isLive: true)
        }
    }

    /// Whether what is only shown at once goes to and fro between this node and somebody: contacts alone; in a room, where
    /// nobody is one, everybody who is in it.
    func isInReachOfLive(_ peer: PeerID) -> Bool { room != nil || isAccepted(peer) }

    /// Tells that a contact types, if that is news.
    ///
    /// - Parameter digits: What the sign says of the group that it is for; nil for none.
    mutating func receiveTyping(
        _ isTyping: Bool,
        inGroup digits: UInt64? = nil,
        from peer: PeerID
    ) {
        guard isInReachOfLive(peer) else { return }
        var conversation = ConversationID.direct(peer)
        if let digits {
            let group = groups.table.groupIDs.sorted().first { group in
                PathContent.digits(of: group) == digits && groups.membership(group)?.log.member(peer) != nil
            }
            guard let group else { return }
            conversation = conversationID(of: group)
        }
        guard typing.hears(isTyping, from: peer, in: conversation, at: step.time.monotonic) else { return }
        step.perform(.tell(.typing(conversation, by: peer, isTyping: isTyping)))
    }
}

extension PathContent {
    /// That somebody types in a conversation.
    fileprivate init(_ isTyping: Bool, in conversation: ConversationID) {
        switch conversation {
        case .direct: self = .typing(isTyping)
        case .group(let group), .room(let group): self = .groupTyping(Self.digits(of: group), isTyping)
        }
    }

    /// The first 7 bytes of a group's id: enough to tell the groups of two people apart.
    fileprivate static func digits(of group: GroupID) -> UInt64 {
        group.bytes.prefix(7).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
