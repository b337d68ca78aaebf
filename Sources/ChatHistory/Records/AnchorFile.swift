import Durability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file `anchor` beside a history: a few bytes that every batch overwrites.
///
/// The bytes fit into one sector of any disk, so the file has all of them or none. The file belongs to the holder of
/// the directory's lock. It stays open from the first write on.
public final class AnchorFile {
    /// The most bytes that are read.
    ///
    /// Units: bytes.
    private static let byteCount = 512

    private let path: String
    /// The file descriptor for writing; below 0 before the first write.
    private var descriptor: Int32 = -1
    /// The number of bytes that the last write wrote; 0 before the first write.
    ///
    /// Units: bytes.
    private var writtenCount = 0
    /// Whether the name of the file is certainly on the disk.
    private var isNamed = false

    /// Makes the anchor of the history in a directory.
    public init(directory: String) {
        path = directory + "/anchor"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the anchor belongs to a history with written records, so that a database must exist.
    ///
    /// - Throws: what the system reports.
    package var impliesHistory: Bool {
        get throws(StoreError) {
            // The first batch of a new data directory holds integrity digests only.
            try read().flatMap(HistoryAnchor.generation).map { $0 > 1 } ?? false
        }
    }

    /// Reads the content of the file; nil if there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw StoreError(systemError: errno) }
            return nil
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw StoreError(systemError: errno) }
        return Array(bytes.prefix(count))
    }

    /// Restores the content that was read before; nil removes the file, which did not exist then.
    func putBack(_ bytes: [UInt8]?) throws(StoreError) {
        if let bytes { return try write(bytes, isSynced: true) }
        guard unlink(path) == 0 || errno == ENOENT else { throw StoreError(systemError: errno) }
        close(descriptor)
        (descriptor, writtenCount, isNamed) = (-1, 0, false)
    }

    /// Overwrites the file; creates it for its owner alone if it does not exist.
    ///
    /// - Parameter isSynced: whether the content has to be on the disk when this returns.
    func write(_ bytes: [UInt8], isSynced: Bool) throws(StoreError) {
        if descriptor < 0 { descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw StoreError(systemError: errno) }
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        guard count == bytes.count else { throw StoreError(systemError: count < 0 ? errno : ENOSPC) }
        if writtenCount != bytes.count {
            guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw StoreError(systemError: errno) }
            writtenCount = bytes.count
        }
        guard isSynced else { return }
        guard fullSync(descriptor) == 0 else { throw StoreError(systemError: errno) }
        guard !isNamed else { return }
        PrivateDirectory.synchronizeNames(in: PrivateDirectory.parent(of: path))
        isNamed = true
    }
}
