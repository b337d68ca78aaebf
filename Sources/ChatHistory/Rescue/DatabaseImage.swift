/// The pages of a database file and of the log beside it, read without SQLite; neither file is changed.
///
/// The content of a page comes from its last intact frame in the log, otherwise from the file. Damaged frames of a
/// page, and frames of a batch that was never finished, are read as well. Source: SQLite, "Database File Format" 1 and
/// 4.
struct DatabaseImage {
    /// The numbers of all pages, from 1; pages that only the log has come last.
    let pages: [Int]
    private let file: ReadOnlyFile
    private let log: LogImage?

    /// The page size that `Schema` sets.
    ///
    /// Units: bytes.
    static let pageByteCount = 4_096

    /// Opens a database file, and the log beside it if there is one.
    ///
    /// - Throws: what the system reports.
    init(path: String) throws(StoreError) {
        file = try ReadOnlyFile(path)
        // If a process stopped while it refused a data directory, the log has its second name only; see
        // `HistoryFile.keepingLog`.
        log = (try? (try? ReadOnlyFile(path + "-wal")) ?? ReadOnlyFile(path + "-wal.kept")).flatMap(LogImage.init)
        let count = (file.byteCount + Self.pageByteCount - 1) / Self.pageByteCount
        pages = Array(0..<count).map { $0 + 1 } + (log?.pages ?? []).filter { $0 > count }
    }

    /// Returns a page; nil if it does not exist or the disk cannot read it.
    ///
    /// The last page may be cut off: zeros replace the missing bytes.
    func page(_ number: Int) -> [UInt8]? {
        guard number > 0 else { return nil }
        if let page = log?.page(number) { return page }
        let count = Self.pageByteCount
        guard let bytes = file.read(count, at: (number - 1) * count), !bytes.isEmpty else { return nil }
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    /// Further images of pages, from damaged or unfinished frames of the log.
    var furtherPages: some Sequence<[UInt8]> {
        (log?.further ?? []).lazy.compactMap { log?.page(inFrame: $0) }
    }
}
