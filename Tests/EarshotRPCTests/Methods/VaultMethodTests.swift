import ChatCrypto
import Foundation
import Synchronization
import Testing

@testable import Earshot
@testable import EarshotRPC

@Suite("Methods of the vault")
struct VaultMethodTests {
    @Test("Acts of a person count as use of the node, and nothing that clients ask for by themselves does")
    func acts() async throws {
        let acts = [
            "verify", "trust", "contact.rename",
            "send", "mute", "unmute", "history.delete", "pin", "unpin", "react", "edit", "delete",
            "poll.create", "poll.vote", "poll.close", "timer", "typing", "fetchMedia", "cancelMedia", "cancel",
            "group.create", "group.history", "group.add", "group.remove", "group.rename", "group.admin",
            "group.successor", "group.takeOver", "group.handover", "group.leave", "group.answer", "room.create",
            "room.join", "room.approve", "room.door", "room.rename",
            "room.remove", "room.handover", "room.leave", "passphrase.set", "passphrase.change", "passphrase.remove",
            "identity.backup", "identity.rotate", "identity.certificate", "identity.revoke", "identity.invite",
            "identity.endInvites", "room.export", "room.import", "search", "history.export", "history.import",
            "present", "hubs.add", "hubs.remove", "follow",
        ]
        let others = [
            "status", "profile", "contacts", "safetyNumber", "conversations", "history", "history.window", "markRead",
            "media", "history.check", "retention", "draft", "deliveries", "groups", "rooms", "room.visible", "lock",
            "unlock", "erase", "identity.rotationPlan", "search.progress", "ping", "map", "metrics", "page", "page.end",
            "subscribe", "shutdown", "delivery", "hubs.reload", "hubs", "group.inviters",
        ]
        #expect(Set(acts) == RPCMethods.acts)
        #expect(Set(acts + others) == Set(RPCMethods.all.map { $0.name }))
        let node = try await ChatNode.alice()
        let made = await node.lastActivity
        let reading = [
            "status", "profile", "contacts", "conversations", "groups", "rooms", "room.visible", "map", "retention",
            "search.progress", "metrics", "subscribe", "delivery", "hubs", "group.inviters",
        ]
        for method in reading { #expect(try await node.answer(method).contains(#""result""#), "\(method)") }
        for method in ["history", "history.window", "markRead", "draft"] {
            let line = try await node.answer(method, #"{"conversation":"Bob"}"#)
            #expect(line.contains(#""result""#), "\(method)")
        }
        #expect(await node.lastActivity == made)
        for (method, parameters) in [
            ("present", "{}"), ("typing", #"{"to":"Bob"}"#), ("send", #"{"to":"Bob","text":"x"}"#),
            ("draft", #"{"conversation":"Bob","text":""}"#), ("profile", #"{"name":"Al"}"#),
            ("retention", #"{"forever":true}"#), ("delivery", #"{"setting":"fast"}"#),
            ("group.inviters", #"{"inviters":"nobody"}"#), ("search", #"{"query":"x"}"#),
        ] {
            let before = await node.lastActivity
            _ = try await node.answer(method, parameters)
            #expect(await node.lastActivity > before, "\(method)")
        }
    }

    @Test("A locked node answers every method but a few with its own error, and none of these counts as use")
    func locked() async throws {
        let folder = try TemporaryFolder()
        let node = try await ChatNode.alice(home: .directory(folder.url), passphrase: "right horse")
        let made = await node.lastActivity
        #expect(try await node.answer("lock").contains(#""result":{}"#))
        for method in ["contacts", "conversations", "map", "profile", "present", "delivery", "passphrase.set"] {
            let line = try await node.answer(method, method == "passphrase.set" ? #"{"new":"x"}"# : "{}")
            #expect(line.contains("-32004") && line.contains(#""code":"locked""#), "\(line)")
        }
        for method in ["status", "metrics", "subscribe", "lock", "hubs"] {
            #expect(try await node.answer(method).contains(#""result""#))
        }
        #expect(try await node.answer("erase", #"{"conversation":"Bob"}"#).contains("-32004"))
        #expect(try await node.answer("unlock", #"{"passphrase":"wrong horse"}"#).contains("-32004"))
        #expect(await node.lastActivity == made)
        #expect(try await node.answer("unlock", #"{"passphrase":"right horse"}"#).contains(#""result":{}"#))
        #expect(try await node.answer("contacts").contains(#""result""#))
    }

    @Test("Locking a node and ending its page end the page's sessions, and nothing else does")
    func pageEnds() async throws {
        let folder = try TemporaryFolder()
        let node = try await ChatNode.alice(home: .directory(folder.url), passphrase: "right horse")
        let count = Mutex(0)
        let dispatcher = RPCDispatcher(node: node, endPage: { count.withLock { $0 += 1 } })
        for (method, ends) in [("status", 0), ("page.end", 1), ("lock", 2), ("contacts", 2)] {
            _ = await dispatcher.answer(Array(#"{"jsonrpc":"2.0","method":"\#(method)","id":1}"#.utf8))
            #expect(count.withLock { $0 } == ends, "\(method)")
        }
    }

    @Test("Erasing takes one conversation or everything, never neither nor both, and everything ends the node")
    func erase() async throws {
        let folder = try TemporaryFolder()
        let node = try await ChatNode.alice(home: .directory(folder.url))
        _ = try await node.answer("send", #"{"to":"Bob","text":"x"}"#)
        for parameters in [
            "{}", #"{"everything":false}"#, #"{"everything":true,"conversation":"Bob"}"#, #"{"all":true}"#,
        ] {
            #expect(try await node.answer("erase", parameters).contains("-32602"))
        }
        #expect(try await node.texts() == ["x"])
        func ends(_ parameters: String) async -> Bool {
            let line = #"{"jsonrpc":"2.0","method":"erase","params":\#(parameters),"id":1}"#
            return await RPCDispatcher(node: node).answer(Array(line.utf8)).endsNode
        }
        #expect(await !ends(#"{"conversation":"Bob"}"#))
        #expect(try await node.texts() == [])
        #expect(await ends(#"{"everything":true}"#))
        #expect(!FileManager.default.fileExists(atPath: folder.path("history.sqlite")))
    }

    @Test("Revoking takes the node's own identity or a certificate, never neither nor both")
    func revoke() async throws {
        let (node, other) = (try await ChatNode.alice(), try await ChatNode.alice())
        for parameters in [
            "{}", #"{"own":false}"#, #"{"own":true,"certificate":"AQID"}"#, #"{"certificate":"!"}"#, #"{"peer":"Bob"}"#,
            #"{"certificate":"AQID"}"#,
        ] {
            #expect(try await !node.answer("identity.revoke", parameters).contains("result"))
        }
        #expect(await !node.status.isRevoked)
        let certificate = Data(try await other.identity.revocationCertificate()).base64EncodedString()
        let line = try await node.answer("identity.revoke", #"{"certificate":"\#(certificate)"}"#)
        #expect(line.isResult(#"{"id":"\#(await other.status.id)"}"#), "\(line)")
        #expect(await !node.status.isRevoked)
        let own = try await node.answer("identity.revoke", #"{"own":true}"#)
        #expect(own.isResult(#"{"id":"\#(await node.status.id)"}"#), "\(own)")
        #expect(await node.status.isRevoked)
    }

    @Test("The three changes of a passphrase are carried out, and tell what there is afterwards")
    func passphrases() async throws {
        let folder = try TemporaryFolder()
        let node = try await ChatNode.alice(home: .directory(folder.url))
        func answer(_ method: String, _ parameters: String) async throws -> String {
            try await node.answer("passphrase.\(method)", parameters)
        }
        #expect(try await answer("remove", #"{"current":""}"#).contains(#""code":"noPassphrase""#))
        #expect(try await answer("set", #"{"new":""}"#).contains(#""code":"badPassphrase""#))
        #expect(try await answer("set", #"{"new":"right horse"}"#).isResult(#"{"passphrase":true}"#))
        let both = #"{"current":"right horse","new":"left horse"}"#
        #expect(try await answer("change", both).isResult(#"{"passphrase":true}"#))
        #expect(try await answer("change", both).contains("-32004"))
        #expect(try await answer("change", #"{"new":"b"}"#).contains("-32602"))
        #expect(try await answer("remove", #"{"current":"left horse"}"#).isResult(#"{"passphrase":false}"#))
    }
}
