import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

extension Account: ExportSource {
    /// The beginning of an export of a conversation, or of all.
    func exportFrame(_ chosen: ConversationID?) throws(ChatError) -> ExportFrame {
        try look { engine in try engine.exportFrame(chosen, of: engine.ownID) }
    }

    /// The end of the page before one; nil if there is none.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> UInt64? {
        try look { engine in try engine.exportEnd(of: conversation, before: place) }
    }

    /// A page of a conversation as it is exported.
    func exportPage(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> ExportPage {
        try look { engine in
            try engine.exportPage(of: conversation, before: place)
        }
    }
}

/// The steps that an import takes.
extension Account {
    /// Reads an export into the history, but for conversations that are rooms here.
    func importHistory(
        from place: URL,
        _ passphrase: String?,
        except rooms: Set<GroupID>
    ) async throws(ChatError) -> ImportReport {
        try await Self.readImport(place, passphrase, into: self, blobs, except: rooms)
    }

    @concurrent
    private static func readImport(
        _ place: URL,
        _ passphrase: String?,
        into account: Account,
        _ blobs: BlobFolder,
        except rooms: Set<GroupID>
    ) async throws(ChatError) -> ImportReport {
        var reading = try HistoryImport(place, passphrase: passphrase, into: account, blobs, except: rooms)
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
        try await transact { engine in
            let isNew = engine.contacts.adopt(
                identity,
                named: name,
                isBlocked: isBlocked,
                ofOwnExport: isOwn,
                at: engine.step.time.seconds
            )
            try engine.settleContacts()
            return isNew ? engine.contact(identity.id, at: engine.step.time) : nil
        }
    }

    /// The positions for the imported messages of a conversation.
    func importPlaces(for conversation: ArchiveConversation) throws(ChatError) -> ImportPlaces {
        return try look { engine in try engine.importPlaces(for: conversation) }
    }

    /// Takes messages of a conversation.
    func importMessages(
        _ records: [ProtoMessageRecord],
        of conversation: ArchiveConversation,
        at places: ImportPlaces
    ) async throws(ChatError) -> (addedCount: Int, places: ImportPlaces) {
        try await transact { engine in
            var places = places
            let count = try engine.importMessages(records, of: conversation, at: &places)
            return (count, places)
        }
    }

    /// Whether a file of a message is wanted.
    func importedFile(_ id: BlobID) throws(ChatError) -> ImportedFileWish {
        try look { engine in try engine.importedFile(id) }
    }

    /// Keeps a file of a message.
    func keepImported(_ object: SealedFile, as id: BlobID) async throws(ChatError) {
        try await transact { engine in try engine.keepImported(object, as: id) }
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
