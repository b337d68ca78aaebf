public import ChatCore
import ChatCrypto
import ChatHistory
public import Foundation

/// A rescue of the records that still open in a home that cannot be used any more, because its database is damaged or
/// because something else has changed it.
///
/// It writes nothing to the home. It reads the database page by page into memory, without its indexes; this takes as
/// much memory as the database is large. Every record that opens in its place counts, whatever lies around it.
public actor HistoryRescue: ExportSource {
    /// The counts of saved and lost records.
    public nonisolated let report: RescueReport
    private let home: FileLock?
    private let blobs: BlobFolder
    private let recordStore: RecordStore
    private let engine: ChatEngine
    /// The owner of the history.
    private let owner: PeerID
    private let time: ChatTime

    /// Reads a home that no node has open.
    ///
    /// - Parameters:
    ///   - directory: The home.
    ///   - protection: The protection of its key.
    /// - Throws: `noIdentity` if there is no home, `homeInUse`, `erasing`, `locked` for a wrong or missing passphrase,
    ///   `homeUnusable` if the database cannot be opened at all, or `homeCorrupt` if nothing of it opens.
    public init(home directory: URL, key protection: Home.Key = .keyFile) throws(ChatError) {
        do {
            try CryptoStart.check()
        } catch {
            throw ChatError(.cryptographyUnavailable, error.reason)
        }
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        guard !HomeFile.exists(HomeFile.erasing, in: directory) else {
            throw ChatError(.erasing, "\(directory.path) is being erased. Nothing can be rescued.")
        }
        home = try FileLock(sharing: directory.appending(path: HomeFile.lock))
        let key = try HomeKey(directory: directory).rescue(protection)
        let salvage: RowSalvage
        do {
            salvage = try RowSalvage(directory: directory.path)
        } catch {
            throw ChatError(error)
        }
        guard
            let history = SalvagedHistory(
                salvage,
                keys: { RecordSeals(masterKey: key, databaseID: $0) }
            )
        else {
            throw ChatError(
                .homeCorrupt,
                "Nothing in \(directory.path) opens with this key. Put key and history of one backup there."
            )
        }
        blobs = BlobFolder(directory.appending(path: HomeFile.blobs))
        time = ChatConfiguration().time
        let seals = RecordSeals(masterKey: key, databaseID: history.store.databaseID)
        let conversations: [RowID: (id: ConversationID, title: String)]
        do {
            let rescued = try RescuedEngine(history, seals, blobs, at: time)
            (recordStore, engine, owner, conversations) = (
                rescued.recordStore, rescued.engine, rescued.owner, rescued.conversations
            )
        } catch {
            throw ChatError(error)
        }
        report = RescueReport(history, conversations, damagedPageCount: salvage.damagedPageCount)
    }

    /// Writes the saved records into a file, as ``HistoryArchive/export(to:_:)`` does.
    ///
    /// - Parameters:
    ///   - place: The file, outside of the home.
    ///   - options: The format, the conversation, and the passphrase that seals the file.
    /// - Returns: The counts of what was written.
    /// - Throws: `fileUnusable`, or `notFound` for a conversation of which nothing was saved.
    @discardableResult
    public func export(
        to place: URL,
        _ options: ExportOptions = ExportOptions()
    ) async throws(ChatError) -> ExportReport {
        try await HistoryExport(source: self, blobs: blobs, options: options).write(to: place)
    }

    func exportFrame(_ chosen: ConversationID?) throws(ChatError) -> ExportFrame {
        try read { try $0.exportFrame(chosen, of: owner) }
    }

    func exportEnd(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> UInt64? {
        try read { try $0.exportEnd(of: conversation, before: place) }
    }

    func exportPage(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> ExportPage {
        try read { try $0.exportPage(of: conversation, before: place) }
    }

    private func read<Value>(_ body: (ChatEngine) throws -> Value) throws(ChatError) -> Value {
        var engine = engine
        engine.step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        do {
            return try body(engine)
        } catch {
            throw ChatError(error)
        }
    }
}

extension RescueReport {
    fileprivate init(
        _ history: SalvagedHistory,
        _ known: [RowID: (id: ConversationID, title: String)],
        damagedPageCount: Int
    ) {
        let tables = history.tables.filter { $0.key != .digests }.sorted { $0.key.rawValue < $1.key.rawValue }
        self.tables = tables.map { Table(name: "\($0.key)", count: Count($0.value)) }
        conversations = history.conversations.sorted { $0.key < $1.key }.map { row, count in
            Conversation(id: known[row]?.id, title: known[row]?.title ?? "", count: Count(count))
        }
        self.damagedPageCount = damagedPageCount
        roomCount = history.tables[.rooms]?.savedCount ?? 0
    }
}
