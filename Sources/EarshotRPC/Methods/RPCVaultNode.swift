package import Earshot

/// What the methods need of a node for what protects its home.
package protocol RPCVaultNode: Sendable {
    /// Changes the home's passphrase.
    func changePassphrase(_ change: PassphraseChange) async throws(ChatError)
    /// The identity under a passphrase.
    func backUpIdentity(passphrase: String) async throws(ChatError) -> [UInt8]
    /// Whether the node is locked.
    var isLocked: Bool { get async }
    /// Closes the home.
    func lock() async throws(ChatError)
    /// Opens the home again.
    func unlock(passphrase: String) async throws(ChatError)
    /// Tells that the user is there.
    func noteUse() async
    /// Erases a conversation here.
    func eraseConversation(_ conversation: ConversationID) async throws(ChatError)
    /// Erases everything and stops.
    func erase() async throws(ChatError)
}
