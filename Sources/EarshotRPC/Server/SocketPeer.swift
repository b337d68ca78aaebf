#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The user at the other end of a Unix socket, as the system reports it.
enum SocketPeer {
    /// Reads the user at the other end; nil if the system does not report it.
    static func user(of descriptor: Int32) -> UInt32? {
        #if canImport(Darwin)
            var user = uid_t()
            var group = gid_t()
            return getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #else
            // The structure has three 32-bit numbers: process, user, group (unix(7), SO_PEERCRED).
            var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
            let size = MemoryLayout.size(ofValue: credentials)
            var length = socklen_t(size)
            let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
            return result == 0 && length == size ? credentials.user : nil
        #endif
    }

    /// Whether the other end is the user of this process.
    ///
    /// Root has no exception.
    static func isOwnUser(_ descriptor: Int32) -> Bool {
        user(of: descriptor) == geteuid()
    }
}
