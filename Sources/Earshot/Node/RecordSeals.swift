import ChatCrypto
import ChatHistory
import MeshCore

/// The store's cryptography: what joins ``RecordKeys`` to ChatCrypto, and how secrets become records.
///
/// Sessions, prekeys and the identity are sealed once from their locked memory under a key of their own, so that their
/// bytes never lie in ordinary memory; the record book then seals that once more, bound to its row.
struct RecordSeals: RecordKeys {
    private let keys: StorageKeys

    init(masterKey: MasterKey, databaseID: [UInt8]) {
        keys = StorageKeys(masterKey: masterKey, databaseID: databaseID)
    }

    func cipher(for table: RecordTable) -> any RecordCipher {
        switch table {
        case .identity, .contacts, .bundles, .settings: TableCipher(aead: keys.identity)
        case .sessions, .replays, .outbox, .owed, .held, .messages, .conversations: TableCipher(aead: keys.sessions)
        case .keys: TableCipher(aead: keys.conversationKeys)
        }
    }

    func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let bytes = keys.rowID(table: table.rawValue, name: name)
        guard let id = RowID(bytes: bytes) else { preconditionFailure("a row id of \(bytes.count) bytes") }
        return id
    }

    func makeConversationKey() -> (cipher: any RecordCipher, wrapped: [UInt8]) {
        let (aead, wrapped) = keys.makeConversationKey()
        return (TableCipher(aead: aead), wrapped)
    }

    func conversationKey(unwrapping wrapped: [UInt8]) -> (any RecordCipher)? {
        keys.conversationKey(unwrapping: wrapped).map(TableCipher.init)
    }

    // MARK: - Secrets

    func seal(_ secret: SecretBytes, named name: [UInt8]) -> [UInt8] {
        keys.sessions.sealSecret(secret, associatedData: name)
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
