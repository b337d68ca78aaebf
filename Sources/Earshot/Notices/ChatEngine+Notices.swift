import ChatCrypto
import ChatHistory
package import Foundation

extension ChatEngine {
    /// What the policy of notices has to know of a message.
    ///
    /// Nil for the user's own, for one that has been looked at already, for lines of the system, for those of peers
    /// whom the user has blocked since, and for what was said in a group before this node came.
    package func noticeFacts(of message: Message) -> NoticeFacts? {
        guard !message.isOutgoing, trust.mayReceive(from: message.sender), message.systemLine == nil,
            !message.isDeleted, message.vouchedBy.isEmpty, let place = place(of: message)
        else { return nil }
        return NoticeFacts(
            message: message.id,
            conversation: message.conversation,
            kind: place.kind,
            senderName: message.senderName,
            groupTitle: place.groupTitle,
            text: message.poll?.poll.question ?? message.text,
            fileCount: message.files.count,
            fileKind: NoticeFileKind(of: message.files),
            receivedAt: message.receivedAt,
            mutedUntil: Date(mutedUntil: place.mutedUntil)
        )
    }

    /// What a notice goes by of the conversation a message came in; nil where everything has been looked at.
    private func place(of message: Message) -> (kind: NoticeKind, groupTitle: String?, mutedUntil: UInt64)? {
        switch message.conversation {
        case .direct(let peer):
            guard let record = conversations[peer]?.record, record.unread > 0 else { return nil }
            return (trust.state(of: peer) == .unknown ? .request : .direct, nil, record.mutedUntil)
        case .group(let group):
            guard let record = groups.states[group]?.record, record.unread > 0 else { return nil }
            let isMention = message.mentions.contains { $0.peer == ownID }
            return (isMention ? .mention : .group, view(of: group)?.title, record.mutedUntil)
        }
    }

    /// Notes until when the user wants no notices of a conversation.
    package mutating func mute(
        _ conversation: ConversationID,
        until: Date,
        in transaction: inout ChatTransaction
    ) throws -> Conversation {
        let muted: Conversation
        switch conversation {
        case .direct(let peer):
            guard var state = conversations[peer] else {
                throw ChatError(.notFound, "There is no conversation with this contact yet.")
            }
            state.record.mutedUntil = Timestamp(until).milliseconds
            conversations[peer] = state
            transaction.put(.conversations, peer.bytes, state.record)
            muted = try self.conversation(with: peer, state, in: transaction)
        case .group(let id):
            guard var state = groups.states[id], let group = view(of: id) else {
                throw ChatError(.notFound, "This group is not known here: 'group list' lists them.")
            }
            state.record.mutedUntil = Timestamp(until).milliseconds
            groups.states[id] = state
            transaction.put(.groups, id.bytes, state.record)
            muted = try self.conversation(of: group, in: transaction)
        }
        transaction.perform(.tell(.conversation(muted)))
        return muted
    }

    /// Until when nothing of a conversation is to be noticed, by what its record says; nil if that is over.
    func muteEnd(_ mutedUntil: UInt64, in transaction: ChatTransaction) -> Date? {
        Date(mutedUntil: mutedUntil).flatMap { $0 > transaction.time.date ? $0 : nil }
    }
}

extension NoticeFileKind {
    /// What all of a message's files are.
    init(of files: [MessageFile]) {
        let kinds = Set(
            files.map { file -> NoticeFileKind in
                switch file.media {
                case .image: .picture
                case .voice: .voice
                case nil: .file
                }
            }
        )
        self = kinds.count == 1 ? kinds.first ?? .file : .file
    }
}

extension Date {
    /// Until when the user wants no notices, as a record has it; nil if that was never said.
    ///
    /// Units: milliseconds since 1970.
    init?(mutedUntil milliseconds: UInt64) {
        guard milliseconds > 0 else { return nil }
        self = Timestamp(clamping: milliseconds).date
    }
}
