import Foundation
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
}
