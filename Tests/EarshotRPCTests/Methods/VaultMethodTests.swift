import ChatCrypto
import Foundation
import Synchronization
import Testing

@testable import Earshot
@testable import EarshotRPC

@Suite("Methods of the vault")
struct VaultMethodTests {
    private func answer(_ method: String, _ parameters: String = "{}", of node: ScriptedNode) async throws -> String {
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await RPCDispatcher(node: node).answer(Array(line.utf8))
        return String(decoding: try #require(answer.line), as: UTF8.self)
    }

    @Test("Acts of a person count as use of the node, and nothing that clients ask for by themselves does")
    func acts() async throws {
        let acts = [
            "verify", "trust", "send", "mute", "unmute", "history.delete", "pin", "unpin", "react", "edit", "delete",
            "poll.create", "poll.vote", "poll.close", "timer", "typing", "fetchMedia", "cancelMedia", "cancel",
            "group.create", "group.history", "group.add", "group.remove", "group.rename", "group.handover",
            "group.leave", "group.answer", "room.create", "room.join", "room.approve", "room.door", "room.rename",
            "room.remove", "room.handover", "room.leave", "passphrase.set", "passphrase.change", "passphrase.remove",
            "identity.backup", "identity.rotate", "identity.certificate", "identity.revoke", "room.export",
            "room.import", "search", "history.export", "history.import", "present",
        ]
        let others = [
            "status", "profile", "contacts", "safetyNumber", "conversations", "history", "history.window", "markRead",
            "media", "history.check", "retention", "draft", "deliveries", "groups", "rooms", "room.visible", "lock",
            "unlock", "erase", "identity.rotationPlan", "search.progress", "ping", "map", "metrics", "page", "page.end",
            "subscribe", "shutdown",
        ]
        #expect(Set(acts) == RPCMethods.acts)
        #expect(Set(acts + others) == Set(RPCMethods.all.map { $0.name }))
        let node = try ScriptedNode()
        let reading = [
            "status", "profile", "contacts", "conversations", "groups", "rooms", "room.visible", "map", "retention",
            "search.progress", "metrics", "subscribe",
        ]
        for method in reading { #expect(try await answer(method, of: node).contains(#""result""#), "\(method)") }
        for method in ["history", "history.window", "markRead", "draft"] {
            let line = try await answer(method, #"{"conversation":"Bob"}"#, of: node)
            #expect(line.contains(#""result""#), "\(method)")
        }
        #expect(await node.useCount == 0)
        for (method, parameters) in [
            ("present", "{}"), ("typing", #"{"to":"Bob"}"#), ("send", #"{"to":"Bob","text":"x"}"#),
            ("draft", #"{"conversation":"Bob","text":""}"#), ("profile", #"{"name":"Al"}"#),
            ("retention", #"{"forever":true}"#), ("search", #"{"query":"x"}"#),
        ] {
            let before = await node.useCount
            _ = try await answer(method, parameters, of: node)
            #expect(await node.useCount == before + 1, "\(method)")
        }
    }

    @Test("A locked node answers every method but a few with its own error, and none of these counts as use")
    func locked() async throws {
        let node = try ScriptedNode()
        #expect(try await answer("lock", of: node).contains(#""result":{}"#))
        for method in ["contacts", "conversations", "map", "profile", "present", "passphrase.set"] {
            let line = try await answer(method, method == "passphrase.set" ? #"{"new":"x"}"# : "{}", of: node)
            #expect(line.contains("-32004") && line.contains(#""code":"locked""#), "\(line)")
        }
        for method in ["status", "metrics", "subscribe", "lock"] {
            #expect(try await answer(method, of: node).contains(#""result""#))
        }
        #expect(try await answer("erase", #"{"conversation":"Bob"}"#, of: node).contains("-32004"))
        #expect(try await answer("unlock", #"{"passphrase":"wrong horse"}"#, of: node).contains("-32004"))
        #expect(try await answer("unlock", #"{"passphrase":"right horse"}"#, of: node).contains(#""result":{}"#))
        #expect(await node.useCount == 0)
        #expect(try await answer("contacts", of: node).contains(#""result""#))
    }

    @Test("Locking a node and ending its page end the page's sessions, and nothing else does")
    func pageEnds() async throws {
        let node = try ScriptedNode()
        let count = Mutex(0)
        let dispatcher = RPCDispatcher(node: node, endPage: { count.withLock { $0 += 1 } })
        for (method, ends) in [("status", 0), ("page.end", 1), ("lock", 2), ("contacts", 2)] {
            _ = await dispatcher.answer(Array(#"{"jsonrpc":"2.0","method":"\#(method)","id":1}"#.utf8))
            #expect(count.withLock { $0 } == ends, "\(method)")
        }
    }

    @Test("Erasing takes one conversation or everything, never neither nor both, and everything ends the node")
    func erase() async throws {
        let node = try ScriptedNode()
        for parameters in [
            "{}", #"{"everything":false}"#, #"{"everything":true,"conversation":"Bob"}"#, #"{"all":true}"#,
        ] {
            #expect(try await answer("erase", parameters, of: node).contains("-32602"))
        }
        #expect(await node.erased.isEmpty)
        func ends(_ parameters: String) async -> Bool {
            let line = #"{"jsonrpc":"2.0","method":"erase","params":\#(parameters),"id":1}"#
            return await RPCDispatcher(node: node).answer(Array(line.utf8)).endsNode
        }
        #expect(await !ends(#"{"conversation":"Bob"}"#))
        #expect(await ends(#"{"everything":true}"#))
        #expect(await node.erased == [.direct(try Samples.contact().id), nil])
    }

    @Test("Revoking takes the node's own identity or a certificate, never neither nor both")
    func revoke() async throws {
        let node = try ScriptedNode()
        for parameters in [
            "{}", #"{"own":false}"#, #"{"own":true,"certificate":"AQID"}"#, #"{"certificate":"!"}"#, #"{"peer":"Bob"}"#,
        ] {
            #expect(try await answer("identity.revoke", parameters, of: node).contains("-32602"))
        }
        #expect(await node.revoked.isEmpty)
        _ = try await answer("identity.revoke", #"{"certificate":"AQID"}"#, of: node)
        _ = try await answer("identity.revoke", #"{"own":true}"#, of: node)
        #expect(await node.revoked == [[1, 2, 3], nil])
    }

    @Test("The three changes of a passphrase are handed on, and tell what there is afterwards")
    func passphrases() async throws {
        let node = try ScriptedNode()
        #expect(try await answer("passphrase.set", #"{"new":"a"}"#, of: node).contains(#""passphrase":true"#))
        let both = #"{"current":"a","new":"b"}"#
        #expect(try await answer("passphrase.change", both, of: node).contains(#""passphrase":true"#))
        #expect(try await answer("passphrase.remove", #"{"current":"b"}"#, of: node).contains(#""passphrase":false"#))
        #expect(try await answer("passphrase.change", #"{"new":"b"}"#, of: node).contains("-32602"))
        #expect(await node.passphraseChanges.map(\.new) == ["a", "b", nil])
        await node.refuse(with: ChatError(.badPassphrase, "No."))
        #expect(try await answer("passphrase.set", #"{"new":""}"#, of: node).contains(#""code":"badPassphrase""#))
        await node.refuse(with: ChatError(.noPassphrase, "No."))
        #expect(try await answer("passphrase.remove", #"{"current":""}"#, of: node).contains(#""code":"noPassphrase""#))
    }
}
