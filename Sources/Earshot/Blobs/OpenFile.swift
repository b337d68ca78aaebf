import ChatHistory
import Durability
import Foundation

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
    private let descriptor: Int32

    /// Opens a file; with `O_CREAT`, a new file is readable by its owner alone.
    init(_ path: String, _ flags: Int32) throws(StoreError) {
        let opened = open(path, flags | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Self.failure() }
        descriptor = opened
    }

    deinit { _ = close(descriptor) }

    /// Units: bytes.
    var byteCount: UInt64 {
        get throws(StoreError) {
            let end = lseek(descriptor, 0, SEEK_END)
            guard end >= 0 else { throw Self.failure() }
            return UInt64(end)
        }
    }

    /// Writes all of the bytes at an offset.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Self.failure()
            }
            done += count
        }
    }

    /// Reads the bytes from an offset on; fewer at the end of the file.
    func read(_ count: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[done...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if read == 0 { break }
                if read > 0 {
                    done += read
                } else if errno != EINTR {
                    hasFailed = true
                    break
                }
            }
        }
        guard !hasFailed else { throw Self.failure() }
        return bytes
    }

    /// Lets the system begin to write to the disk, so that `synchronize` has less to wait for.
    ///
    /// This is a hint that does not affect durability: errors show when the file is synchronized.
    func startWriteOut(from start: UInt64, to end: UInt64) {
        #if os(Linux)
            // This drops clean pages and begins to write dirty ones; here all pages are dirty.
            _ = posix_fadvise(descriptor, off_t(start), off_t(end - start), POSIX_FADV_DONTNEED)
        #endif
    }

    /// Waits until everything written is on the disk.
    func synchronize() throws(StoreError) {
        guard fullSync(descriptor) == 0 else { throw Self.failure() }
    }

    /// Returns the error of the system call that has just failed.
    private static func failure() -> StoreError {
        switch errno {
        case ENOSPC, EDQUOT: StoreError(.diskFull)
        case EROFS, EACCES, EPERM: StoreError(.readOnly)
        case let code: StoreError(.ioFailed, reason: "A file cannot be used: \(String(cString: strerror(code))).")
        }
    }
}
