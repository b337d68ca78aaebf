import Bytes

/// The keys of one database, derived from the master key and the database's ID.
///
/// The ID binds the keys, so that rows of another database under the same vault do not open. Source: PROTOCOL §11.
package struct StorageKeys: Sendable {
    /// The cipher for the identity and the contacts.
    package let identity: RecordAEAD
    /// The cipher for the states of sessions and for the outbox.
    package let sessions: RecordAEAD
    /// The cipher for the rows that hold the conversations' keys, and again for the keys inside them.
    package let conversationKeys: RecordAEAD

    private let names: HMACSHA256.PreparedKey
    private let digests: SecretBytes
    private let anchor: HMACSHA256.PreparedKey
    private let databaseID: [UInt8]

    /// Units: bytes of a database's ID, and also of a row's.
    package static let idByteCount = 16

    /// Derives the keys of the database with this ID, which has 16 bytes.
    package init(masterKey: MasterKey, databaseID: [UInt8]) {
        precondition(databaseID.count == StorageKeys.idByteCount, "a database id has 16 bytes")
        func key(_ label: Label) -> SecretBytes {
            HKDF.derive(salt: databaseID, inputKey: masterKey.secret, info: label, count: 32)
        }
        identity = RecordAEAD(key: key(Label.databaseIdentity))
        sessions = RecordAEAD(key: key(Label.databaseSessions))
        conversationKeys = RecordAEAD(key: key(Label.databaseConversationKeys))
        names = HMACSHA256.PreparedKey(key(Label.databaseNames))
        digests = key(Label.databaseDigests)
        anchor = HMACSHA256.PreparedKey(key(Label.databaseAnchor))
        self.databaseID = databaseID
    }

    /// Computes the ID of the row with a name; it looks random, and only a holder of the key can compute it again.
    ///
    /// Shape: 16 bytes, the first of HMAC-SHA256 over the table's number, one byte, and the name.
    package func rowID(table: UInt8, name: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code([table], name, key: names).prefix(StorageKeys.idByteCount))
    }

    /// Computes the code that a row adds to the integrity digest of its kind.
    ///
    /// Shape: 32 bytes, keyed BLAKE2b.
    package func digestCode(_ bytes: [UInt8]) -> [UInt8] {
        BLAKE2b.code(bytes, key: digests)
    }

    /// Computes the code of the rollback anchor, which is stored beside the database.
    ///
    /// Shape: 32 bytes, HMAC-SHA256.
    package func anchorCode(_ bytes: [UInt8]) -> [UInt8] {
        HMACSHA256.code(bytes, key: anchor)
    }

    /// Makes the key of a conversation.
    ///
    /// Destroying every copy of `wrapped` makes the conversation unreadable.
    ///
    /// - Parameters:
    ///   - conversation: the conversation's row ID, 16 bytes.
    ///   - generation: the number of this key among the conversation's keys.
    package func makeConversationKey(
        conversation: [UInt8],
        generation: UInt32
    ) -> (cipher: RecordAEAD, wrapped: [UInt8]) {
        let key = SecretBytes.random(count: AEAD.keyByteCount)
        let place = associatedData(conversation, generation)
        return (RecordAEAD(key: key), conversationKeys.seal(key, associatedData: place))
    }

    /// Restores the key of a conversation; nil if it is damaged or belongs to another conversation.
    package func conversationKey(
        unwrapping wrapped: [UInt8],
        conversation: [UInt8],
        generation: UInt32
    ) -> RecordAEAD? {
        let place = associatedData(conversation, generation)
        guard wrapped.count == RecordAEAD.overhead + AEAD.keyByteCount,
            let key = conversationKeys.openSecret(wrapped, associatedData: place)
        else { return nil }
        return RecordAEAD(key: key)
    }

    private func associatedData(_ conversation: [UInt8], _ generation: UInt32) -> [UInt8] {
        precondition(conversation.count == StorageKeys.idByteCount, "a conversation's id has 16 bytes")
        return databaseID + conversation + generation.bigEndianBytes
    }
}
