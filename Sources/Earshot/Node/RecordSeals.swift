package import ChatCrypto
public import ChatHistory
import MeshCore

/// The store's cryptography: `RecordKeys` by means of ChatCrypto, and the seals of secrets.
///
/// Sessions, prekeys and the identity are sealed from their locked memory under a key of their own, so that their bytes
/// never lie in ordinary memory. The record store then seals the result again, bound to its row.
public struct RecordSeals: RecordKeys {
    private let keys: StorageKeys

    package init(masterKey: MasterKey, databaseID: [UInt8]) {
        keys = StorageKeys(masterKey: masterKey, databaseID: databaseID)
    }

    /// Keys for records without a node, from 32 secret bytes; nil for another number of bytes.
    public init?(masterKey: [UInt8], databaseID: [UInt8]) {
        guard masterKey.count == MasterKey.byteCount else { return nil }
        self.init(masterKey: MasterKey(secret: SecretBytes(copying: masterKey)), databaseID: databaseID)
    }

    /// Returns the cipher of a table's own key.
    public func cipher(for table: RecordTable) -> any RecordCipher {
        switch table {
        case .identity, .contacts, .bundles, .settings: TableCipher(aead: keys.identity)
        case .sessions, .outbox, .pendingReceipts, .reorderBuffer, .messages, .conversations, .blobs, .groups,
            .pendingChanges, .timers, .rooms,
            .roomList, .pulls, .answers, .conversationSettings, .digests:
            TableCipher(aead: keys.sessions)
        case .keys: TableCipher(aead: keys.conversationKeys)
        }
    }

    /// Returns the row id of a name.
    public func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let bytes = keys.rowID(table: table.rawValue, name: name)
        guard let id = RowID(bytes: bytes) else { preconditionFailure("a row id of \(bytes.count) bytes") }
        return id
    }

    /// Makes a random key for a conversation, bound to its id.
    public func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8]) {
        let (aead, wrapped) = keys.makeConversationKey(
            conversation: conversation.bytes,
            generation: Self.generation
        )
        return (TableCipher(aead: aead), wrapped)
    }

    /// Returns the cipher of a stored conversation key; nil if it is not of that form and conversation.
    public func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)? {
        keys.conversationKey(
            unwrapping: wrapped,
            conversation: conversation.bytes,
            generation: Self.generation
        ).map(TableCipher.init)
    }

    /// Returns a keyed code over bytes, for the integrity digests of rows alone.
    public func digestCode(_ bytes: [UInt8]) -> [UInt8] { keys.digestCode(bytes) }

    /// Returns a keyed code over bytes, for the anchor alone.
    public func anchorCode(_ bytes: [UInt8]) -> [UInt8] { keys.anchorCode(bytes) }

    /// The number of a conversation's key; a deleted conversation gets a new random key under the same number.
    private static let generation: UInt32 = 1

    // MARK: - Secrets

    /// The seals of secrets that the core writes.
    package var secrets: SecretSeals { SecretSeals(keys.sessions) }
}

/// One table's cipher as the store sees it.
private struct TableCipher: RecordCipher {
    let aead: RecordAEAD

    func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        aead.seal(plaintext, associatedData: associatedData)
    }

    func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? {
        aead.open(sealed, associatedData: associatedData)
    }
}
