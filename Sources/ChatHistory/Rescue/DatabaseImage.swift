/// The pages of a database file and of the log beside it, read without SQLite; neither is changed.
///
/// A page is what the last intact frame of the log has of it, else what the file has. What damaged frames have of a page,
/// and those of a batch that was never finished, are looked at besides. Source: SQLite, "Database File Format" 1 and 4.
struct DatabaseImage {
    /// The numbers of the pages there are, from 1, those last that the log alone has.
    let pages: [Int]
    private let file: ReadOnlyFile
    private let log: LogImage?

    /// Pages as `Schema` makes them.
    ///
    /// Units: bytes.
    static let pageByteCount = 4_096

    /// Opens a database file, and the log beside it if there is one.
    ///
    /// - Throws: what the system reports.
    init(path: String) throws(StoreError) {
        file = try ReadOnlyFile(path)
        // Where a stop came while a home was refused, the log has its second name alone; see `HistoryFile.keepingLog`.
        log = (try? (try? ReadOnlyFile(path + "-wal")) ?? ReadOnlyFile(path + "-wal.kept")).flatMap(LogImage.init)
        let count = (file.byteCount + Self.pageByteCount - 1) / Self.pageByteCount
        pages = Array(0..<count).map { $0 + 1 } + (log?.pages ?? []).filter { $0 > count }
    }

    /// A page; nil where there is none, or the disk cannot read it.
    ///
    /// The last one may be cut off: zeros stand for what is missing.
    func page(_ number: Int) -> [UInt8]? {
        guard number > 0 else { return nil }
        if let page = log?.page(number) { return page }
        let count = Self.pageByteCount
        guard let bytes = file.read(count, at: (number - 1) * count), !bytes.isEmpty else { return nil }
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    /// Further images of pages, which damaged or unfinished frames of the log have.
    var furtherPages: some Sequence<[UInt8]> {
        (log?.further ?? []).lazy.compactMap { log?.page(inFrame: $0) }
    }
}
