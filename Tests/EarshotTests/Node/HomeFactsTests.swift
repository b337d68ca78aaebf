import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("A home from outside")
struct HomeFactsTests {
    private func read(_ home: TestHome) -> HomeFacts {
        var facts = HomeFacts(lookingAt: home.directory)
        facts.lastChange = nil
        return facts
    }

    @Test("What is not there is not made by looking")
    func missing() throws {
        let home = try TestHome()
        var expected = HomeFacts(path: home.directory.path)
        expected.exists = false
        #expect(read(home) == expected)
        #expect(!FileManager.default.fileExists(atPath: home.directory.path))
    }

    @Test("A home with a key file, while a node owns it and after")
    func keyFile() async throws {
        let home = try TestHome()
        var expected = HomeFacts(path: home.directory.path)
        expected.key = .file
        expected.keyMode = 0o600
        try await home.open(name: "Alice") { _ in
            var owned = expected
            owned.owner = .process(Int(ProcessInfo.processInfo.processIdentifier))
            #expect(read(home) == owned)
        }
        let before = try home.files()
        #expect(read(home) == expected)
        #expect(try home.files() == before)
        try home.setMode(0o755, of: home.directory)
        expected.mode = 0o755
        #expect(read(home) == expected)
    }

    @Test("A home with a passphrase, and when it was changed last")
    func vault() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice", passphrase: "correct horse") { _ in }
        #expect(read(home).key == .passphrase)
        let time = Date(timeIntervalSince1970: 4_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: home.file("history.sqlite").path)
        #expect(HomeFacts(lookingAt: home.directory).lastChange == time)
    }
}
