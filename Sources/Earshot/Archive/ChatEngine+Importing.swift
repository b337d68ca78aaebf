import ChatCore
import ChatCrypto
import ChatHistory
import SwiftProtobuf

extension ChatEngine {
    /// Returns the positions for the imported messages of a conversation.
    func importPositions(for conversation: ArchiveConversation) throws -> ImportPositions {
        let row = conversation.id
        guard let newest = try step.positionedPage(of: row, before: nil, limit: 1).first else {
            return ImportPositions()
        }
        let lowest = try step.lowestPosition(of: row, upTo: newest.place)
        return ImportPositions(
            next: lowest > conversation.messageCount ? lowest - conversation.messageCount : nil,
            lowest: lowest,
            newest: [UInt8](newest.record.id),
            newestTime: newest.record.receivedAt
        )
    }

    /// Adds the messages that are not here; returns their number.
    mutating func importMessages(
        _ records: [ProtoMessageRecord],
        of conversation: ArchiveConversation,
        at places: inout ImportPositions
    ) throws -> Int {
        var count = 0
        var latest: UInt64 = 0
        let row = conversation.id
        for record in records {
            guard try step.record(.messages, [UInt8](record.id)) == nil else {
                places.pass([UInt8](record.id))
                continue
            }
            let place = try places.take(record.receivedAt) ?? takePosition(in: conversation.id)
            step.put(.messages, [UInt8](record.id), conversation: row, sequence: place, record)
            latest = max(latest, record.receivedAt)
            count += 1
        }
        if count > 0 { keepImported(conversation, latest: latest) }
        return count
    }

    /// Lists the conversation, and keeps the title and the members of an imported group.
    private mutating func keepImported(
        _ conversation: ArchiveConversation,
        latest: UInt64
    ) {
        conversations.list(conversation.id, at: min(latest, step.time.wall))
        guard let group = conversation.id.group else { return }
        var imported = ProtoImportedGroup()
        imported.title = conversation.title.isEmpty ? "?" : conversation.title
        imported.members = conversation.members.map { .init($0.id.bytes + Array($0.name.utf8)) }
        keepGroup(group, imported)
    }

    // MARK: - Files

    /// Returns whether a file of an imported message is wanted.
    func importedFile(_ id: BlobID) throws -> ImportedFileDecision {
        guard let record = try step.message(.messages, id.message.bytes, as: ProtoMessageRecord.self),
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body,
            text.files.indices.contains(id.index)
        else { return .refused }
        guard record.imported, attachments.blobs[id] == nil else { return .known }
        let byteCount = text.files[id.index].reference.byteCount
        guard attachments.blobs.hasCapacity(for: [byteCount]) else { throw attachments.blobs.noRoom }
        return .wanted(byteCount: byteCount)
    }

    /// Stores a file of an imported message, under the key with which this node sealed it.
    mutating func keepImported(_ blob: SealedFile, as id: BlobID) throws {
        guard let record = try step.message(.messages, id.message.bytes, as: ProtoMessageRecord.self),
            let sender = PeerID(bytes: record.sender), let conversation = record.conversationID,
            attachments.blobs[id] == nil
        else { throw ChatError(.notFound, "The message was deleted while its file was imported.") }
        let byteCount = blob.reference.reference.byteCount
        guard attachments.blobs.reserveSpace(for: [byteCount]) else { throw attachments.blobs.noRoom }
        attachments.keep(
            blob,
            as: id,
            in: conversation,
            from: sender,
            isOutgoing: record.outgoing,
            isImported: true
        )
        try settleAttachments()
    }
}
