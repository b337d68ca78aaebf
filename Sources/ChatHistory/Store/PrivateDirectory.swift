import Durability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Directories that only their owner can access.
package enum PrivateDirectory {
    /// Creates a directory unless it exists, and returns when its name is on the disk.
    ///
    /// Files written and synchronized in a directory are lost with it until the disk has its name.
    ///
    /// - Parameter hasParents: Whether the parent directory exists; if not, missing parents are created too.
    /// - Throws: What the system reports.
    package static func make(_ path: String, hasParents: Bool = false) throws(StoreError) {
        if mkdir(path, 0o700) == 0 { return synchronizeNames(in: parent(of: path)) }
        let failure = errno
        if failure == EEXIST { return }
        let around = parent(of: path)
        guard failure == ENOENT, !hasParents, around != path else { throw StoreError(systemError: failure) }
        try make(around)
        try make(path, hasParents: true)
    }

    /// Waits until the disk has the names in a directory; returns at once if the owner may not read the directory.
    static func synchronizeNames(in directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fullSync(descriptor)
        close(descriptor)
    }

    /// Returns the parent directory of a file or directory.
    static func parent(of path: String) -> String {
        guard let end = path.lastIndex(where: { $0 != "/" }) else { return "/" }
        guard let slash = path[...end].lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
