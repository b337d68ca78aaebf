import ChatCore
import ChatCrypto
package import ChatHistory
package import Foundation

/// The files that hold the sealed bytes of blobs: one blob per file, under a random name.
///
/// The files are sealed and reveal nothing; their keys are in the messages that brought them. The folder is created
/// when it is first needed. Source: PROTOCOL §11.
package final class BlobFolder: Sendable {
    /// Bytes for a place of a file.
    package struct Write: Equatable, Sendable {
        package let file: String
        package let offset: UInt64
        package let bytes: [UInt8]

        package init(file: String, offset: UInt64, bytes: [UInt8]) {
            self.file = file
            self.offset = offset
            self.bytes = bytes
        }
    }

    /// The directory of the files.
    package let directory: URL
    private let isTemporary: Bool

    /// The folder of a home.
    package init(_ directory: URL) {
        self.directory = directory
        isTemporary = false
    }

    /// A folder for a node without a home, which `close()` deletes; nobody can open what a crash leaves of it.
    package init() {
        directory = FileManager.default.temporaryDirectory.appending(path: "earshot-\(UUID().uuidString)")
        isTemporary = true
    }

    /// Deletes the folder if it is temporary.
    package func close() {
        if isTemporary { try? FileManager.default.removeItem(at: directory) }
    }

    /// Returns the path of a file.
    func path(_ file: String) -> String { directory.appending(path: file).path }

    /// Creates the folder if there is none.
    func make() throws(StoreError) {
        do {
            try PrivateDirectory.make(directory.path)
        } catch {
            throw StoreError(
                .readOnly,
                reason: "\(directory.path) cannot be created. Check permissions and free space."
            )
        }
    }

    /// Writes bytes to their places, and returns when they are on the disk.
    package func write(_ writes: [Write]) throws(StoreError) {
        guard !writes.isEmpty else { return }
        try make()
        for (name, writes) in Dictionary(grouping: writes, by: \.file) {
            let file = try OpenFile(path(name), O_WRONLY | O_CREAT | O_NOFOLLOW)
            for write in writes { try file.write(write.bytes, at: write.offset) }
            try file.synchronize()
        }
        try synchronize()
    }

    /// Returns when what was written to a file is on the disk.
    @concurrent
    func flush(_ name: String) async throws(StoreError) { try synchronize(name) }

    /// Returns when what was written to a file is on the disk.
    func synchronize(_ name: String) throws(StoreError) {
        try OpenFile(path(name), O_WRONLY | O_NOFOLLOW).synchronize()
        try synchronize()
    }

    /// Opens a file to read it, or to write its missing bytes.
    func open(_ name: String, isWritten: Bool) throws(StoreError) -> OpenFile {
        guard isWritten else { return try OpenFile(path(name), O_RDONLY | O_NOFOLLOW) }
        try make()
        return try OpenFile(path(name), O_WRONLY | O_CREAT | O_NOFOLLOW)
    }

    /// Creates a file that has no name: it disappears with its last reference, whatever happens.
    func openNameless() throws(StoreError) -> OpenFile {
        try make()
        let name = randomBytes(16).hex
        defer { delete(name) }
        return try OpenFile(path(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// Waits until the names of all files are on the disk.
    func synchronize() throws(StoreError) {
        try OpenFile(directory.path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Returns bytes of a file; nil if they are not there.
    package func read(_ name: String, at offset: UInt64, count: Int) -> [UInt8]? {
        guard let file = try? OpenFile(path(name), O_RDONLY | O_NOFOLLOW),
            let bytes = try? file.read(count, at: offset), bytes.count == count
        else { return nil }
        return bytes
    }

    /// Returns the first bytes of a file; fewer if the file is shorter.
    func prefix(_ name: String, count: Int) -> [UInt8] {
        guard let file = try? OpenFile(path(name), O_RDONLY | O_NOFOLLOW) else { return [] }
        return (try? file.read(count, at: 0)) ?? []
    }

    /// Deletes a file.
    ///
    /// A missing file is no error; a file that cannot be deleted is swept later.
    package func delete(_ file: String) {
        try? FileManager.default.removeItem(at: directory.appending(path: file))
    }

    /// Deletes all files except these: a crash may leave blobs that no record knows.
    package func sweep(keeping files: Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where !files.contains(name) { delete(name) }
    }
}
