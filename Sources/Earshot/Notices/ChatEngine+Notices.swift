package import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

extension ChatEngine {
    /// Returns the facts of a message for the policy of notices.
    ///
    /// Nil for own and deleted messages, for system lines, for messages of peers that the user has blocked since, for
    /// messages that were written in a group before this node joined, and in conversations without unread messages.
    package func noticeFacts(of message: Message) -> NoticeFacts? {
        guard !message.isOutgoing, trust.mayReceive(from: message.sender), message.systemLine == nil,
            !message.isDeleted, message.attestedBy.isEmpty, let place = place(of: message)
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
            mutedUntil: place.mutedUntil > 0 ? Timestamp(clamping: place.mutedUntil).date : nil
        )
    }

    /// Returns the kind, the group title and the mute end of a message's conversation; nil if nothing in it is unread.
    private func place(of message: Message) -> (kind: NoticeKind, groupTitle: String?, mutedUntil: UInt64)? {
        guard let record = conversations[message.conversation], record.unread > 0 else { return nil }
        switch message.conversation {
        case .direct(let peer):
            return (trust.state(of: peer) == .unknown ? .request : .direct, nil, record.mutedUntil)
        case .group(let group), .room(let group):
            let isMention = message.mentions.contains { $0.peer == ownID }
            return (isMention ? .mention : .group, view(of: group)?.title, record.mutedUntil)
        }
    }
}

extension NoticeFileKind {
    /// Takes the kind of all of a message's files; `file` for different kinds.
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
