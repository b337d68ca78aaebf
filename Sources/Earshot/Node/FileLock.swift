import ChatCore
import Foundation
import Synchronization

/// An advisory lock on a file that names its holder; the system releases it when the process ends, however it ends.
final class FileLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes the lock; throws with the holder's process number if another process has it.
    init(_ file: URL) throws(ChatError) {
        let opened = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw ChatError(
                .homeUnusable,
                "\(file.path) cannot be written. Check the permissions of the data directory and the free space."
            )
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.readHolder(opened)
            close(opened)
            let who = holder.map { "process \($0)" } ?? "another process"
            throw ChatError(
                .homeInUse,
                "\(who) already uses this data directory: stop it, or talk to it over its socket."
            )
        }
        let text = "\(ProcessInfo.processInfo.processIdentifier)\n"
        _ = ftruncate(opened, 0)
        _ = text.withCString { pwrite(opened, $0, strlen($0), 0) }
        descriptor = Mutex(opened)
    }

    /// Keeps other processes from taking a lock, without writing to its file; nil if there is no file.
    ///
    /// - Throws: `homeInUse`.
    init?(sharing file: URL) throws(ChatError) {
        let opened = open(file.path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard flock(opened, LOCK_SH | LOCK_NB) == 0 else {
            let holder = Self.readHolder(opened)
            close(opened)
            throw ChatError(
                .homeInUse,
                "\(holder.map { "process \($0)" } ?? "another process") uses this data directory: stop it."
            )
        }
        descriptor = Mutex(opened)
    }

    deinit {
        release()
    }

    /// Releases the lock.
    ///
    /// This unlocks before it closes: a process that is being started elsewhere in the program shares the descriptor
    /// until it runs its own program, and would keep the lock for that time.
    func release() {
        descriptor.withLock { held in
            if let open = held {
                _ = flock(open, LOCK_UN)
                _ = close(open)
            }
            held = nil
        }
    }

    /// Returns the holder of the lock on a file.
    ///
    /// To find out, this shares the lock for an instant; a process that tries to take it in that instant is refused as
    /// by any other holder.
    static func owner(of file: URL) -> HomeFacts.Owner {
        let opened = open(file.path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return .nobody }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) == 0 ? .nobody : .process(readHolder(opened))
    }

    private static func readHolder(_ descriptor: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let digits = buffer.prefix(count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
