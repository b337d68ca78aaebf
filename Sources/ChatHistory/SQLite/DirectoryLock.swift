#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right of one store to use a directory, held as a lock on the file `history.lock` in it.
///
/// The lock is on a file of its own and uses `flock`, not a lock on the database. The locks that SQLite sets on the
/// database belong to the process and are lost when any descriptor of that file is closed, as `HistoryFile` does after
/// it reads the header. The system releases the lock when the process ends, however it ends.
final class DirectoryLock: Sendable {
    let descriptor: Int32

    init(directory: String) throws(StoreError) {
        let opened = open(directory + "/history.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreError(systemError: errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            // Read before the descriptor is closed, which may set it again.
            let failure = errno
            close(opened)
            throw StoreError(systemError: failure)
        }
        // Assigned last: if the initializer failed with all properties set, `deinit` would close the descriptor.
        descriptor = opened
    }

    /// Unlocks before closing: a process that another part of the program is starting shares the descriptor until it
    /// runs its own program, and would keep the lock for that time.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
