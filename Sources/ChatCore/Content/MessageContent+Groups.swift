import ChatCrypto

extension MessageContent {
    /// The encoded content of a note for a member of a group.
    ///
    /// Without salt, so that a sender key fits the smallest envelope: each note is told from the others by what it says.
    static func note(_ note: GroupNote, at time: ChatTime) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.groupNote = .bytes(note.encoded)
        return encoded(content)
    }

    /// The name of a message to a group: its sender, the group and its content as sealed.
    static func id(of content: [UInt8], from sender: PeerID, to group: GroupID) -> MessageID {
        MessageID(sender: sender, chat: group.bytes, content: content)
    }

    /// The name of an own message.
    static func id(of content: [UInt8], from sender: PeerID, to conversation: ConversationID) -> MessageID {
        switch conversation {
        case .direct(let peer): id(of: content, from: sender, to: peer)
        case .group(let group), .room(let group): id(of: content, from: sender, to: group)
        }
    }
}
