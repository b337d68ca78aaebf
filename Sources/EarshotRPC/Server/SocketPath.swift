#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The path of a Unix socket in the file system.
package struct SocketPath: Hashable, Sendable {
    /// The kind of file at a socket's path.
    enum Occupant: Hashable, Sendable {
        /// No file.
        case nothing
        /// A socket on which a process answers.
        case live
        /// A socket whose process is dead.
        case stale
        /// A file of another kind.
        case other
    }

    /// The path as text.
    package let text: String

    /// Makes a path.
    ///
    /// - Throws: `pathTooLong` if the system allows fewer bytes.
    package init(_ text: String) throws(RPCServerError) {
        let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard text.utf8.count <= capacity else {
            throw RPCServerError(
                .pathTooLong,
                """
                \(text) is longer than the \(capacity) bytes of a socket's path. Choose a data directory with a \
                shorter path.
                """
            )
        }
        self.text = text
    }

    /// Connects a stream socket to the path.
    ///
    /// - Parameter user: the user whose process must answer.
    /// - Returns: the descriptor, which the caller closes.
    package func connect(user: UInt32 = geteuid()) throws(RPCServerError) -> Int32 {
        let descriptor = try Self.makeSocket()
        guard connect(descriptor) else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw RPCServerError(.nobodyThere, "Nobody answers at \(text): \(reason).")
        }
        // A data directory that another user created first could receive passphrases and texts.
        guard SocketPeer.user(of: descriptor) == user else {
            close(descriptor)
            throw RPCServerError(
                .foreignUser,
                "A process of another user answers at \(text). Use a data directory of your own."
            )
        }
        return descriptor
    }

    /// Determines the kind of file at the path by a trial connection.
    func occupant() throws(RPCServerError) -> Occupant {
        var information = stat()
        guard lstat(text, &information) == 0 else {
            guard errno == ENOENT else {
                throw RPCServerError(.system, "\(text): \(String(cString: strerror(errno))).")
            }
            return .nothing
        }
        guard information.st_mode & S_IFMT == S_IFSOCK else { return .other }
        let descriptor = try Self.makeSocket()
        defer { close(descriptor) }
        if connect(descriptor) { return .live }
        // Only a refused connection proves that no process listens. Another error, such as a full queue, means a busy
        // process.
        return errno == ECONNREFUSED ? .stale : .live
    }

    private func connect(_ descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemConnect(descriptor, $0, length) == 0 }
        }
    }

    private static func makeSocket() throws(RPCServerError) -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            let descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
        guard descriptor >= 0 else {
            throw RPCServerError(.system, "The system gives no socket: \(String(cString: strerror(errno))).")
        }
        return descriptor
    }
}

/// Calls the system's `connect`, which a method of that name hides.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
