public import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Adds the contents of an export to this history; records that are here already stay unchanged.
    ///
    /// Message ids are derived from the contents, so importing an export twice changes nothing. Imported messages are
    /// marked, because only the file says that they are real. Imported contacts are not verified. They are unknown if
    /// the file is plain or another user's, or if their name looks like that of a contact. An invalid line is skipped
    /// and reported; the import continues with the next line.
    ///
    /// - Parameters:
    ///   - place: The file, JSON Lines.
    ///   - passphrase: The passphrase that seals the file; nil for a plain file.
    /// - Returns: The counts of added and skipped records.
    /// - Throws: `fileUnusable` if the file is no export or was changed, `locked` if the passphrase is missing or
    ///   wrong, `homeNewer`, `stopped`, or the store's error. Records that were added before the error stay.
    @discardableResult
    public func importHistory(from place: URL, passphrase: String? = nil) async throws(ChatError) -> ImportReport {
        try checkRunning()
        return try await account.importHistory(from: place, passphrase, except: registry.ids)
    }
}
