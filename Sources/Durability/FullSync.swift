#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Waits until a loss of power no longer takes away what was written to a file, or the names in a directory.
///
/// On Apple's systems `fsync` leaves bytes in the disk's own cache. `F_FULLFSYNC` empties the cache too, but some file
/// systems, such as those of other machines, refuse it.
///
/// - Returns: 0, or -1 with the reason in `errno`, as `fsync` does.
package func fullSync(_ descriptor: CInt) -> CInt {
    #if canImport(Darwin)
        while fcntl(descriptor, F_FULLFSYNC) != 0 {
            switch errno {
            case EINTR: continue
            case EINVAL, ENOTSUP, ENOTTY, EOPNOTSUPP: return fsync(descriptor)
            default: return -1
            }
        }
        return 0
    #else
        return fsync(descriptor)
    #endif
}
