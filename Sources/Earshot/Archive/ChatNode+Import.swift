public import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Takes what an export holds into this history; what is here already stays as it is.
    ///
    /// Messages are told apart by their ids, which their contents give, so that importing twice changes nothing. They are
    /// marked as imported, for only the file says that they are real; contacts come in as ones that nobody has compared, or
    /// as unknown where the file is plain or somebody else's, or their name looks like that of a contact. A line that is not right is left out and told, the others are taken.
    ///
    /// - Parameters:
    ///   - place: The file, JSON Lines.
    ///   - passphrase: What it is sealed under, if it is.
    /// - Returns: What was taken, and what was left out.
    /// - Throws: `fileUnusable` for what is no export or was changed, `locked` where the passphrase is missing or wrong,
    ///   `homeNewer`, `stopped`, or what the store refuses. What came before stays.
    @discardableResult
    public func importHistory(from place: URL, passphrase: String? = nil) async throws(ChatError) -> ImportReport {
        try checkRunning()
        return try await account.importHistory(from: place, passphrase, except: registry.ids)
    }
}
