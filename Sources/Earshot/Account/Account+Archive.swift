import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

extension Account: ExportSource {
    /// Returns the beginning of an export of one conversation, or of all.
    func exportFrame(_ chosen: ConversationID?) throws(ChatError) -> ExportFrame {
        try read { engine in try engine.exportFrame(chosen, of: engine.ownID) }
    }

    /// Returns the position at which a page ends and the next older page begins; nil if there is no older page.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> UInt64? {
        try read { engine in try engine.exportEnd(of: conversation, before: place) }
    }

    /// Returns a page of a conversation for an export.
    func exportPage(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> ExportPage {
        try read { engine in
            try engine.exportPage(of: conversation, before: place)
        }
    }
}

/// The steps of an import.
extension Account {
    /// Reads an export into the history, except for conversations that are rooms here.
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

    /// Whether an id belongs, or once belonged, to this node's user.
    func isOwn(_ id: PeerID?) -> Bool { id.map { engine.trust.isOwn($0) } ?? false }

    /// Adds a contact; returns nil if the contact is known already.
    ///
    /// - Parameter isOwn: Whether the export is beyond doubt one of this node's user.
    func importContact(
        _ identity: PublicIdentity,
        named name: Nickname?,
        localName: Nickname? = nil,
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
            // Another person's names are not the user's, and a name would make an unknown peer a contact.
            if isNew, isOwn, let localName, engine.trust.state(of: identity.id) != .unknown {
                try engine.contacts.setLocalName(localName, of: identity.id)
            }
            try engine.settleContacts()
            return isNew ? engine.contact(identity.id, at: engine.step.time) : nil
        }
    }

    /// Returns the positions for the imported messages of a conversation.
    func importPositions(for conversation: ArchiveConversation) throws(ChatError) -> ImportPositions {
        return try read { engine in try engine.importPositions(for: conversation) }
    }

    /// Adds messages of a conversation.
    func importMessages(
        _ records: [ProtoMessageRecord],
        of conversation: ArchiveConversation,
        at places: ImportPositions
    ) async throws(ChatError) -> (addedCount: Int, places: ImportPositions) {
        try await transact { engine in
            var places = places
            let count = try engine.importMessages(records, of: conversation, at: &places)
            return (count, places)
        }
    }

    /// Returns whether a file of a message is wanted.
    func importedFile(_ id: BlobID) throws(ChatError) -> ImportedFileDecision {
        try read { engine in try engine.importedFile(id) }
    }

    /// Stores a file of a message.
    func keepImported(_ blob: SealedFile, as id: BlobID) async throws(ChatError) {
        try await transact { engine in try engine.keepImported(blob, as: id) }
    }
}

/// The answer to whether a file of an import is wanted.
enum ImportedFileDecision: Sendable {
    /// The file is not here; its size in bytes.
    case wanted(byteCount: UInt64)
    /// The file is here, or its message is not an imported one.
    case known
    /// The message or the file does not exist.
    case refused
}
