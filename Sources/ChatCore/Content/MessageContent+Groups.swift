import ChatCrypto

extension MessageContent {
    /// Encodes the content of a control message for a member of a group.
    ///
    /// It has no salt, so that small ones fit into the smallest envelope: the control messages differ by their
    /// content.
    static func control(_ note: ControlMessage, at time: ChatTime) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.groupNote = .bytes(note.encoded)
        return encoded(content)
    }

    /// Computes the id of a message to a group from its sender, the group and its content as sealed.
    static func id(of content: [UInt8], from sender: PeerID, to group: GroupID) -> MessageID {
        MessageID(sender: sender, chat: group.bytes, content: content)
    }

    /// Computes the id of an own message.
    static func id(of content: [UInt8], from sender: PeerID, to conversation: ConversationID) -> MessageID {
        switch conversation {
        case .direct(let peer): id(of: content, from: sender, to: peer)
        case .group(let group), .room(let group): id(of: content, from: sender, to: group)
        }
    }
}
