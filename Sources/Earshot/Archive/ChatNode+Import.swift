public import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Takes what an export holds into this history; what is here already stays as it is.
    ///
    /// Messages are told apart by their ids, which their contents give, so that importing twice changes nothing. They are
    /// marked as imported, for only the file says that they are real; contacts come in as ones that nobody has compared, or
    /// as unknown where the file is plain or somebody else's, or their name looks like that of a contact. A line that is not right is left out and told, the others are taken.
    ///
    /// - Parameters:
    ///   - place: The file, JSON Lines.
    ///   - passphrase: What it is sealed under, if it is.
    /// - Returns: What was taken, and what was left out.
    /// - Throws: `fileUnusable` for what is no export or was changed, `locked` where the passphrase is missing or wrong,
    ///   `homeNewer`, `stopped`, or what the store refuses. What came before stays.
    @discardableResult
    public func importHistory(from place: URL, passphrase: String? = nil) async throws(ChatError) -> ImportReport {
        try checkRunning()
        return try await Self.readImport(place, passphrase, into: self, blobs)
    }

    @concurrent
    private static func readImport(
        _ place: URL,
        _ passphrase: String?,
        into node: ChatNode,
        _ blobs: BlobFolder
    ) async throws(ChatError) -> ImportReport {
        var reading = try HistoryImport(place, passphrase: passphrase, into: node, blobs)
        return try await reading.read()
    }

    /// Whether an id is one that this node's user has or had.
    func isOwn(_ id: PeerID?) -> Bool { id.map { engine.trust.isOwn($0) } ?? false }

    /// Takes up a contact; nil for one that is known.
    ///
    /// - Parameter isOwn: Whether the export is beyond doubt one of this node's user.
    func importContact(
        _ identity: PublicIdentity,
        named name: Nickname?,
        isBlocked: Bool,
        ofOwnExport isOwn: Bool
    ) async throws(ChatError) -> Contact? {
        try await transact { engine, transaction in
            let change = engine.trust.adopt(
                identity,
                named: name,
                isBlocked: isBlocked,
                ofOwnExport: isOwn,
                at: transaction.time.seconds
            )
            try engine.settle(change, in: &transaction)
            return change.isEmpty ? nil : engine.contact(identity.id, at: transaction.time)
        }
    }

    /// Where the messages of a conversation go.
    func importPlaces(for conversation: ArchiveConversation) throws(ChatError) -> ImportPlaces {
        if let group = conversation.id.group { try checkNoRoom(group) }
        return try look { engine, transaction in try engine.importPlaces(for: conversation, in: transaction) }
    }

    /// Takes messages of a conversation.
    func importMessages(
        _ records: [ProtoMessageRecord],
        of conversation: ArchiveConversation,
        at places: ImportPlaces
    ) async throws(ChatError) -> (addedCount: Int, places: ImportPlaces) {
        try await transact { engine, transaction in
            var places = places
            let count = try engine.importMessages(records, of: conversation, at: &places, in: &transaction)
            return (count, places)
        }
    }

    /// Whether a file of a message is wanted.
    func importedFile(_ id: BlobID) throws(ChatError) -> ImportedFileWish {
        try look { engine, transaction in try engine.importedFile(id, in: transaction) }
    }

    /// Keeps a file of a message.
    func keepImported(_ object: SealedFile, as id: BlobID) async throws(ChatError) {
        try await transact { engine, transaction in try engine.keepImported(object, as: id, in: &transaction) }
    }
}

/// Whether a file of an import is wanted.
enum ImportedFileWish: Sendable {
    /// It has so many bytes.
    case wanted(byteCount: UInt64)
    /// It is here, or was not to be taken.
    case known
    /// There is no such file.
    case refused
}
