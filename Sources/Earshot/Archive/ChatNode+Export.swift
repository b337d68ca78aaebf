package import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Writes the history into a file: the contacts, and all conversations except rooms with their messages and files.
    ///
    /// Disappearing messages are left out, and a room leaves nothing behind. The file gets its name only when it is
    /// complete, only its owner can read it, and it never replaces another file.
    ///
    /// - Parameters:
    ///   - place: The file.
    ///   - options: The format, the conversation, and the passphrase that seals the file.
    /// - Returns: The counts of what was written.
    /// - Throws: `fileUnusable`, `notFound` for an unknown conversation or a room, `stopped`, or the store's error.
    @discardableResult
    public func exportHistory(
        to place: URL,
        _ options: ExportOptions = ExportOptions()
    ) async throws(ChatError) -> ExportReport {
        try await export(options).write(to: place)
    }

    /// Passes the bytes that `exportHistory(to:_:)` would write into a file to `send`, in order and as they are made.
    ///
    /// - Parameters:
    ///   - options: The format, the conversation, and the passphrase that seals the bytes.
    ///   - send: Takes the next bytes; waits while there is no room for them.
    /// - Throws: As `exportHistory(to:_:)`, or the error of `send`.
    @discardableResult
    package func exportHistory(
        _ options: ExportOptions,
        by send: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(ChatError) -> ExportReport {
        try await export(options).write(by: send)
    }

    /// Throws if an export could not even begin.
    package func checkExport(_ options: ExportOptions) async throws(ChatError) {
        _ = try await export(options)
        _ = try await account.exportFrame(options.conversation)
    }

    private func export(_ options: ExportOptions) async throws(ChatError) -> HistoryExport {
        try checkRunning()
        if let group = options.conversation?.group, registry.number(of: group) != nil {
            throw ChatError(.notFound, "Rooms cannot be exported: nothing of a room stays after its end.")
        }
        return HistoryExport(source: account, blobs: await account.blobs, options: options)
    }
}
