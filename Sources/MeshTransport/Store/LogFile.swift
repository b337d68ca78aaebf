import Durability
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that only its owner can read, and that grows at its end.
///
/// Invariant: bytes that `append` could not write are not part of the file's `byteCount`, and the next append
/// overwrites them.
final class LogFile {
    private let descriptor: CInt
    /// Units: bytes that belong to the file.
    private(set) var byteCount: Int

    /// Opens the file; creates it if there is none.
    init(_ path: String) throws(IOError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open") }
        var status = stat()
        // A pipe or a device may never end. Other users must not read the file, whichever program made it.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) == 0 else {
            let failure =
                status.st_mode & S_IFMT == S_IFREG
                ? Self.failure("fchmod") : IOError(errnoCode: EINVAL, reason: "not a regular file")
            close(descriptor)
            throw failure
        }
        byteCount = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the bytes from an offset on, at most `count`; none at the end.
    func read(from offset: Int, count: Int) throws(IOError) -> [UInt8] {
        while true {
            var answer = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
                answer = pread(descriptor, buffer.baseAddress, count, off_t(offset))
                initializedCount = max(0, answer)
            }
            if answer >= 0 { return bytes }
            guard errno == EINTR else { throw Self.failure("pread") }
        }
    }

    /// Writes all of the bytes at the end, or none of them.
    func append(_ bytes: [UInt8]) throws(IOError) {
        var written = 0
        while written < bytes.count {
            let answer = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress?.advanced(by: written),
                    bytes.count - written,
                    off_t(byteCount + written)
                )
            }
            guard answer > 0 else {
                if answer < 0, errno == EINTR { continue }
                let failure = Self.failure("pwrite")
                _ = ftruncate(descriptor, off_t(byteCount))
                throw failure
            }
            written += answer
        }
        byteCount += written
    }

    /// Cuts off everything behind the given number of bytes.
    func truncate(to count: Int) throws(IOError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw Self.failure("ftruncate") }
        byteCount = count
    }

    /// Waits until the disk has everything.
    func synchronize() throws(IOError) {
        guard fullSync(descriptor) == 0 else { throw Self.failure("fsync") }
    }

    /// Replaces the file at the path `old` by the one at `new`, durably.
    static func exchange(_ new: String, for old: String) throws(IOError) {
        guard rename(new, old) == 0 else { throw failure("rename") }
        try synchronizeDirectory(of: old)
    }

    /// Deletes a file, if it is there.
    static func remove(_ path: String) {
        unlink(path)
    }

    /// Waits until the disk has the names in a file's directory.
    static func synchronizeDirectory(of path: String) throws(IOError) {
        let end = path.lastIndex(of: "/").map { path[..<$0] }
        let directory = open(end.map { $0.isEmpty ? "/" : String($0) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("open") }
        defer { close(directory) }
        guard fullSync(directory) == 0 else { throw failure("fsync") }
    }

    private static func failure(_ call: String) -> IOError {
        IOError(errnoCode: errno, reason: call)
    }
}
