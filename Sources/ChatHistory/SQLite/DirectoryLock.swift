#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right of one store to use a folder, held as a lock on the file `history.lock` in it.
///
/// A file of its own, and `flock` rather than a lock on the database: the locks SQLite sets on the database belong to
/// the process and are lost when any descriptor of that file is closed, as `HistoryFile` does after its look at it.
/// The system lets go of the lock when the process ends, however it ends.
final class DirectoryLock: Sendable {
    let descriptor: Int32

    init(directory: String) throws(StoreError) {
        let opened = open(directory + "/history.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreError(systemError: errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            // Read before the descriptor is closed, which may set it anew.
            let failure = errno
            close(opened)
            throw StoreError(systemError: failure)
        }
        // Last, for an object that has all its properties is taken down, with the descriptor, when its making fails.
        descriptor = opened
    }

    /// Unlocks before closing: a process that is being started elsewhere in the program shares the descriptor until it
    /// runs its own program, and would keep the lock for that time.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
