package import ChatCore
import ChatCrypto
import Durability
package import Foundation

/// One change of the files of a home, which is on the disk when it is done.
///
/// A change of the key and the erasure of a home are lists of such steps, so that a crash between any two of them can
/// be examined; see ``KeyChange`` and ``HomeErasure``.
package enum HomeStep: Sendable {
    /// The creation of a file for the owner alone, in place of one of this name.
    case write(String, SecretBytes)
    /// The renaming of a file to the name of another, whose bytes are overwritten.
    case move(String, to: String)
    /// The renaming of a file, if it is there, to a name under which nothing looks for it.
    case setAside(String, as: String)
    /// The overwriting of a file, and then its deletion.
    case shred(String)
    /// The deletion of a file, or of a folder with its contents.
    case remove(String)

    /// Carries the step out; a missing file that would be deleted is no error.
    ///
    /// - Throws: `homeUnusable`.
    package func perform(in directory: URL) throws(ChatError) {
        func path(_ name: String) -> String { directory.appending(path: name).path }
        switch self {
        case .write(let name, let bytes): try Self.put(bytes, at: path(name))
        case .move(let name, let other): try Self.rename(path(name), over: path(other), in: directory)
        case .setAside(let name, let other):
            guard Foundation.rename(path(name), path(other)) == 0 || errno == ENOENT else {
                throw Self.refused(path(name))
            }
        case .shred(let name): try Self.overwriteAndUnlink(path(name))
        case .remove(let name): try Self.delete(path(name))
        }
        try Self.synchronizeNames(in: directory)
    }

    private static func synchronizeNames(in directory: URL) throws(ChatError) {
        guard let folder = opened(directory.path, O_RDONLY | O_DIRECTORY) else { throw refused(directory.path) }
        defer { close(folder) }
        guard fullSync(folder) == 0 else { throw refused(directory.path) }
    }

    private static func put(_ bytes: SecretBytes, at path: String) throws(ChatError) {
        unlink(path)
        guard let file = opened(path, O_WRONLY | O_CREAT | O_EXCL) else { throw refused(path) }
        defer { close(file) }
        let count = bytes.withBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count, fullSync(file) == 0 else {
            unlink(path)
            throw refused(path)
        }
    }

    private static func rename(_ path: String, over other: String, in directory: URL) throws(ChatError) {
        let old = opened(other, O_WRONLY)
        defer { if let old { close(old) } }
        guard Foundation.rename(path, other) == 0 else { throw refused(other) }
        guard let old else { return }
        // The former file has no name any more, but its blocks are on the disk. They are overwritten once the disk has
        // the new name: before that, a loss of power would leave them under it.
        try synchronizeNames(in: directory)
        overwrite(old)
    }

    private static func overwriteAndUnlink(_ path: String) throws(ChatError) {
        if let file = opened(path, O_WRONLY) {
            overwrite(file)
            close(file)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw refused(path) }
    }

    private static func delete(_ path: String) throws(ChatError) {
        // A file goes at once; anything else, such as a folder, is removed as a whole.
        if unlink(path) == 0 || errno == ENOENT { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw refused(path)
        }
    }

    /// Overwrites as far as possible: if a disk refuses this, deleting the file is still worthwhile.
    private static func overwrite(_ file: Int32) {
        let zeros = [UInt8](repeating: 0, count: Int(clamping: max(0, lseek(file, 0, SEEK_END))))
        _ = pwrite(file, zeros, zeros.count, 0)
        _ = fullSync(file)
    }

    private static func opened(_ path: String, _ flags: Int32) -> Int32? {
        let file = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return file < 0 ? nil : file
    }

    private static func refused(_ path: String) -> ChatError {
        ChatError(.homeUnusable, "\(path) cannot be changed. Check permissions and free space, then try again.")
    }
}

extension [HomeStep] {
    /// Carries the steps out in order.
    package func perform(in directory: URL) throws(ChatError) {
        for step in self { try step.perform(in: directory) }
    }
}
