import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite(
    "Homes on small disks",
    .timeLimit(.minutes(30)),
    .enabled(if: TinyDisk.isPossible, .init(rawValue: TinyDisk.need))
)
struct HomeDiskTests {
    @Test("On a full disk no home is made, and with room again it is")
    func fullAtFirst() async throws {
        let disk = try TinyDisk(kibibytes: 1_024)
        try disk.fill()
        let error = try #require(await refusal(disk))
        #expect(error.code == .homeUnusable)
        #expect(error.reason.contains("space"))
        #expect(try disk.files()["key.bin"] == nil)
        try disk.clear()
        #expect(await refusal(disk) == nil)
    }

    @Test("A disk with room for the key alone is told, and the home is finished once there is more")
    func fullAfterKey() async throws {
        let disk = try TinyDisk(kibibytes: 24)
        let error = try #require(await refusal(disk))
        #expect(error.code == .homeUnusable)
        let key = try disk.files()["key.bin"]
        try disk.resize(kibibytes: 1_024)
        #expect(await refusal(disk) == nil)
        let finished = try disk.files()["key.bin"]
        #expect(key == nil || key == finished)
    }

    @Test("A home that can only be read is refused, and stays as it is")
    func readOnly() async throws {
        let disk = try TinyDisk(kibibytes: 1_024)
        #expect(await refusal(disk) == nil)
        let before = try disk.files()
        try disk.makeReadOnly()
        let error = try #require(await refusal(disk))
        #expect(error.code == .homeUnusable)
        #expect(error.reason.contains("permissions"))
        #expect(try disk.files() == before)
    }

    @Test("While the disk is full nothing is confirmed, and with room again everything arrives")
    func fullWhileRunning() async throws {
        let disk = try TinyDisk(kibibytes: 1_024)
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, home: .directory(disk.home))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await bob.node.contacts.decide(.accept, about: aliceID)
            try disk.fill()
            // SQLite's log has space of its own for a while.
            var messages: [Message] = []
            repeat {
                messages.append(
                    try await alice.node.conversation(.direct(bobID)).send(String(repeating: "x", count: 15_000))
                )
            } while messages.count < 100
            let reason = try await bob.first { event -> String? in
                if case .storageFailing(let reason) = event { reason } else { nil }
            }
            #expect(!reason.isEmpty)
            await #expect(throws: (any Error).self) {
                try await bob.node.conversation(.direct(aliceID)).send(String(repeating: "x", count: 15_000))
            }
            try disk.resize(kibibytes: 16_384)
            for message in messages { #expect(try await alice.statuses(of: message).last == .delivered) }
            #expect(
                try await bob.node.conversation(.direct(aliceID)).history(limit: 1_000).map(\.id) == messages.map(\.id)
            )
        }
    }

    private func refusal(_ disk: TinyDisk) async -> ChatError? {
        do throws(ChatError) {
            _ = try await ChatNode.open(.directory(disk.home), orCreate: "Alice")
            return nil
        } catch {
            return error
        }
    }
}
