package import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode: ExportSource {
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
        try checkRunning()
        return try await HistoryExport(source: self, blobs: blobs, options: options).write(to: place)
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
        try checkRunning()
        return try await HistoryExport(source: self, blobs: blobs, options: options).write(by: send)
    }

    /// Refuses an export that could not even begin.
    package func checkExport(_ options: ExportOptions) throws(ChatError) {
        try checkRunning()
        _ = try exportFrame(options.conversation)
    }

    /// What an export of a conversation, or of all, begins with.
    func exportFrame(_ chosen: ConversationID?) throws(ChatError) -> ExportFrame {
        if let group = chosen?.group, shelf.number(of: group) != nil {
            throw ChatError(.notFound, "That is a room: nothing of it is left when it is over, so it is not exported.")
        }
        return try look { engine, transaction in
            try engine.exportFrame(chosen, of: engine.ownID, in: transaction)
        }
    }

    /// Where the page before one ends; nil if there is none.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> UInt64? {
        try look { engine, transaction in try engine.exportEnd(of: conversation, before: place, in: transaction) }
    }

    /// A page of a conversation as it is exported.
    func exportPage(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> ExportPage {
        try checkRunning()
        return try look { engine, transaction in
            try engine.exportPage(of: conversation, before: place, in: transaction)
        }
    }
}
