/// The keys of a store; the library Earshot supplies them from ChatCrypto.
///
/// Called for every record, so an implementation keeps what it has derived.
public protocol RecordKeys: Sendable {
    /// The cipher of a table's own key.
    func cipher(for table: RecordTable) -> any RecordCipher

    /// The id of the row of a name: a keyed hash, which only a holder of the keys can compute.
    func rowID(_ table: RecordTable, name: [UInt8]) -> RowID

    /// Makes a random key for a conversation, bound to its id.
    ///
    /// - Returns: its cipher, and the key in the form to keep; `RecordBook` seals that form before it is stored.
    func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8])

    /// The cipher of a conversation key in the form that was kept, or nil if it is not of that form and conversation.
    func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)?

    /// A keyed code over bytes, for the sums over rows alone. Shape: 32 bytes.
    func sumCode(_ bytes: [UInt8]) -> [UInt8]

    /// A keyed code over bytes, for the anchor alone. Shape: 32 bytes.
    func anchorCode(_ bytes: [UInt8]) -> [UInt8]
}
