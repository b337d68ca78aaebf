package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// Small objects travel in pieces that the mesh keeps for whoever is away; what is missing of them is asked of the
/// mesh's own store whenever it may have come before it was expected. Large ones are fetched along paths.
/// Source: PROTOCOL §5.4.
extension ChatEngine {
    // MARK: - Sending

    /// Keeps the objects of an own message, which are in the folder already.
    mutating func keepFiles(
        _ files: [(Int, SealedFile)],
        of message: MessageID,
        to conversation: ConversationID
    ) {
        for (index, file) in files {
            var entry = BlobTable.Entry(
                id: BlobID(message: message, index: index),
                peer: ownID,
                isOutgoing: true,
                file: file.file,
                reference: file.reference.reference
            )
            switch conversation {
            case .direct(let peer): entry.peer = peer
            case .group(let group), .room(let group): entry.group = group
            }
            blobs.set(entry)
            step.put(.blobs, entry.id.name, entry.record)
        }
    }

    /// Spreads the small objects of an own message.
    mutating func spreadFiles(of message: MessageID) {
        let entries = blobs.entries(of: message).filter(\.isOutgoing)
        for entry in entries where entry.reference.isSmall {
            step.perform(.spread(BlobSource(file: entry.file, reference: entry.reference)))
        }
        guard !entries.isEmpty else { return }
        outbox.markSpread(message, at: step.time.wall)
        groups.posts.markFilesSpread(message, at: step.time.wall)
    }

    /// Forgets the file of an own long text, which the message itself holds, when nobody needs it any more.
    mutating func forgetLongText(of message: MessageID) {
        guard let entry = blobs[BlobID(message: message, index: BlobID.longTextIndex)] else { return }
        blobs.remove(entry.id)
        step.delete(.blobs, entry.id.name)
        step.deleteBlob(entry.file)
        step.perform(.transfer(.drop(entry.id, file: entry.file)))
    }

    /// Spreads once more what the mesh has forgotten of messages that nobody has confirmed.
    mutating func spreadForgotten() {
        let time = step.time.wall
        for entry in outbox.inOrder where entry.envelope != nil && entry.spreadAt > 0 {
            if entry.spreadAt + ChatLimits.spreadAge <= time { spreadFiles(of: entry.id) }
        }
        for post in groups.posts.inOrder where post.filesSpreadAt > 0 {
            if post.filesSpreadAt + ChatLimits.spreadAge <= time { spreadFiles(of: post.id) }
        }
    }

    // MARK: - Receiving

    /// Expects the objects of a message that is in the history, unless they are here already.
    ///
    /// Its receipt waits for them: until it comes, their sender spreads the small ones and keeps the large ones.
    mutating func expectFiles(
        of record: ProtoMessageRecord,
        from peer: PeerID
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID,
            wantsFiles(of: peer, in: conversation), blobs.entries(of: id).isEmpty,
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body, !text.objects.isEmpty
        else { return }
        let missing = text.objects.filter { index, _ in index != BlobID.longTextIndex || record.longText.isEmpty }
        guard !missing.isEmpty else { return try confirmComplete(id, to: peer) }
        let files = missing.filter { $0.index != BlobID.longTextIndex }
        guard blobs.hasPlaces(for: missing.count) else {
            for (index, _) in files { step.perform(.tell(.fileFailed(id, file: index, .noRoom))) }
            return try confirmComplete(id, to: peer)
        }
        // A text is no file: it moves into its message.
        let hasRoom = files.isEmpty || blobs.takeRoom(for: files.map(\.reference.reference.byteCount))
        for (index, reference) in missing {
            var entry = BlobTable.Entry(
                id: BlobID(message: id, index: index),
                peer: peer,
                isOutgoing: false,
                file: randomBytes(16).hex,
                reference: reference.reference
            )
            entry.group = conversation.group
            if !hasRoom, index != BlobID.longTextIndex { (entry.isParked, entry.isPulled) = (true, true) }
            expect(entry)
        }
        guard blobs.isIncomplete(id) else { return try confirmComplete(id, to: peer) }
        owed.drop(id, to: peer)
        groups.owed.drop(id, to: peer)
        let tags = Set(blobs.entries(of: id).filter(\.waitsForPieces).map { ChunkLabel.tag(root: $0.reference.root) })
        guard !tags.isEmpty else { return }
        step.perform(.recall(tags: tags.sorted { $0.lexicographicallyPrecedes($1) }))
    }

    /// Expects the files of what a peer wrote before the user accepted it.
    mutating func expectEarlierFiles(of peer: PeerID) throws {
        guard isAccepted(peer), conversations[peer] != nil else { return }
        let page = try step.page(of: .direct(peer), before: nil, limit: ChatLimits.requestMessageCount)
        for record in page where !record.outgoing { try expectFiles(of: record, from: peer) }
    }

    /// Takes a piece, if it is one of an object that is expected.
    mutating func receivePiece(_ body: [UInt8]) throws {
        guard let piece = ChunkPiece(decoding: body) else { return }
        for id in blobs.waiting(for: piece.label.tag) {
            guard var entry = blobs[id], var pieces = entry.pieces,
                wantsFiles(of: entry.peer, in: conversationID(of: entry)), !pieces.contains(Int(piece.index)),
                piece.isGenuine(of: entry.reference), !isFetchedInstead(entry, at: step.time.wall)
            else { continue }
            step.write(piece.bytes, at: ChunkPiece.offset(Int(piece.index)), ofBlob: entry.file)
            pieces.insert(Int(piece.index))
            entry.pieces = pieces
            if pieces.isComplete {
                let isRight = isWhole(entry)
                // Who has the root made these pieces of something else: the sender, or in a group any member.
                entry.pieces = isRight ? nil : entry.noPieces
            }
            blobs.set(entry)
            step.put(.blobs, id.name, entry.record)
            if entry.isComplete, entry.isOverdue { step.perform(.transfer(.drop(id, file: entry.file))) }
            try tellProgress(of: entry)
        }
    }

    /// Whether a path brings the object, so that its pieces do not count: any member of a group can forge them.
    private func isFetchedInstead(_ entry: BlobTable.Entry, at time: UInt64) -> Bool {
        guard entry.isOverdue, let group = entry.group else { return false }
        return fellows(in: group).contains { isReachable($0, at: time) }
    }

    /// Whether the bytes of all pieces are the object that the message names.
    private func isWhole(_ entry: BlobTable.Entry) -> Bool {
        let reference = entry.reference
        let bytes = step.bytes(ofBlob: entry.file, count: Int(reference.sealedByteCount))
        var hashes = BlobHashes(byteCount: reference.byteCount, hashing: BlobSeals())
        for index in 0..<reference.chunkCount {
            let start = Int(BlobReference.offset(ofChunk: index))
            hashes.add(bytes[start..<(start + reference.sealedByteCount(ofChunk: index))])
        }
        return hashes.reference == reference
    }

    mutating func tellProgress(of entry: BlobTable.Entry) throws {
        if entry.isComplete { try noteArrival(of: entry) }
        if entry.id.index == BlobID.longTextIndex {
            if entry.isComplete { try takeLongText(of: entry) }
        } else {
            let total = entry.reference.byteCount
            let count = UInt64((entry.pieces?.count ?? 0) * entry.pieceByteCount)
            // The last byte is told with the check of the whole, never before.
            let byteCount = entry.isComplete ? total : entry.reference.progress(count)
            step.perform(
                .tell(.progress(entry.id.message, file: entry.id.index, byteCount: byteCount, total: total))
            )
        }
        if !blobs.isIncomplete(entry.id.message) {
            try confirmComplete(entry.id.message, to: entry.peer)
        }
    }

    /// Lets the receipt go that has waited for a message's files.
    mutating func confirmComplete(
        _ message: MessageID,
        to peer: PeerID
    ) throws {
        guard let record = try step.message(.owed, message.bytes, as: ProtoOwedRecord.self) else { return }
        let now = step.time.monotonic
        guard record.group.isEmpty else {
            return groups.owed.owe(message, to: peer, at: now, delay: ChatLimits.groupReceiptDelay)
        }
        owed.owe(message, to: peer, at: now)
    }

    /// Puts a long text into its message and shows it; its file is not needed any more.
    private mutating func takeLongText(of entry: BlobTable.Entry) throws {
        forgetLongText(of: entry.id.message)
        guard let (sequence, plaintext) = try step.record(.messages, entry.id.message.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            let conversation = record.conversationID,
            case .text(let content) = MessageContent.decode([UInt8](record.content))?.body,
            let key = content.longText.flatMap({ BlobOpener(key: $0.key) })
        else { return }
        let reference = entry.reference
        let sealed = step.bytes(ofBlob: entry.file, count: Int(reference.sealedByteCount))
        var text: [UInt8] = []
        for index in 0..<reference.chunkCount {
            let start = Int(BlobReference.offset(ofChunk: index))
            let chunk = Array(sealed[start..<(start + reference.sealedByteCount(ofChunk: index))])
            let isLast = index == reference.chunkCount - 1
            guard let bytes = key.open(chunk, index: UInt32(index), isLast: isLast) else { return }
            text += bytes
        }
        guard let whole = String(validating: text, as: UTF8.self) else { return }
        record.longText = whole
        let row = conversation
        step.put(.messages, entry.id.message.bytes, conversation: row, sequence: sequence, record)
        if let message = try message(from: record) { step.perform(.tell(.message(message))) }
    }

    // MARK: - Reading

    /// What is to be done about a file that is not here.
    private func wayHere(of message: MessageID, _ index: Int) -> String {
        switch blobs[BlobID(message: message, index: index)] {
        case .some(let entry) where entry.isParked: "it comes when the home has room for it."
        case .some: "it is on its way."
        case nil: "ask for it first."
        }
    }

    /// Where a file of a message is, and what opens it.
    package func file(
        _ index: Int,
        of message: MessageID
    ) throws -> (file: String, reference: FileReference) {
        guard let record = try step.message(.messages, message.bytes, as: ProtoMessageRecord.self),
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body,
            text.files.indices.contains(index)
        else { throw ChatError(.notFound, "There is no message with this id, or it has no such file.") }
        guard let entry = blobs[BlobID(message: message, index: index)], entry.isComplete else {
            throw ChatError(.notHere, "'\(text.files[index].name)' is not here yet: \(wayHere(of: message, index))")
        }
        guard let key = entry.key else { return (entry.file, text.files[index]) }
        return (entry.file, text.files[index].sealed(as: entry.reference, under: key))
    }

    /// The files of a message as people see them.
    func files(_ references: [FileReference], of message: MessageID) -> [MessageFile] {
        references.enumerated().map { index, file in
            MessageFile(
                name: file.name,
                type: file.type,
                byteCount: file.reference.byteCount,
                isComplete: blobs[BlobID(message: message, index: index)]?.isComplete ?? false,
                isExpected: blobs[BlobID(message: message, index: index)]?.isComplete == false,
                media: file.media
            )
        }
    }

    /// Takes up the records of objects.
    mutating func restoreBlobs() throws {
        for record in try step.records(.blobs, as: ProtoBlobRecord.self) {
            if var entry = BlobTable.Entry(record) {
                // Earlier versions did not note it.
                if entry.since == 0 { entry.since = step.time.wall }
                blobs.set(entry)
            }
        }
    }
}
