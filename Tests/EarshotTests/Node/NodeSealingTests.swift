import ChatCrypto
import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Synchronization
import Testing

@testable import ChatCore

/// Files on the disk, which a node seals for a contact while virtual time stands still.
@Suite("The sealing of files before their message", .timeLimit(.minutes(30)))
struct NodeSealingTests {
    @Test(
        "A cancelled task seals no further chunk, keeps nothing, and gives the room back",
        arguments: [1_000_000, 5_000_000]
    )
    func cancellation(byteCount: Int) async throws {
        let scene = try FileScene()
        let files = [
            FileDraft(try scene.file("first", FileScene.bytes(100_000))),
            FileDraft(try scene.file("second", FileScene.bytes(byteCount))),
        ]
        let home = try TestHome()
        let folder = home.file("blobs").path
        try await withContact(.directory(home.directory)) {
            (node: ChatNode, conversation: ConversationHandle) async throws in
            let before = try await conversation.history()
            let seen = Mutex<(fractions: [Double], names: [String])>(([], []))
            let error = await refusal {
                try await conversation.send("see", files: files) { fraction in
                    seen.withLock { seen in
                        seen.fractions.append(fraction)
                        guard fraction >= 0.5, seen.names.isEmpty else { return }
                        seen.names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
            }
            #expect(error?.code == .cancelled)
            // The first file was sealed, and the second one was begun.
            #expect(seen.withLock { $0.names.count } == 2)
            #expect(seen.withLock { $0.fractions.filter { $0 >= 0.5 }.count } == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(await node.status.mediaByteCount == 0)
            #expect(try await conversation.history() == before)
            try await conversation.send("see", files: files)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
            #expect(await node.status.mediaByteCount == 100_000 + UInt64(byteCount))
        }
    }

    @Test("A task that is cancelled already seals nothing, neither files nor a long text, and sends a short one")
    func cancelledBefore() async throws {
        let scene = try FileScene()
        let file = FileDraft(try scene.file("empty", []))
        let home = try TestHome()
        try await withContact(.directory(home.directory)) {
            (node: ChatNode, conversation: ConversationHandle) async throws in
            let long = String(repeating: "x", count: ChatLimits.longTextByteCount)
            for (text, files) in [("", [file]), (long, [])] {
                let error = await refusal {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await conversation.send(text, files: files) { Issue.record("\($0) is sealed") }
                }
                #expect(error?.code == .cancelled)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path) == [])
            let sent = await refusal {
                withUnsafeCurrentTask { $0?.cancel() }
                try await conversation.send("hello")
            }
            #expect(sent == nil)
            #expect(try await conversation.history().last?.text == "hello")
        }
    }

    @Test("A task that is cancelled while a picture is cleaned cleans no further one, and keeps nothing")
    func cancelledCleaning() async throws {
        let scene = try FileScene()
        let picture = FileDraft.image(try scene.file("a", [1, 2, 3]))
        let home = try TestHome()
        let cleaner = CancellingCleaner()
        let settings = ChatConfiguration(mediaCleaner: cleaner)
        try await withContact(.directory(home.directory), settings) {
            (node: ChatNode, conversation: ConversationHandle) async throws in
            let error = await refusal { try await conversation.send("", files: [picture, picture]) }
            #expect(error?.code == .cancelled)
            #expect(cleaner.count.withLock { $0 } == 1)
            let kept = try? FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path)
            #expect(kept ?? [] == [])
            #expect(await node.status.mediaByteCount == 0)
        }
    }

    @Test("The progress of all files together ascends in at most a hundred steps, and ends with 1")
    func progress() async throws {
        let scene = try FileScene()
        let large = FileDraft(try scene.file("large", FileScene.bytes(3_000_000)))
        let small = FileDraft(try scene.file("small", [1, 2, 3]))
        let empty = FileDraft(try scene.file("empty", []))
        let picture = FileDraft.image(try scene.file("picture", [1, 200, 5]))
        let settings = ChatConfiguration(mediaCleaner: PickyCleaner())
        let cases = [
            ([], 1...1), ([empty], 1...1), ([picture], 1...1), ([small, empty, picture], 2...3),
            ([large], 90...100), ([small, large, picture, large, empty], 90...100),
        ]
        try await withContact(.memory, settings) { (_: ChatNode, conversation: ConversationHandle) async throws in
            for (files, counts) in cases {
                let seen = Mutex<[Double]>([])
                try await conversation.send("see", files: files) { fraction in seen.withLock { $0.append(fraction) } }
                let fractions = seen.withLock(\.self)
                #expect(counts.contains(fractions.count), "\(fractions)")
                #expect(fractions.last == 1)
                #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 }, "\(fractions)")
                #expect(fractions.allSatisfy { $0 > 0 })
            }
        }
    }

    /// Opens a node that knows one other, and stops both afterwards.
    private func withContact(
        _ home: Home,
        _ settings: ChatConfiguration = ChatConfiguration(),
        _ body: (ChatNode, ConversationHandle) async throws -> Void
    ) async throws {
        let mesh = VirtualMesh(.clique(2))
        let node = try await ChatNode.open(home, orCreate: "Alice", mesh.configuration(settings, at: 0))
        try await node.start()
        let bob = try await mesh.node("Bob", at: 1)
        let id = bob.identity.id
        #expect(try await mesh.run { try await node.contacts[id] != nil })
        try await body(node, node.conversation(.direct(id)))
        await node.stop()
        await bob.stop()
    }

    /// Runs a call in a task of its own, so that only that task is cancelled, and returns its error.
    private func refusal<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> ChatError? {
        switch await Task(operation: { try await body() }).result {
        case .success: nil
        case .failure(let error): error as? ChatError
        }
    }
}

/// A cleaner that leaves pictures as they are and cancels the task that waits for them.
private final class CancellingCleaner: MediaCleaner {
    /// The number of pictures cleaned.
    let count = Mutex(0)

    func cleanImage(_ bytes: [UInt8], longestEdge: Int?) throws(ChatError) -> CleanMedia {
        count.withLock { $0 += 1 }
        withUnsafeCurrentTask { $0?.cancel() }
        guard let facts = ImageFacts(width: 1, height: 1) else { throw ChatError(.mediaRefused, "There is no pixel.") }
        return CleanMedia(bytes: bytes, type: "image/png", facts: .image(facts))
    }

    func cleanVoice(_ bytes: [UInt8]) throws(ChatError) -> CleanMedia {
        throw ChatError(.mediaRefused, "This cleaner is for pictures.")
    }

    func check(_ bytes: [UInt8], type: String, against facts: MediaFacts) throws(ChatError) {}
}
