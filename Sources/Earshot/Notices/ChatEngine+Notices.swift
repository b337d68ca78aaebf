import ChatCrypto
import ChatHistory
package import Foundation

extension ChatEngine {
    /// What the policy of notices has to know of a message.
    ///
    /// Nil for the user's own, for one that has been looked at already, for lines of the system, and for those of peers
    /// whom the user has blocked since.
    package func noticeFacts(of message: Message) -> NoticeFacts? {
        guard case .direct(let peer) = message.conversation, !message.isOutgoing, trust.mayReceive(from: peer),
            message.systemLine == nil, !message.isDeleted, let state = conversations[peer], state.record.unread > 0
        else { return nil }
        return NoticeFacts(
            conversation: message.conversation,
            kind: trust.state(of: peer) == .unknown ? .request : .direct,
            senderName: message.senderName,
            text: message.poll?.poll.question ?? message.text,
            fileCount: message.files.count,
            fileKind: NoticeFileKind(of: message.files),
            receivedAt: message.receivedAt,
            mutedUntil: state.mutedUntil
        )
    }

    /// Notes until when the user wants no notices of a conversation.
    package mutating func mute(
        _ conversation: ConversationID,
        until: Date,
        in transaction: inout ChatTransaction
    ) throws -> Conversation {
        guard case .direct(let peer) = conversation, var state = conversations[peer] else {
            throw ChatError(.notFound, "There is no conversation with this contact yet.")
        }
        state.mutedUntil = until
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        let muted = try self.conversation(with: peer, state, in: transaction)
        transaction.perform(.tell(.conversation(muted)))
        return muted
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

extension ChatEngine.ConversationState {
    /// The last moment that can be written with four digits for the year.
    private static let farthest: TimeInterval = 253_402_300_799

    /// Until when the user wants no notices; nil if that was never said.
    var mutedUntil: Date? {
        get {
            guard record.mutedUntil > 0 else { return nil }
            return Date(timeIntervalSince1970: min(Double(record.mutedUntil) / 1_000, Self.farthest))
        }
        set {
            let seconds = min(max(newValue?.timeIntervalSince1970 ?? 0, 0), Self.farthest)
            record.mutedUntil = UInt64(seconds * 1_000)
        }
    }
}
