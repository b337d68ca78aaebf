package import ChatCrypto
package import ChatHistory
import MeshCore

/// The store's cryptography: what joins ``RecordKeys`` to ChatCrypto, and how secrets become records.
///
/// Sessions, prekeys and the identity are sealed once from their locked memory under a key of their own, so that their
/// bytes never lie in ordinary memory; the record book then seals that once more, bound to its row.
package struct RecordSeals: RecordKeys {
    private let keys: StorageKeys

    package init(masterKey: MasterKey, databaseID: [UInt8]) {
        keys = StorageKeys(masterKey: masterKey, databaseID: databaseID)
    }

    package func cipher(for table: RecordTable) -> any RecordCipher {
        switch table {
        case .identity, .contacts, .bundles, .settings: TableCipher(aead: keys.identity)
        case .sessions, .outbox, .owed, .held, .messages, .conversations, .blobs, .groups, .early, .timers, .rooms,
            .roomList, .pulls, .answers, .wishes, .sums:
            TableCipher(aead: keys.sessions)
        case .keys: TableCipher(aead: keys.conversationKeys)
        }
    }

    package func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let bytes = keys.rowID(table: table.rawValue, name: name)
        guard let id = RowID(bytes: bytes) else { preconditionFailure("a row id of \(bytes.count) bytes") }
        return id
    }

    package func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8]) {
        let (aead, wrapped) = keys.makeConversationKey(
            conversation: conversation.bytes,
            generation: Self.generation
        )
        return (TableCipher(aead: aead), wrapped)
    }

    package func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)? {
        keys.conversationKey(
            unwrapping: wrapped,
            conversation: conversation.bytes,
            generation: Self.generation
        ).map(TableCipher.init)
    }

    package func sumCode(_ bytes: [UInt8]) -> [UInt8] { keys.sumCode(bytes) }

    package func anchorCode(_ bytes: [UInt8]) -> [UInt8] { keys.anchorCode(bytes) }

    /// Counts a conversation's keys; a deleted conversation begins anew with a random one under the same number.
    private static let generation: UInt32 = 1

    // MARK: - Secrets

    func seal(_ secret: SecretBytes, named name: [UInt8]) -> [UInt8] {
        keys.sessions.seal(secret, associatedData: name)
    }

    func open(_ sealed: [UInt8], named name: [UInt8]) -> SecretBytes? {
        keys.sessions.openSecret(sealed, associatedData: name)
    }
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
