import ChatCore
import ChatCrypto
import Foundation
import SwiftProtobuf

extension ProtoMessageRecord {
    /// Returns the record as an export contains it.
    func archived() -> [UInt8] {
        (try? serializedBytes()) ?? []
    }

    /// Rebuilds a record of an export from its parts; each part is checked like one that comes from a peer.
    ///
    /// - Parameter owner: The owner of the history.
    init(archived data: Data, of owner: PeerID) throws(ArchiveFault) {
        guard data.count <= ArchiveLimits.recordByteCount, let read = try? ProtoMessageRecord(serializedBytes: data),
            let id = MessageID(bytes: read.id), let sender = PeerID(bytes: read.sender),
            let conversation = read.conversationID, read.isWritten(by: sender, of: owner),
            read.status <= UInt32(DeliveryStatus.read.rank), read.receivedAt <= ChatLimits.maximumOrder,
            read.gone == 0 || read.gone == DeletionReason.deleted.rawValue
        else { throw .malformed }
        self.init()
        self.id = .init(id.bytes)
        self.sender = .init(sender.bytes)
        self.conversation = .init(conversation.bytes)
        receivedAt = read.receivedAt
        outgoing = read.outgoing
        // This node does not send an imported message.
        let status = DeliveryStatus(rank: Int(read.status), failure: read.failure)
        if case .failed(let failure) = status { self.failure = failure.rawValue }
        self.status = UInt32(status.rank)
        imported = true
        gone = read.gone
        guard gone == 0 else {
            content = Data(MessageContent.tombstone(of: [UInt8](read.content)))
            return
        }
        try takeContent(of: read, id, sender, conversation, owner)
        changes = MessageChanges(read.changes).record
        takeGroupPart(of: read)
    }

    /// Whether the direction fits the sender.
    ///
    /// A line of a group log is always incoming, also for the owner's own actions.
    private func isWritten(by sender: PeerID, of owner: PeerID) -> Bool {
        content.first == 0 ? !outgoing : outgoing == (sender == owner)
    }

    private mutating func takeContent(
        of read: ProtoMessageRecord,
        _ id: MessageID,
        _ sender: PeerID,
        _ conversation: ConversationID,
        _ owner: PeerID
    ) throws(ArchiveFault) {
        let bytes = [UInt8](read.content)
        if bytes.first == 0 {
            guard conversation.group != nil,
                let line = try? ProtoLineRecord(serializedBytes: Array(bytes.dropFirst())),
                line.text.utf8.count <= ArchiveLimits.nameByteCount, let again = try? line.serializedBytes() as [UInt8]
            else { throw .malformed }
            content = .init([0] + again)
            return
        }
        guard let decoded = MessageContent.decode(bytes), decoded.body.isKept else { throw .malformed }
        guard decoded.context.seconds == 0 else { throw .disappearing }
        let name =
            switch conversation {
            case .group(let group), .room(let group): MessageID(sender: sender, chat: group.bytes, content: bytes)
            case .direct(let peer):
                MessageID(sender: sender, chat: (outgoing ? peer : owner).bytes, content: bytes)
            }
        // In a direct conversation, incoming messages are from the peer.
        if case .direct(let peer) = conversation, !outgoing, peer != sender { throw .malformed }
        guard name == id else { throw .wrongID }
        content = read.content
        guard case .text(let text) = decoded.body, let long = text.longText else { return }
        guard UInt64(read.longText.utf8.count) == long.reference.byteCount,
            read.longText.utf8.count <= ChatLimits.longTextByteCount
        else { throw .malformed }
        longText = read.longText
    }

    /// Takes the recipient statuses of an outgoing message, or the attesters of an attested one with the changes that
    /// they report.
    private mutating func takeGroupPart(of read: ProtoMessageRecord) {
        guard conversation.count == GroupID.byteCount, !read.groupPart.isEmpty else { return }
        if outgoing {
            receptions = read.receptions.prefix(ContentLimits.memberCount).compactMap { recipientStatus in
                guard let member = PeerID(bytes: recipientStatus.member) else { return nil }
                var checked = ProtoReceptionRecord()
                checked.member = .init(member.bytes)
                checked.status = UInt32(DeliveryStatus(rank: Int(clamping: recipientStatus.status), failure: "").rank)
                return checked
            }
        } else if read.isAttested {
            attesters = Array(read.attesters.prefix(ContentLimits.memberCount))
            attestedChanges = read.attestedChanges
        }
    }
}

extension MessageContent.Body {
    /// Whether a history contains such a body.
    fileprivate var isKept: Bool {
        switch self {
        case .text, .poll, .timer: true
        case .receipt, .change, .groupNote, .statement, .unknown: false
        }
    }
}
