#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file `anchor` beside a history: a few bytes that are written over at every batch.
///
/// They fit one sector of any disk, so that they are there whole or not at all. Belongs to whoever holds the lock of the
/// folder, and keeps the file open from the first writing on.
public final class AnchorFile {
    /// Units: bytes that are read at most.
    private static let byteCount = 512

    private let path: String
    /// The file as it is written; below 0 before the first writing.
    private var descriptor: Int32 = -1
    /// How long this wrote it; 0 before the first writing.
    private var writtenCount = 0
    /// Whether its name is on the disk for certain.
    private var isNamed = false

    /// The anchor of the history in a folder.
    public init(directory: String) {
        path = directory + "/anchor"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether it tells of a history in which something was written once, so that one must be there.
    ///
    /// - Throws: what the system reports.
    package var tellsOfHistory: Bool {
        get throws(StoreError) {
            // The first batch of a home holds no more than sums.
            try read().flatMap(HistoryAnchor.generation).map { $0 > 1 } ?? false
        }
    }

    /// What is in it, or nil if there is no file.
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

    /// Makes it what it was when it was read; nil for a file that was not there.
    func putBack(_ bytes: [UInt8]?) throws(StoreError) {
        if let bytes { return try write(bytes, isSynced: true) }
        guard unlink(path) == 0 || errno == ENOENT else { throw StoreError(systemError: errno) }
        close(descriptor)
        (descriptor, writtenCount, isNamed) = (-1, 0, false)
    }

    /// Writes over it, and makes it for its owner alone if there is none.
    ///
    /// - Parameter isSynced: whether it is to be on the disk when this returns.
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
        guard fsync(descriptor) == 0 else { throw StoreError(systemError: errno) }
        guard !isNamed else { return }
        PrivateDirectory.synchronizeNames(in: PrivateDirectory.parent(of: path))
        isNamed = true
    }
}
