public import ChatCore
public import Foundation

extension ChatNode {
    /// Changes the home's passphrase: the master key is wrapped anew, and nothing else is written.
    ///
    /// Whenever the machine stops, the home opens with the old passphrase or with the new one.
    ///
    /// - Parameter change: What is to become of it.
    /// - Throws: `locked` for a wrong passphrase, `hasPassphrase`, `noPassphrase`, `badPassphrase`, or `homeUnusable`; nothing
    ///   has changed then.
    public func changePassphrase(_ change: PassphraseChange) throws(ChatError) {
        try checkRunning()
        guard let home else {
            throw ChatError(.homeUnusable, "A node in memory keeps nothing that needs a passphrase.")
        }
        try home.change(change, cost: configuration.passphraseCost)
    }

    /// Changes the passphrase of a home that no node has open.
    ///
    /// - Parameters:
    ///   - change: What is to become of it.
    ///   - directory: The home.
    /// - Throws: The same, `noIdentity`, or `homeInUse`.
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

    /// Erases a conversation here: its key first, then its messages, files and timers.
    ///
    /// Contact, sessions and membership stay, and nobody is told. An own message that has not arrived is given up. What a
    /// crash cuts off is finished at the next start. Plain copies of files that the user asked for are the user's.
    ///
    /// - Parameter conversation: Which.
    /// - Throws: `notFound`, or what the store refuses.
    public func eraseConversation(_ conversation: ConversationID) async throws(ChatError) {
        let account = try await account(of: conversation)
        try await account.transact { engine in
            try engine.beginErasing(conversation)
        }
        try await account.transact { engine in try engine.erase(conversation) }
    }

    /// Erases everything that this node keeps and stops it: what opens the home first, within milliseconds.
    ///
    /// Nobody is told. It needs no passphrase and works while the node is locked. What a crash cuts off is finished by
    /// whoever opens the home next.
    ///
    /// - Throws: `homeUnusable` where something cannot be deleted; the keys are gone then, unless it says otherwise.
    public func erase() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        try home?.eraseKey()
        try await stop(erasing: true)
    }

    /// Erases a home that no node has open.
    ///
    /// - Parameter directory: The home.
    /// - Throws: `noIdentity` where there is nothing to erase, `homeInUse`, or `homeUnusable`.
    public static func erase(home directory: URL) throws(ChatError) {
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        let home = try NodeHome(existing: directory)
        defer { home.close() }
        try home.erase()
    }
}
