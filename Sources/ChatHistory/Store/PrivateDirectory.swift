#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Folders for their owner alone.
package enum PrivateDirectory {
    /// Makes a folder unless it is there, and returns when its name is on the disk.
    ///
    /// What is written and synchronized in a folder is lost with it, as long as the disk does not have its name.
    ///
    /// - Parameter hasParents: Whether the folder around it is there; if not, it is made too where it is missing.
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

    /// Waits until the disk has the names in a folder; where its owner may not read it nothing is waited for.
    static func synchronizeNames(in directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// The folder around a file or folder.
    static func parent(of path: String) -> String {
        guard let end = path.lastIndex(where: { $0 != "/" }) else { return "/" }
        guard let slash = path[...end].lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
