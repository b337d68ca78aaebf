import Foundation
import Testing

@testable import Earshot
@testable import EarshotRPC

@Suite("Methods that the page may call")
struct AccessTests {
    /// The allowed methods, listed so that adding one is a decision made here.
    private static let allowed: Set = [
        "status", "profile", "contacts", "safetyNumber", "verify", "trust", "contact.rename", "conversations",
        "send", "history",
        "history.window", "markRead", "mute", "unmute", "history.delete", "retention", "draft", "pin", "unpin", "react",
        "edit", "delete", "poll.create", "poll.vote", "poll.close", "timer", "typing", "fetchMedia", "cancelMedia",
        "cancel", "deliveries", "groups", "group.create", "group.history", "group.add", "group.remove", "group.rename",
        "group.admin", "group.successor", "group.takeOver", "group.handover", "group.leave", "group.answer", "rooms",
        "room.visible", "room.create", "room.join", "room.approve", "room.door", "room.rename", "room.remove",
        "room.handover", "room.leave", "passphrase.set",
        "passphrase.change", "passphrase.remove", "lock", "unlock", "identity.rotationPlan", "identity.rotate",
        "identity.revoke", "search", "subscribe", "present", "delivery", "hubs", "hubs.add", "hubs.remove", "follow",
        "identity.invite", "identity.endInvites", "group.inviters", "map",
    ]

    @Test("The page may call these methods, and its owner's command all")
    func list() {
        #expect(Set(RPCMethods.all.filter(RPCAccess.page.allows).map { $0.name }) == Self.allowed)
        #expect(RPCMethods.all.allSatisfy(RPCAccess.owner.allows))
    }

    @Test(
        "What the page may not call is refused and not done",
        arguments: [
            ("media", #"{"message":"\#(Samples.messageHex)","folder":"/tmp"}"#), ("history.check", "{}"),
            ("history.export", #"{"path":"/tmp/earshot-never","passphrase":"p"}"#),
            ("history.import", #"{"path":"/tmp/earshot-never"}"#), ("identity.backup", #"{"passphrase":"p"}"#),
            ("identity.certificate", "{}"), ("erase", #"{"everything":true}"#), ("room.export", "{}"),
            ("room.import", #"{"rooms":[]}"#), ("search.progress", "{}"), ("ping", #"{"peer":"Bob"}"#),
            ("metrics", "{}"), ("page", "{}"), ("page.end", "{}"), ("shutdown", "{}"), ("hubs.reload", "{}"),
        ]
    )
    func refused(method: String, parameters: String) async throws {
        let node = try await ChatNode.alice()
        let before = await node.lastActivity
        let dispatcher = RPCDispatcher(node: node, access: .page)
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await dispatcher.answer(Array(line.utf8))
        let text = String(decoding: try #require(answer.line), as: UTF8.self)
        #expect(text.contains("-32601") && text.contains("The page cannot call `\(method)`"), "\(text)")
        #expect(!answer.endsNode && answer.subscription == nil)
        #expect(await node.lastActivity == before)
        #expect(try await node.contacts.all().count == 2)
        // The rule is the same in a batch and for a method that waits.
        let batch = await dispatcher.answer(Array("[\(line)]".utf8))
        #expect(String(decoding: try #require(batch.line), as: UTF8.self) == "[\(text)]")
    }

    @Test("A page sends no files by their paths", arguments: ["files", "images", "voices"])
    func paths(parameter: String) async throws {
        let node = try await ChatNode.alice()
        let before = await node.lastActivity
        for paths in ["[\"/etc/hostname\"]", "[]"] {
            let line =
                #"{"jsonrpc":"2.0","method":"send","params":{"to":"Bob","text":"x","\#(parameter)":\#(paths)},"id":1}"#
            let answer = await RPCDispatcher(node: node, access: .page).answer(Array(line.utf8))
            let text = String(decoding: try #require(answer.line), as: UTF8.self)
            #expect(text.contains("-32602") && text.contains("A page cannot use paths"), "\(text)")
        }
        #expect(await node.lastActivity == before)
    }
}
