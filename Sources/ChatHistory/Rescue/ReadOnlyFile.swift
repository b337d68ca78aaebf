#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file open for reading only; it closes with its last reference.
final class ReadOnlyFile: Sendable {
    /// The size of the file at opening.
    ///
    /// Units: bytes.
    let byteCount: Int
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: what the system reports.
    init(_ path: String) throws(StoreError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw StoreError(systemError: errno) }
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw StoreError(.cannotOpen)
        }
        descriptor = opened
        byteCount = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    /// Reads the bytes from an offset on, fewer at the end of the file; nil if the disk cannot read them.
    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[done...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                if read == 0 { break }
                if read > 0 {
                    done += read
                } else if errno != EINTR {
                    failed = true
                    break
                }
            }
        }
        return failed ? nil : bytes
    }
}
