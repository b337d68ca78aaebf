public import ChatCore
public import Foundation

extension ChatNode {
    /// Changes the home's passphrase: the master key is wrapped again, and nothing else is written.
    ///
    /// If the machine stops at any moment, the home opens with the old passphrase or with the new one.
    ///
    /// - Parameter change: The change.
    /// - Throws: `locked` for a wrong passphrase, `hasPassphrase`, `noPassphrase`, `badPassphrase`, or `homeUnusable`;
    ///   then nothing has changed.
    public func changePassphrase(_ change: PassphraseChange) throws(ChatError) {
        try checkRunning()
        guard let home else {
            throw ChatError(.homeUnusable, "A node in memory stores nothing and needs no passphrase.")
        }
        try home.change(change, cost: configuration.passphraseCost)
    }

    /// Changes the passphrase of a home that no node has open.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - directory: The home.
    /// - Throws: The same errors, `noIdentity`, or `homeInUse`.
    public static func changePassphrase(_ change: PassphraseChange, at directory: URL) throws(ChatError) {
        let home = try opened(directory)
        defer { home.close() }
        try home.change(change, cost: .standard)
    }

    private static func opened(_ directory: URL) throws(ChatError) -> NodeHome {
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        return try NodeHome(directory)
    }

    // MARK: - Erasing

    /// Erases a conversation on this node: its key first, then its messages, files and timers.
    ///
    /// Contact, sessions and membership stay, and nobody is notified. An own message that has not arrived is given up.
    /// If a crash interrupts the erasure, the next start finishes it. Plain copies of files that the user asked for
    /// stay.
    ///
    /// - Parameter conversation: The conversation.
    /// - Throws: `notFound`, or the store's error.
    public func eraseConversation(_ conversation: ConversationID) async throws(ChatError) {
        let account = try await account(of: conversation)
        try await account.transact { engine in
            try engine.beginErasing(conversation)
        }
        try await account.transact { engine in try engine.erase(conversation) }
    }

    /// Erases everything that this node keeps and stops it: first the keys of the home, within milliseconds.
    ///
    /// Nobody is notified. This needs no passphrase and works while the node is locked. If a crash interrupts the
    /// erasure, the next process that opens the home finishes it.
    ///
    /// - Throws: `homeUnusable` if something cannot be deleted; then the keys are gone, unless the error says
    ///   otherwise.
    public func erase() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        try home?.eraseKey()
        try await stop(erasing: true)
    }

    /// Erases a home that no node has open.
    ///
    /// - Parameter directory: The home.
    /// - Throws: `noIdentity` if there is nothing to erase, `homeInUse`, or `homeUnusable`.
    public static func erase(home directory: URL) throws(ChatError) {
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        let home = try NodeHome(existing: directory)
        defer { home.close() }
        try home.erase()
    }
}
