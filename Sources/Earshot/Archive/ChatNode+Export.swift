package import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Writes the history into a file: who is known, all conversations but those of rooms, their messages and files.
    ///
    /// Messages that are to disappear are left out, and what is in a room goes with it. The file gets its name when it is
    /// whole, may be read by its owner alone, and takes the place of no other.
    ///
    /// - Parameters:
    ///   - place: The file.
    ///   - options: What is written, and what it is sealed under.
    /// - Returns: How much was written.
    /// - Throws: `fileUnusable`, `notFound` for an unknown conversation or a room, `stopped`, or what the store refuses.
    @discardableResult
    public func exportHistory(
        to place: URL,
        _ options: ExportOptions = ExportOptions()
    ) async throws(ChatError) -> ExportReport {
        try await export(options).write(to: place)
    }

    /// Hands the bytes over that `exportHistory(to:_:)` would write into a file, in order and as they are made.
    ///
    /// - Parameters:
    ///   - options: What is written, and what it is sealed under.
    ///   - send: Takes the next bytes; waits while there is no room for them.
    /// - Throws: As `exportHistory(to:_:)`, or what `send` throws.
    @discardableResult
    package func exportHistory(
        _ options: ExportOptions,
        by send: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(ChatError) -> ExportReport {
        try await export(options).write(by: send)
    }

    /// Refuses an export that could not even begin.
    package func checkExport(_ options: ExportOptions) async throws(ChatError) {
        _ = try await export(options)
        _ = try await account.exportFrame(options.conversation)
    }

    private func export(_ options: ExportOptions) async throws(ChatError) -> HistoryExport {
        try checkRunning()
        if let group = options.conversation?.group, registry.number(of: group) != nil {
            throw ChatError(.notFound, "That is a room: nothing of it is left when it is over, so it is not exported.")
        }
        return HistoryExport(source: account, blobs: await account.blobs, options: options)
    }
}
