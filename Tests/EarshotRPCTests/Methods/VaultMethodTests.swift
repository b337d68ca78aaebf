import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import Earshot

@Suite("Methods of the vault")
struct VaultMethodTests {
    private func answer(_ method: String, _ parameters: String = "{}", of node: ScriptedNode) async throws -> String {
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await RPCDispatcher(node: node).answer(Array(line.utf8))
        return String(decoding: try #require(answer.line), as: UTF8.self)
    }

    @Test("A locked node answers every method but a few with its own error, and only those others count as use")
    func locked() async throws {
        let node = try ScriptedNode()
        _ = try await answer("contacts", of: node)
        #expect(await node.useCount == 1)
        #expect(try await answer("lock", of: node).contains(#""result":{}"#))
        for method in ["contacts", "conversations", "map", "profile", "passphrase.set"] {
            let line = try await answer(method, method == "passphrase.set" ? #"{"new":"x"}"# : "{}", of: node)
            #expect(line.contains("-32004") && line.contains(#""code":"locked""#), "\(line)")
        }
        for method in ["status", "metrics", "subscribe", "lock"] {
            #expect(try await answer(method, of: node).contains(#""result""#))
        }
        #expect(try await answer("erase", #"{"conversation":"Bob"}"#, of: node).contains("-32004"))
        #expect(try await answer("unlock", #"{"passphrase":"wrong horse"}"#, of: node).contains("-32004"))
        #expect(try await answer("unlock", #"{"passphrase":"right horse"}"#, of: node).contains(#""result":{}"#))
        #expect(await node.useCount == 1)
        #expect(try await answer("contacts", of: node).contains(#""result""#))
        #expect(await node.useCount == 2)
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
