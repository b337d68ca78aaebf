import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite(
    "Homes on a full disk",
    .timeLimit(.minutes(30)),
    .enabled(if: TinyDisk.isPossible, .init(rawValue: TinyDisk.need))
)
struct FullDiskTests {
    /// Returns the actions of a user in a data directory.
    ///
    /// The names are those of the test's messages.
    private func steps(_ disk: TinyDisk) -> [(String, @Sendable (ChatNode, PeerID) async throws -> Void)] {
        let file = disk.home.deletingLastPathComponent()
        return [
            (
                "file",
                { node, peer in
                    let scene = try FileScene()
                    let draft = FileDraft(try scene.file("a", FileScene.bytes(300_000)))
                    try await node.conversation(.direct(peer)).send("with a file", files: [draft])
                }
            ),
            ("long text", { try await $0.conversation(.direct($1)).send(String(repeating: "long ", count: 9_000)) }),
            ("group", { node, _ in try await node.conversations.createGroup(title: "More", members: []) }),
            ("draft", { try await $0.conversation(.direct($1)).setDraft(String(repeating: "d", count: 60_000)) }),
            ("limits", { try await $0.conversation(.direct($1)).setRetention(Retention(messageCount: 1_000)) }),
            ("export", { node, _ in try await node.history.export(to: file.appending(path: "\(UUID())")) }),
            ("backup", { node, _ in _ = try await node.identity.backUp(passphrase: "horse") }),
            ("passphrase", { node, _ in try await node.changeKey(from: .keyFile, to: .passphrase("horse")) }),
            ("no passphrase", { node, _ in try await node.changeKey(from: .passphrase("horse"), to: .keyFile) }),
            ("deletion", { try await $0.conversation(.direct($1)).deleteHistory() }),
        ]
    }

    @Test(
        "Whatever is done on a full disk is done or refused as a whole, and goes on with room; nothing confirmed is lost"
    )
    func everyStep() async throws {
        let disk = try TinyDisk(kibibytes: 3_072)
        var settings = ChatConfiguration()
        settings.passphraseCost = .small
        let node = try await ChatNode.create(name: "Alice", in: .directory(disk.home), settings)
        let peer = try await node.meetOnPaper("Bob")
        let bob = node.conversation(.direct(peer))
        try disk.fill()
        var confirmed: Set<MessageID> = []
        var refusal: ChatError?
        // The database's log has space of its own for a while.
        while refusal == nil, confirmed.count < 200 {
            do {
                confirmed.insert(try await bob.send(String(repeating: "x", count: 15_000)).id)
            } catch {
                refusal = error
            }
        }
        #expect(
            refusal?.code == .homeUnusable && refusal?.reason.contains("full") == true,
            "\(String(describing: refusal))"
        )
        var refused: Set<String> = []
        for (name, step) in steps(disk) where name != "deletion" {
            do {
                try await step(node, peer)
            } catch let error as ChatError {
                refused.insert(name)
                let codes: Set<ChatError.Code> = [.homeUnusable, .fileUnusable, .noPassphrase]
                #expect(codes.contains(error.code), "\(name): \(error)")
            }
        }
        #expect(refused.isSuperset(of: ["file", "long text", "draft", "export"]), "\(refused)")
        try disk.clear()
        try disk.resize(kibibytes: 16_384)
        for (name, step) in steps(disk) where name != "deletion" && !(name == "passphrase" && !refused.contains(name)) {
            do {
                try await step(node, peer)
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        let kept = Set(try await bob.history(limit: 1_000).map(\.id))
        #expect(kept.isSuperset(of: confirmed))
        await node.stop()
        let next = try await ChatNode.open(.directory(disk.home), settings)
        #expect(Set(try await next.conversation(.direct(peer)).history(limit: 1_000).map(\.id)) == kept)
        #expect(try await next.history.check().signs.isEmpty)
        await next.stop()
    }
}

extension ChatNode {
    /// Adds a contact that no mesh has discovered, by an import.
    ///
    /// Messages to the contact wait.
    func meetOnPaper(_ name: String) async throws -> PeerID {
        let scene = try FileScene()
        let identity = Identity().publicIdentity
        let keys = [identity.signingKey, identity.agreementKey].map { Data($0).base64EncodedString() }
        let lines = """
            {"type":"earshot","version":1,"exportedAt":"","id":"\(Identity().publicIdentity.id)","name":""}
            {"type":"contact","id":"\(identity.id)","name":"\(name)","trust":"tofu","fingerprint":"","signingKey":\
            "\(keys[0])","agreementKey":"\(keys[1])"}
            """
        try await history.importArchive(from: try scene.file("contact", Array(lines.utf8)))
        return identity.id
    }
}
