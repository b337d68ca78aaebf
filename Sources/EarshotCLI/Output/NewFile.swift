import Foundation

/// A new file that only its owner can read, and that never replaces another.
enum NewFile {
    static func write(_ bytes: Data, to file: String) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .badData,
                "\(file) cannot be created: \(String(cString: strerror(errno))). Existing files are never overwritten."
            )
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            unlink(file)
            throw CommandFailure(.failed, "\(file) cannot be written. Check the free space.")
        }
    }
}
