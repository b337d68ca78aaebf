/// The keys of a store; the library Earshot supplies them from ChatCrypto.
///
/// `RecordStore` calls them for every record, so an implementation keeps the keys that it has derived.
public protocol RecordKeys: Sendable {
    /// Returns the cipher of a table's own key.
    func cipher(for table: RecordTable) -> any RecordCipher

    /// Computes the id of the row of a name: a keyed hash that only a holder of the keys can compute.
    func rowID(_ table: RecordTable, name: [UInt8]) -> RowID

    /// Makes a random key for a conversation, bound to its id.
    ///
    /// - Returns: its cipher, and the key in the form for storage; `RecordStore` seals that form before it stores it.
    func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8])

    /// Returns the cipher of a stored conversation key, or nil if the key has another form or another conversation.
    func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)?

    /// Computes a keyed code over bytes, for the sums over rows alone.
    ///
    /// Shape: 32 bytes.
    func digestCode(_ bytes: [UInt8]) -> [UInt8]

    /// Computes a keyed code over bytes, for the anchor alone.
    ///
    /// Shape: 32 bytes.
    func anchorCode(_ bytes: [UInt8]) -> [UInt8]
}
