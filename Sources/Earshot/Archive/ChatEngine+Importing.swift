import ChatCore
import ChatCrypto
import ChatHistory
import MeshCore
import SwiftProtobuf

extension ChatEngine {
    /// The positions for the imported messages of a conversation.
    func importPlaces(for conversation: ArchiveConversation) throws -> ImportPlaces {
        let row = conversation.id
        guard let newest = try step.placedPage(of: row, before: nil, limit: 1).first else {
            return ImportPlaces()
        }
        let lowest = try step.lowestSequence(row, upTo: newest.place)
        return ImportPlaces(
            next: lowest > conversation.messageCount ? lowest - conversation.messageCount : nil,
            lowest: lowest,
            newest: [UInt8](newest.record.id),
            newestTime: newest.record.receivedAt
        )
    }

    /// Takes messages that are not here; answers how many.
    mutating func importMessages(
        _ records: [ProtoMessageRecord],
        of conversation: ArchiveConversation,
        at places: inout ImportPlaces
    ) throws -> Int {
        var count = 0
        var latest: UInt64 = 0
        let row = conversation.id
        for record in records {
            guard try step.record(.messages, [UInt8](record.id)) == nil else {
                places.pass([UInt8](record.id))
                continue
            }
            let place = try places.take(record.receivedAt) ?? takePlaceAtEnd(of: conversation.id)
            step.put(.messages, [UInt8](record.id), conversation: row, sequence: place, record)
            latest = max(latest, record.receivedAt)
            count += 1
        }
        if count > 0 { keepImported(conversation, latest: latest) }
        return count
    }

    private mutating func takePlaceAtEnd(
        of conversation: ConversationID
    ) throws -> UInt64 {
        switch conversation {
        case .direct(let peer): try takePlaceAtEnd(of: peer)
        case .group(let group), .room(let group): try takePlaceAtEnd(of: group)
        }
    }

    /// Lets the conversation be listed.
    private mutating func keepImported(
        _ conversation: ArchiveConversation,
        latest: UInt64
    ) {
        let latest = min(latest, step.time.wall)
        switch conversation.id {
        case .direct(let peer):
            var state = conversations[peer] ?? newConversation(with: peer)
            state.record.changedAt = max(state.record.changedAt, latest)
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
        case .group(let group), .room(let group):
            var state = groups.states[group] ?? GroupState(group)
            if groups.table[group] == nil, state.welcome == nil {
                var imported = ProtoImportedGroup()
                imported.title = conversation.title.isEmpty ? "?" : conversation.title
                imported.members = conversation.members.map { .init($0.id.bytes + Array($0.name.utf8)) }
                state.record.imported = [imported]
            }
            state.record.changedAt = max(state.record.changedAt, latest)
            groups.states[group] = state
            step.put(.groups, group.bytes, state.record)
        }
    }

    // MARK: - Files

    /// Whether a file is one of an imported message, and not here.
    func importedFile(_ id: BlobID) throws -> ImportedFileWish {
        guard let record = try step.message(.messages, id.message.bytes, as: ProtoMessageRecord.self),
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body,
            text.files.indices.contains(id.index)
        else { return .refused }
        guard record.imported, blobs[id] == nil else { return .known }
        let byteCount = text.files[id.index].reference.byteCount
        guard blobs.hasRoom(for: [byteCount]) else { throw noRoom }
        return .wanted(byteCount: byteCount)
    }

    /// Keeps a file of an imported message, under the key that it was sealed with here.
    mutating func keepImported(_ object: SealedFile, as id: BlobID) throws {
        guard let record = try step.message(.messages, id.message.bytes, as: ProtoMessageRecord.self),
            let sender = PeerID(bytes: record.sender), let conversation = record.conversationID, blobs[id] == nil
        else { throw ChatError(.notFound, "The message was deleted while its file was imported.") }
        var entry = BlobTable.Entry(
            id: id,
            peer: sender,
            isOutgoing: record.outgoing,
            file: object.file,
            reference: object.reference.reference
        )
        entry.key = object.reference.key
        switch conversation {
        case .direct(let peer): entry.peer = peer
        case .group(let group), .room(let group): entry.group = group
        }
        guard blobs.takeRoom(for: [entry.reference.byteCount]) else { throw noRoom }
        blobs.set(entry)
        step.put(.blobs, id.name, entry.record)
    }
}
