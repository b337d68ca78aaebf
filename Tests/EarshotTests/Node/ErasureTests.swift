import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Erasing a home")
struct ErasureTests {
    private static let steps = HomeErasure.keySteps + HomeErasure.otherSteps

    /// Makes a data directory with every kind of file that can be in one.
    private func home() async throws -> (home: TestHome, key: Data) {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        for folder in ["media", "blobs", "rooms/00"] {
            let url = home.file(folder)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data("something".utf8).write(to: url.appending(path: "file"))
        }
        try Data("EARSHOTV".utf8).write(to: home.file("vault.bin.new"))
        return (home, try Data(contentsOf: home.file("key.bin")).dropFirst(8))
    }

    @Test(
        "Wherever it is cut off, the next who opens the home finishes it, and nothing is left",
        arguments: 1...steps.count
    )
    func cutOff(_ count: Int) async throws {
        let (home, key) = try await home()
        try Array(Self.steps.prefix(count)).perform(in: home.directory)
        let isKeyGone = count >= HomeErasure.keySteps.count
        #expect(try home.files(containing: key).isEmpty || !isKeyGone)
        guard count < Self.steps.count else {
            // Only the lock remains. This is an empty data directory.
            #expect(try home.files().keys.sorted() == ["lock"])
            return
        }
        let error = try #require(try await home.refusal(name: "Mallory"))
        #expect(error.code == .erasing)
        #expect(!FileManager.default.fileExists(atPath: home.directory.path))
        #expect(try await home.refusal(name: "Bob") == nil)
    }

    @Test("A node erases its home and stops; nothing is left, and a new identity can be made there")
    func openHome() async throws {
        let (home, _) = try await home()
        let id = try await home.open { node in
            let id = await node.status.id
            try await node.destroy()
            #expect(!FileManager.default.fileExists(atPath: home.directory.path))
            let error = await #expect(throws: ChatError.self) { try await node.identity.setNickname("Carol") }
            #expect(error?.code == .stopped)
            return id
        }
        #expect(try await home.open(name: "Alice") { await $0.status.id } != id)
    }

    @Test("A closed home is erased without its passphrase; what else lies there stays, and nobody's home is no home")
    func closedHome() async throws {
        let home = try VaultHome()
        try await home.make()
        try await home.change(from: nil, to: "horse")
        try Data("mine".utf8).write(to: home.file("notes"))
        try ChatNode.destroy(home.directory)
        #expect(try home.home.files().keys.sorted() == ["notes"])
        let error = #expect(throws: ChatError.self) { try ChatNode.destroy(home.directory) }
        #expect(error?.code == .noIdentity)
    }

    @Test("While another process erases a home, whoever comes is told so")
    func busy() async throws {
        let (home, _) = try await home()
        try await home.open { _ in
            try HomeErasure.keySteps[0].perform(in: home.directory)
            #expect(try await home.refusal()?.code == .erasing)
        }
    }
}
