import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Methods")
struct MethodTests {
    private static let contact =
        #"{"colour":"blue","emoji":"🐻","fingerprint":"\#(Samples.fingerprint)","hops":2,"id":"\#(Samples.bobHex)","lastSeen":"2023-11-14T22:13:20.123Z","name":"Bob","reachable":true,"rtt":0.005,"trust":"tofu"}"#
    private static let message =
        #"{"conversation":"\#(Samples.bobHex)","deleted":false,"edited":false,"from":"\#(Samples.aliceHex)","fromName":"Alice","id":"\#(Samples.messageHex)","kind":"text","mentions":[],"outgoing":true,"reactions":[],"receivedAt":"2023-11-14T22:13:21.500Z","request":false,"sentAt":"2023-11-14T22:13:20.000Z","status":"queued","text":"Hello"}"#

    private static let hit = message.replacingOccurrences(
        of: #""reactions""#,
        with: #""places":[{"count":2,"start":0}],"reactions""#
    )

    private static let room =
        #"{"admission":"code+approval","code":"47-482913","ephemeral":true,"host":"\#(Samples.aliceHex)","id":"\#(Samples.groupHex)","maximumMembers":8,"members":[{"id":"\#(Samples.bobHex)","name":"Bob"}],"name":"Alice","own":"\#(Samples.aliceHex)","shut":false,"standing":"host","title":"Trees","waiting":[{"id":"\#(Samples.aliceHex)","name":"Al"}]}"#
    private static func muted(until field: String) -> String {
        #"{"id":"\#(Samples.bobHex)","kind":"direct","last":\#(message),"members":["\#(Samples.bobHex)"],\#(field)"request":false,"title":"Bob","unread":2}"#
    }
    private static let group =
        #"{"epoch":4,"frozen":false,"history":"last:50","id":"\#(Samples.groupHex)","members":[{"id":"\#(Samples.bobHex)","leaving":false,"name":"Bob"}],"owner":"\#(Samples.bobHex)","standing":"member","title":"Trees"}"#

    @Test(
        "Each method answers with the fields of the interface",
        arguments: [
            (
                "status", "{}",
                #"{"carried":5,"contacts":3,"fingerprint":"\#(Samples.fingerprint)","id":"\#(Samples.aliceHex)","links":1,"locked":false,"mediaBytes":6,"mediaLimit":7,"name":"Alice","neighbours":2,"outbox":4,"tampering":0,"uptime":12.345,"version":"0.1.0"}"#
            ),
            ("profile", "{}", #"{"emoji":"🦊","name":"Alice"}"#),
            (
                "profile", #"{"name":"Alice","emoji":"","colour":"teal"}"#,
                #"{"colour":"teal","name":"Alice"}"#
            ),
            ("contacts", "{}", "[\(contact)]"),
            ("safetyNumber", #"{"peer":"Bob"}"#, #"{"number":"\#(Samples.number)","peer":"\#(Samples.bobHex)"}"#),
            ("verify", #"{"peer":"\#(Samples.bobHex)","number":"1"}"#, #"{"trust":"verified"}"#),
            (
                "verify", #"{"peer":"\#(Samples.bobHex)","code":"earshot:peer?id=\#(Samples.bobHex)"}"#,
                #"{"trust":"verified"}"#
            ),
            ("trust", #"{"peer":"Bob","action":"accept"}"#, contact),
            (
                "conversations", "{}",
                #"[{"id":"\#(Samples.bobHex)","kind":"direct","last":\#(message),"members":["\#(Samples.bobHex)"],"request":false,"title":"Bob","unread":2}]"#
            ),
            ("send", #"{"to":"Bob","text":"Hello"}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("send", #"{"to":"Bob","files":["/a/b.png"]}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("send", #"{"to":"Bob","images":["/a.png"],"longestEdge":9}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("send", #"{"to":"Bob","voices":["/a.ogg"]}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("media", #"{"message":"\#(Samples.messageHex)"}"#, #"{"path":"/home/media/0.png"}"#),
            (
                "media", #"{"message":"\#(Samples.messageHex)","index":2,"folder":"/tmp"}"#,
                #"{"path":"/tmp/2.png"}"#
            ),
            ("fetchMedia", #"{"message":"\#(Samples.messageHex)"}"#, "{}"),
            ("cancelMedia", #"{"message":"\#(Samples.messageHex)"}"#, "{}"),
            ("history", #"{"conversation":"Bob","limit":10}"#, "[\(message)]"),
            ("history", #"{"conversation":"Bob","before":"\#(Samples.messageHex)"}"#, "[]"),
            ("history", #"{"conversation":"Bob","after":"\#(Samples.messageHex)"}"#, "[]"),
            ("history", #"{"conversation":"Bob","before":"2023-11-14T22:13:21.501Z"}"#, "[\(message)]"),
            ("history", #"{"conversation":"Bob","before":"2023-11-14T22:13:21.500Z"}"#, "[]"),
            ("history.window", #"{"conversation":"Bob"}"#, #"{"after":9,"before":8,"messages":[\#(message)]}"#),
            (
                "history.window", #"{"conversation":"Bob","index":8}"#,
                #"{"after":9,"before":8,"messages":[\#(message)]}"#
            ),
            (
                "identity.rotationPlan", "{}",
                #"{"contacts":2,"following":["Choir"],"leaving":[],"owned":["Chess"]}"#
            ),
            (
                "identity.rotate", "{}",
                #"{"fingerprint":"\#(Samples.fingerprint)","id":"\#(Samples.aliceHex)","name":"Alice"}"#
            ),
            ("identity.certificate", "{}", #"{"certificate":"AQID"}"#),
            ("identity.revoke", #"{"own":true}"#, #"{"id":"\#(Samples.bobHex)"}"#),
            ("identity.revoke", #"{"certificate":"AQID"}"#, #"{"id":"\#(Samples.bobHex)"}"#),
            ("retention", "{}", #"{"own":false}"#),
            (
                "retention", #"{"conversation":"Bob","age":86400,"messages":9,"bytes":1000}"#,
                #"{"age":86400,"bytes":1000,"conversation":"\#(Samples.bobHex)","messages":9,"own":true}"#
            ),
            (
                "retention", #"{"conversation":"Bob","forever":true}"#,
                #"{"conversation":"\#(Samples.bobHex)","own":true}"#
            ),
            ("history.delete", #"{"conversation":"Bob"}"#, "{}"),
            ("draft", #"{"conversation":"Bob","text":"Dear Bob"}"#, #"{"text":"Dear Bob"}"#),
            ("pin", #"{"conversation":"Bob"}"#, muted(until: #""pinned":true,"#)),
            ("unpin", #"{"conversation":"Bob"}"#, muted(until: "")),
            ("history.check", "{}", #"{"records":9,"signs":\#(Samples.signsJSON)}"#),
            ("history.check", #"{"accept":true}"#, #"{"deleted":2,"signs":[]}"#),
            (
                "search", #"{"query":"He","conversation":"Bob","from":"Bob","kind":"text","limit":5}"#,
                "[\(hit)]"
            ),
            ("search", #"{"query":"x"}"#, "[]"),
            (
                "history.export", #"{"path":"/a","passphrase":"p","format":"html","conversation":"Bob"}"#,
                #"{"conversations":1,"disappearing":6,"files":5,"messages":3,"missingFiles":7}"#
            ),
            (
                "history.import", #"{"path":"/a","passphrase":"p"}"#,
                #"{"added":1,"broken":[{"line":6,"reason":"wrongID"}],"brokenCount":1,"contacts":4,"files":3,"known":2,"newContacts":[],"unknown":5}"#
            ),
            ("search.progress", "{}", #"{"complete":false,"done":2,"total":3,"unsearched":1}"#),
            ("markRead", #"{"conversation":"Bob"}"#, "{}"),
            ("mute", #"{"conversation":"Bob"}"#, muted(until: #""mutedUntil":"4001-01-01T00:00:00.000Z","#)),
            (
                "mute", #"{"conversation":"Bob","until":"2023-11-14T22:13:20.123Z"}"#,
                muted(until: #""mutedUntil":"2023-11-14T22:13:20.123Z","#)
            ),
            ("unmute", #"{"conversation":"Bob"}"#, muted(until: "")),
            ("markRead", #"{"conversation":"Bob","upTo":"\#(Samples.messageHex)"}"#, "{}"),
            ("react", #"{"message":"\#(Samples.messageHex)","emoji":"🦊"}"#, "{}"),
            ("edit", #"{"message":"\#(Samples.messageHex)","text":"x"}"#, "{}"),
            ("delete", #"{"message":"\#(Samples.messageHex)","forEveryone":true}"#, "{}"),
            (
                "poll.create", #"{"to":"Bob","question":"?","options":["a","b"]}"#,
                #"{"message":"\#(Samples.messageHex)"}"#
            ),
            ("poll.vote", #"{"poll":"\#(Samples.messageHex)","options":[0]}"#, "{}"),
            ("poll.close", #"{"poll":"\#(Samples.messageHex)"}"#, "{}"),
            ("timer", #"{"conversation":"Bob","expiresAfter":60}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("typing", #"{"to":"Bob"}"#, "{}"),
            ("ping", #"{"peer":"Bob"}"#, #"{"hops":3,"peer":"\#(Samples.bobHex)","rtt":0.001234}"#),
            ("ping", #"{"peer":"Bob","live":true}"#, #"{"hops":3,"peer":"\#(Samples.bobHex)","rtt":0.000234}"#),
            (
                "map", "{}",
                #"{"contacts":[\#(contact)],"links":[{"address":"10.0.0.2:4000","node":"00000000000000bb","peer":"\#(Samples.bobHex)","rtt":0.0004,"uptime":90}],"neighbours":[{"address":"[fe80::2]:4000","linked":false,"node":"00000000000000cc"}],"node":"00000000000000aa"}"#
            ),
            ("subscribe", #"{"events":["message","lagged"]}"#, "{}"),
            ("metrics", "{}", #"{"mesh_drops_total":{"late":4,"odd":0},"mesh_neighbours":3}"#),
            ("page", #"{"port":4000}"#, #"{"url":"http://127.0.0.1:4000/"}"#),
            ("shutdown", "{}", "{}"),
            ("cancel", #"{"message":"\#(Samples.messageHex)"}"#, "{}"),
            ("groups", "{}", "[\(group)]"),
            ("group.create", #"{"title":"Trees","members":["Bob"]}"#, group),
            ("group.create", #"{"title":"Trees"}"#, group),
            ("group.create", #"{"title":"Trees","history":"last:50"}"#, group),
            ("group.history", #"{"group":"Trees","history":"all"}"#, group),
            ("group.add", #"{"group":"Trees","members":["Bob"]}"#, group),
            ("group.remove", #"{"group":"Trees","member":"Bob"}"#, group),
            ("group.rename", #"{"group":"Trees","title":"Forest"}"#, group),
            ("group.handover", #"{"group":"\#(Samples.groupHex)","member":"\#(Samples.bobHex)"}"#, group),
            ("group.leave", #"{"group":"Trees"}"#, group),
            ("group.answer", #"{"group":"Trees","accept":true}"#, group),
            (
                "deliveries", #"{"message":"\#(Samples.messageHex)"}"#,
                #"[{"member":"\#(Samples.bobHex)","reason":"notMember","status":"failed"}]"#
            ),
            ("rooms", "{}", "[\(room)]"),
            ("room.visible", "{}", "[]"),
            (
                "room.create", #"{"title":"Trees","admission":"open","expiresAfter":60,"ephemeral":true}"#,
                #"{"code":"47-482913","room":"\#(Samples.groupHex)"}"#
            ),
            ("room.join", #"{"code":"47 482913","name":"Al"}"#, room),
            ("room.approve", #"{"room":"Trees","joiner":"Al"}"#, room),
            ("room.approve", #"{"room":"Trees","joiner":"\#(Samples.aliceHex)","admit":false}"#, room),
            ("room.door", #"{"room":"Trees","open":true}"#, room),
            ("room.rename", #"{"room":"Trees","title":"Forest"}"#, room),
            ("room.remove", #"{"room":"Trees","member":"Bob"}"#, room),
            ("room.handover", #"{"room":"Trees","member":"Bob"}"#, room),
            ("room.leave", #"{"room":"Trees"}"#, "{}"),
            ("room.export", "{}", #"{"rooms":[]}"#),
            (
                "room.import",
                #"{"rooms":[{"id":"\#(Samples.groupHex)","title":"T","name":"N","maximumMembers":2}]}"#,
                #"{"added":1}"#
            ),
            ("send", #"{"to":"room:Trees","text":"Hello"}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("send", #"{"to":"group:Trees","text":"Hello"}"#, #"{"message":"\#(Samples.messageHex)"}"#),
            ("history", #"{"conversation":"\#(Samples.groupHex)"}"#, "[\(message)]"),
            ("markRead", #"{"conversation":"group:Trees"}"#, "{}"),
        ]
    )
    func answers(method: String, parameters: String, result: String) async throws {
        let node = try ScriptedNode()
        await node.keep([try Samples.message()])
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let dispatcher = RPCDispatcher(node: node) { call in
            PageCall.Reply(url: "http://127.0.0.1:\(call.port ?? 0)/")
        }
        let answer = await dispatcher.answer(Array(line.utf8))
        #expect(
            answer.line.map { String(decoding: $0, as: UTF8.self) } == #"{"id":1,"jsonrpc":"2.0","result":\#(result)}"#
        )
        #expect(answer.endsNode == (method == "shutdown"))
        #expect((answer.subscription != nil) == (method == "subscribe"))
    }

    @Test("A message brings what is known of its files")
    func files() throws {
        let file = MessageFile(name: "a.png", type: "image/png", byteCount: 9, isComplete: true)
        var sample = try Samples.message("", files: [file])
        sample.kind = .file
        let message = MessageReply(sample)
        let line = String(decoding: try RPCCoding.encode(message), as: UTF8.self)
        #expect(line.contains(#""files":[{"complete":true,"name":"a.png","size":9,"type":"image/png"}],"#))
        #expect(message.kind == "file")
        #expect(try RPCCoding.decode(MessageReply.self, from: Array(line.utf8)) == message)
    }

    @Test("A message brings what is said of its pictures and voice notes")
    func media() throws {
        let peaks = [UInt8](repeating: 255, count: 64)
        let facts: [MediaFacts?] = [
            ImageFacts(width: 30, height: 20).map(MediaFacts.image),
            VoiceFacts(milliseconds: 1_500, peaks: peaks, isCut: true).map(MediaFacts.voice),
        ]
        let files = facts.map { facts in
            MessageFile(name: "a", type: "b/c", byteCount: 9, isComplete: false, isExpected: true, media: facts)
        }
        let start = #"{"complete":false,"#
        let (picture, voice) = (
            #""expected":true,"height":20,"name":"a","size":9,"type":"b/c","width":30}"#,
            #""cut":true,"duration":1.5,"expected":true,"name":"a","peaks":"\#(Data(peaks).base64EncodedString())","size":9,"type":"b/c"}"#
        )
        let message = MessageReply(try Samples.message("", files: files))
        let line = String(decoding: try RPCCoding.encode(message), as: UTF8.self)
        #expect(line.contains(#""files":[\#(start)\#(picture),\#(start)\#(voice)],"#))
        #expect(try RPCCoding.decode(MessageReply.self, from: Array(line.utf8)) == message)
        let plain = MessageFile(name: "a", type: "b/c", byteCount: 9, isComplete: true)
        func kind(_ text: String, _ files: [MessageFile]) -> String { MessageKind(text: text, files: files).rawValue }
        #expect(kind("", [files[0]]) == "image")
        #expect(kind("see", [files[0], files[0]]) == "image")
        #expect(kind("", [files[1]]) == "voice")
        #expect(kind("", [files[0], plain]) == "file")
        #expect(kind("see", files) == "text")
    }

    @Test("What is to be sent is cleaned or not, as the parameters say, files first and voice notes last")
    func drafts() async throws {
        let node = try ScriptedNode()
        let call = #"{"to":"Bob","voices":["/c"],"images":["/b"],"longestEdge":9,"files":["/a"]}"#
        let line = #"{"jsonrpc":"2.0","method":"send","params":\#(call),"id":1}"#
        _ = await RPCDispatcher(node: node).answer(Array(line.utf8))
        let type = "application/octet-stream"
        #expect(await node.sent == [" /a \(type) asIs /b \(type) image(longestEdge: Optional(9)) /c \(type) voice"])
    }

    @Test(
        "Values that a method does not take are refused",
        arguments: [
            ("trust", #"{"peer":"Bob","action":"marry"}"#, "The parameter `action` is accept, block or unblock."),
            ("profile", #"{"emoji":"ab"}"#, "The parameter `emoji` is one emoji, or empty for none."),
            (
                "profile", ##"{"colour":"#ff0000"}"##,
                "The parameter `colour` is one of red, orange, yellow, green, teal, blue, purple, pink, or empty for none."
            ),
            ("retention", #"{"age":0}"#, "The parameter `age` is a number of seconds from 60 on."),
            ("history.export", #"{"path":"a"}"#, "The parameter `path` is a path that begins with /."),
            ("history.export", #"{"path":"/a","format":"pdf"}"#, "The parameter `format` is jsonl or html."),
            ("history.import", #"{"path":"a"}"#, "The parameter `path` is a path that begins with /."),
            (
                "search", #"{"query":"x","kind":"film"}"#,
                "The parameter `kind` is text, emoji, image, voice, file, poll or system."
            ),
            ("history", #"{"conversation":"Bob","limit":0}"#, "The parameter `limit` is between 1 and 1000."),
            ("history", #"{"conversation":"Bob","limit":1001}"#, "The parameter `limit` is between 1 and 1000."),
            (
                "history", #"{"conversation":"Bob","before":"0c"}"#,
                "The parameter `before` is a message id of 32 hexadecimal digits, or a time as 2026-11-22T09:00:00.000Z."
            ),
            (
                "history.window", #"{"conversation":"Bob","index":-1}"#,
                "Give `index`, a number from 0 on, or `message`, or neither."
            ),
            (
                "send", #"{"to":"Bob","files":["/a","b"]}"#,
                "The parameter `files` holds paths that begin with /."
            ),
            (
                "send", #"{"to":"Bob","images":["b"]}"#,
                "The parameter `images` holds paths that begin with /."
            ),
            (
                "send", #"{"to":"Bob","voices":[""]}"#,
                "The parameter `voices` holds paths that begin with /."
            ),
            (
                "send", #"{"to":"Bob","images":["/b"],"longestEdge":0}"#,
                "The parameter `longestEdge` is a number of pixels from 1 on."
            ),
            (
                "media", #"{"message":"0c"}"#,
                "The parameter `message` is a message id of 32 hexadecimal digits."
            ),
            (
                "media", #"{"message":"\#(Samples.messageHex)","folder":"x"}"#,
                "The parameter `folder` is a path that begins with /."
            ),
            (
                "fetchMedia", #"{"message":"0c"}"#,
                "The parameter `message` is a message id of 32 hexadecimal digits."
            ),
            (
                "cancelMedia", #"{"message":"0c"}"#,
                "The parameter `message` is a message id of 32 hexadecimal digits."
            ),
            (
                "room.create", #"{"title":"x","admission":"friends"}"#,
                "The parameter `admission` is code, code+approval or open."
            ),
            (
                "room.join", #"{"code":"47-48291"}"#,
                "A room's code has eight digits, as 47-482913; an invite begins with earshot:room."
            ),
            (
                "subscribe", #"{"events":["gossip"]}"#,
                "The events of this release are link.up, link.down, contact, trust, conversation, message, message.changed, message.removed, typing, assistant.token, status, group, room, progress, file.failed, envelope, erased, locked, unlocked, storage, history.tampered, lagged."
            ),
        ]
    )
    func refusals(method: String, parameters: String, reason: String) async throws {
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await RPCDispatcher(node: try ScriptedNode()).answer(Array(line.utf8))
        #expect(
            answer.line.map { String(decoding: $0, as: UTF8.self) }
                == #"{"error":{"code":-32602,"data":{"code":"invalidParams"},"message":"\#(reason)"},"id":1,"jsonrpc":"2.0"}"#
        )
        #expect(answer.subscription == nil)
    }

    @Test(
        "A node's error has its number and name on the wire",
        arguments: [
            (.notFound, -32001, "notFound"), (.ambiguous, -32002, "ambiguous"),
            (.refusedByTrust, -32003, "refusedByTrust"), (.locked, -32004, "locked"),
            (.tooLarge, -32005, "tooLarge"), (.numberMismatch, -32006, "numberMismatch"),
            (.notMember, -32007, "notMember"), (.notOwner, -32010, "notOwner"), (.ownsGroup, -32010, "ownsGroup"),
            (.frozen, -32010, "frozen"),
            (.limited, -32009, "limited"), (.empty, -32602, "empty"), (.fileUnusable, -32602, "fileUnusable"),
            (.mediaRefused, -32602, "mediaRefused"), (.noMediaCleaner, -32010, "noMediaCleaner"),
            (.notHere, -32010, "notHere"), (.badName, -32602, "badName"),
            (.noAnswer, -32010, "noAnswer"), (.noSession, -32010, "noSession"),
            (.stopped, -32010, "stopped"), (.homeUnusable, -32010, "homeUnusable"),
        ] as [(ChatError.Code, Int, String)]
    )
    func errors(code: ChatError.Code, number: Int, name: String) async throws {
        let node = try ScriptedNode()
        await node.refuse(with: ChatError(code, "Why."))
        let line = #"{"jsonrpc":"2.0","method":"send","params":{"to":"Bob","text":"x"},"id":1}"#
        let answer = await RPCDispatcher(node: node).answer(Array(line.utf8))
        #expect(
            answer.line.map { String(decoding: $0, as: UTF8.self) }
                == #"{"error":{"code":\#(number),"data":{"code":"\#(name)"},"message":"Why."},"id":1,"jsonrpc":"2.0"}"#
        )
    }

    @Test("An error brings what a program needs to go on")
    func details() throws {
        var ambiguous = ChatError(.ambiguous, "Two.")
        ambiguous.candidates = [try Samples.alice(), try Samples.bob()]
        #expect(RPCError(ambiguous).data?.candidates == [Samples.aliceHex, Samples.bobHex])
        var refused = ChatError(.refusedByTrust, "Changed.")
        refused.trust = .changed
        #expect(RPCError(refused).data?.state == "changed")
        var large = ChatError(.tooLarge, "Long.")
        large.limit = 15_360
        #expect(RPCError(large).data?.limit == 15_360)
        var early = ChatError(.limited, "Wait.")
        early.retryAfter = .milliseconds(1_500)
        #expect(
            String(decoding: RPCDispatcher.line(RPCError(early)), as: UTF8.self)
                == #"{"error":{"code":-32009,"data":{"code":"limited","retryAfter":1.5},"message":"Wait."},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test("An answer longer than a line is refused, with the limit")
    func longAnswer() async throws {
        let node = try ScriptedNode()
        let text = String(repeating: "\u{1}", count: 15_360)
        await node.keep(try (0..<20).map { try Samples.message(text, id: String(format: "%032x", $0)) })
        let dispatcher = RPCDispatcher(node: node)
        func answer(_ limit: Int) async -> [UInt8] {
            let line = #"{"jsonrpc":"2.0","method":"history","params":{"conversation":"Bob","limit":\#(limit)},"id":1}"#
            return await dispatcher.answer(Array(line.utf8)).line ?? []
        }
        #expect(
            String(decoding: await answer(20), as: UTF8.self)
                == #"{"error":{"code":-32005,"data":{"code":"tooLarge","limit":1048576},"message":"The answer is longer than a line may be; ask for less at a time."},"id":1,"jsonrpc":"2.0"}"#
        )
        let page = try RPCCoding.decode(Page.self, from: await answer(10)).result
        #expect(page.map(\.text) == [String](repeating: text, count: 10))
    }

    private struct Page: Decodable {
        let result: [MessageReply]
    }
}
