import Foundation
import Synchronization
import Testing

@testable import ChatHistory

@Suite("Directory lock")
struct DirectoryLockTests {
    @Test("A folder has one lock at a time")
    func exclusive() throws {
        let folder = try TemporaryFolder()
        var lock: DirectoryLock? = try DirectoryLock(directory: folder.path)
        #expect(lock != nil)
        #expect(throws: StoreError(.inUse)) { try DirectoryLock(directory: folder.path) }
        lock = nil
        #expect(throws: Never.self) { try DirectoryLock(directory: folder.path) }
    }

    @Test("A lock let go is free although a process that is just starting shares its descriptor")
    func sharedDescriptor() throws {
        let folder = try TemporaryFolder()
        var lock: DirectoryLock? = try DirectoryLock(directory: folder.path)
        let shared = dup(try #require(lock?.descriptor))
        defer { close(shared) }
        lock = nil
        #expect(throws: Never.self) { try DirectoryLock(directory: folder.path) }
    }

    @Test("A lock that is refused closes no descriptor that is another's by then")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        let lock = try DirectoryLock(directory: folder.path)
        let isOver = Mutex(false)
        // Each file that the task opens gets the lowest free number, often one that a refused lock has just released.
        let opening = Task.detached {
            var lostCount = 0
            while !isOver.withLock({ $0 }) {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                for _ in 0..<20 { _ = fcntl(descriptor, F_GETFD) }
                if descriptor < 0 || close(descriptor) != 0 { lostCount += 1 }
            }
            return lostCount
        }
        var refusalCount = 0
        for _ in 0..<20_000 {
            do {
                _ = try DirectoryLock(directory: folder.path)
            } catch {
                refusalCount += 1
            }
        }
        isOver.withLock { $0 = true }
        #expect(await opening.value == 0)
        #expect(refusalCount == 20_000)
        withExtendedLifetime(lock) {}
    }
}
