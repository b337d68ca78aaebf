import ChatCrypto

extension ChatEngine {
    /// Notes until when the user wants no notices of a conversation.
    package mutating func mute(
        _ conversation: ConversationID,
        until: Timestamp
    ) throws -> Conversation {
        let muted: Conversation
        switch conversation {
        case .direct(let peer):
            guard var state = conversations[peer] else {
                throw ChatError(.notFound, "There is no conversation with this contact yet.")
            }
            state.record.mutedUntil = until.milliseconds
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
            muted = try self.conversation(with: peer, state)
        case .group(let id), .room(let id):
            guard var state = groups.states[id], let group = view(of: id) else {
                throw ChatError(.notFound, "This group is not known here: 'group list' lists them.")
            }
            state.record.mutedUntil = until.milliseconds
            groups.states[id] = state
            step.put(.groups, id.bytes, state.record)
            muted = try self.conversation(of: group)
        }
        step.perform(.tell(.conversation(muted)))
        return muted
    }

    /// Until when nothing of a conversation is to be noticed, by what its record says; nil if that is over.
    func muteEnd(_ mutedUntil: UInt64) -> Timestamp? {
        mutedUntil > step.time.wall ? Timestamp(clamping: mutedUntil) : nil
    }
}
