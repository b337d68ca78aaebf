public import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

/// Everything that a node stores: its search, export, import and check.
public struct HistoryArchive: Sendable {
    let node: ChatNode

    private var account: Account {
        get async throws(ChatError) { try await node.account(ofAny: nil) }
    }

    // MARK: - Search

    /// Finds messages, also in rooms.
    ///
    /// The first search reads all texts into memory, a page at a time, while the node goes on. From then on the texts
    /// are kept up to date when messages come, are edited or deleted, or disappear. ``ChatNode/stop()`` and ``wipeSearch()`` wipe
    /// them.
    ///
    /// - Parameters:
    ///   - query: The words and the other conditions.
    ///   - waits: Whether to wait until everything has been read; else the answer has what is found so far.
    /// - Returns: The newest matching messages, and the part of the history that was searched.
    /// - Throws: `empty` if there is nothing to search for, `tooLarge`, `badCount`, `stopped`, `expired` for a room
    ///   that is over, or the store's error.
    public func search(_ query: SearchQuery, waits: Bool = true) async throws(ChatError) -> SearchResult {
        let terms = try SearchTerms(query.text)
        guard (1...SearchLimits.hitCount).contains(query.limit) else {
            throw ChatError(.badCount, "A search returns 1 to \(SearchLimits.hitCount) messages.")
        }
        guard !terms.needles.isEmpty || query.isNarrowed else {
            throw ChatError(.empty, "The search is empty. Give a word or a sender.")
        }
        var (messages, progress) = try await node.account(ofAny: query.conversation).search(query, terms, waits: waits)
        if query.conversation == nil {
            for room in await node.registry.accounts {
                // A room that ends meanwhile has nothing more to be found.
                guard let found = try? await room.search(query, terms, waits: waits) else { continue }
                messages += found.messages
                progress.add(found.progress)
            }
        }
        messages.sort { ($0.shownAt, $0.id) > ($1.shownAt, $1.id) }
        let hits = messages.prefix(query.limit).map { SearchHit(message: $0, places: terms.places(in: $0.text)) }
        return SearchResult(hits: hits, progress: progress)
    }

    /// Returns the part of the history that a search would cover now.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func searchProgress() async throws(ChatError) -> SearchProgress {
        var progress = try await account.search.progress
        for room in await node.registry.accounts { progress.add(await room.search.progress) }
        return progress
    }

    /// Wipes all texts that were read for searching; the next search reads them again.
    public func wipeSearch() async { await node.account.wipeSearch() }

    // MARK: - Export and import

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
    public func export(
        to place: URL,
        _ options: ExportOptions = ExportOptions()
    ) async throws(ChatError) -> ExportReport {
        try await makeExport(options).write(to: place)
    }

    /// Passes the bytes that `export(to:_:)` would write into a file to `send`, in order and as they are made.
    ///
    /// - Parameters:
    ///   - options: The format, the conversation, and the passphrase that seals the bytes.
    ///   - send: Takes the next bytes; waits while there is no room for them.
    /// - Throws: As `export(to:_:)`, or the error of `send`.
    @discardableResult
    package func export(
        _ options: ExportOptions,
        by send: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(ChatError) -> ExportReport {
        try await makeExport(options).write(by: send)
    }

    /// Throws if an export could not even begin.
    package func checkExport(_ options: ExportOptions) async throws(ChatError) {
        _ = try await makeExport(options)
        _ = try await account.exportFrame(options.conversation)
    }

    private func makeExport(_ options: ExportOptions) async throws(ChatError) -> HistoryExport {
        let account = try await account
        if let group = options.conversation?.group, await node.conversationID(of: group).isRoom {
            throw ChatError(.notFound, "Rooms cannot be exported: nothing of a room stays after its end.")
        }
        return HistoryExport(source: account, blobs: await account.blobs, options: options)
    }

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
    public func importArchive(from place: URL, passphrase: String? = nil) async throws(ChatError) -> ImportReport {
        let rooms = await node.registry.ids
        return try await account.importHistory(from: place, passphrase, except: rooms)
    }

    // MARK: - Limits

    /// Returns the limits on what is kept of conversations that have no limits of their own.
    public func retention() async throws(ChatError) -> ConversationRetention {
        try await account.read { engine in try engine.retention(of: nil) }
    }

    /// Limits how much is kept of conversations that have no limits of their own.
    ///
    /// Messages beyond the limits are removed, the oldest first: at once, whenever a message comes, and as time passes.
    /// They are removed on this node alone.
    ///
    /// - Parameter retention: The limits; nil to keep everything.
    /// - Throws: `badDuration`, `badCount`, or the store's error.
    public func setRetention(_ retention: Retention?) async throws(ChatError) {
        try await account.setRetention(retention, of: nil)
    }

    // MARK: - Check

    /// Returns the signs noticed so far of changes that something other than Earshot has made; rooms report theirs as
    /// events.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func report() async throws(ChatError) -> HistoryReport { try await account.historyReport }

    /// Checks all stored records: whether they are unchanged and complete, and whether they open.
    ///
    /// Other work goes on between one conversation and the next.
    ///
    /// - Returns: The signs noticed, now and before.
    /// - Throws: The store's error.
    public func check() async throws(ChatError) -> HistoryReport {
        try await account.checkHistory()
    }

    /// Accepts the stored records as they are, and forgets the noticed signs.
    ///
    /// Messages that do not open, and never will, are deleted. Ask the user before this: it cannot be undone.
    ///
    /// - Returns: A report without signs that counts the deleted messages.
    /// - Throws: The store's error.
    public func accept() async throws(ChatError) -> HistoryReport {
        try await account.acceptHistory()
    }
}

extension SearchQuery {
    /// Whether the query has other conditions than words.
    fileprivate var isNarrowed: Bool {
        conversation != nil || sender != nil || kind != nil || after != nil || before != nil
    }
}
