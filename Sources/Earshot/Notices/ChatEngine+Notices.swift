package import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

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
            mutedUntil: place.mutedUntil > 0 ? Timestamp(clamping: place.mutedUntil).date : nil
        )
    }

    /// What a notice goes by of the conversation a message came in; nil where everything has been looked at.
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
