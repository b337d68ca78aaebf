import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

extension ChatEngine {
    /// Returns the beginning of an export of one conversation, or of all.
    ///
    /// - Parameter owner: The owner of the history.
    func exportFrame(
        _ chosen: ConversationID?,
        of owner: PeerID
    ) throws -> ExportFrame {
        var conversations = try conversationList()
        // Messages of unknown peers are not exported before the user accepts them.
        conversations.removeAll { $0.isRequest || $0.id != chosen ?? $0.id }
        guard chosen == nil || !conversations.isEmpty else {
            throw ChatError(.notFound, "There is no such conversation.")
        }
        let peers = Set(conversations.flatMap(\.members))
        let contacts = trust.all.filter { known in
            known.state != .unknown && (chosen == nil || peers.contains(known.identity.id))
        }
        return ExportFrame(
            id: owner,
            name: nickname,
            contacts: contacts.map(ArchiveLine.Contact.init),
            conversations: try conversations.map { try exported($0) }
        )
    }

    /// Returns the position at which a page ends and the next older page begins; nil if there is no older page.
    func exportEnd(
        of conversation: ConversationID,
        before place: UInt64?
    ) throws -> UInt64? {
        let row = conversation
        let page = try step.positionedPage(of: row, before: place, limit: ArchiveLimits.pageCount)
        return page.count == ArchiveLimits.pageCount ? page.last?.place : nil
    }

    /// Returns a page of a conversation for an export.
    func exportPage(
        of conversation: ConversationID,
        before place: UInt64?
    ) throws -> ExportPage {
        let row = conversation
        let records = try step.positionedPage(of: row, before: place, limit: ArchiveLimits.pageCount)
        var page = ExportPage()
        for (_, record) in records.reversed() {
            guard let message = try message(from: record) else { continue }
            if MessageContent.decode([UInt8](record.content))?.context.seconds ?? 0 > 0 {
                page.disappearingCount += 1
                continue
            }
            let files = message.files.indices.compactMap { index -> (index: Int, file: SealedFile)? in
                guard let found = try? attachments.blobs.file(index, of: message.id, in: step) else { return nil }
                return (index, SealedFile(file: found.file, reference: found.reference))
            }
            page.messages.append(ExportMessage(message: message, record: record.archived(), files: files))
        }
        return page
    }

    /// Returns a conversation for an export.
    private func exported(
        _ conversation: Conversation
    ) throws -> ExportFrame.Conversation {
        var members = conversation.members.map {
            ArchiveLine.Member(id: $0.description, name: name(of: $0, in: conversation.id))
        }
        var kind = "direct"
        if let group = conversation.id.group {
            kind = "group"
            // Former members wrote some of the messages.
            let others = Set(formerMembers(of: group)).subtracting(conversation.members)
            members += others.sorted().map {
                ArchiveLine.Member(id: $0.description, name: name(of: $0, in: conversation.id))
            }
        }
        let line = ArchiveLine.Conversation(
            id: conversation.id.hex,
            kind: kind,
            title: conversation.title,
            members: members,
            messages: try step.messageCount(of: conversation.id)
        )
        return ExportFrame.Conversation(id: conversation.id, line: line)
    }
}

extension ArchiveLine.Contact {
    fileprivate init(_ known: KnownPeer) {
        id = known.identity.id.description
        name = known.nickname?.text ?? ""
        localName = known.petname?.text
        trust = known.state.rawValue
        fingerprint = known.identity.fingerprint().description
        signingKey = Data(known.identity.signingKey)
        agreementKey = Data(known.identity.agreementKey)
    }
}
