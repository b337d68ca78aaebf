import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot
@testable import EarshotRPC

@Suite("Methods")
struct MethodTests {
    private static let contact =
        #"{"colour":"blue","emoji":"🐻","fingerprint":"\#(Samples.fingerprint)","hops":2,"hubs":["tls://hub.example.org"],"id":"\#(Samples.bobHex)","lastSeen":"2023-11-14T22:13:20.123Z","name":"Bob","reachable":true,"rtt":0.005,"trust":"tofu"}"#
    private static let message =
        #"{"conversation":"\#(Samples.bobHex)","deleted":false,"edited":false,"from":"\#(Samples.aliceHex)","fromName":"Alice","id":"\#(Samples.messageHex)","kind":"text","mentions":[],"outgoing":true,"reactions":[],"receivedAt":"2023-11-14T22:13:21.500Z","request":false,"sentAt":"2023-11-14T22:13:20.000Z","status":"queued","text":"Hello"}"#

    private static let room =
        #"{"admission":"code+approval","code":"47-482913","ephemeral":true,"host":"\#(Samples.aliceHex)","id":"\#(Samples.groupHex)","maximumMembers":8,"members":[{"id":"\#(Samples.bobHex)","name":"Bob"}],"name":"Alice","own":"\#(Samples.aliceHex)","shut":false,"standing":"host","title":"Trees","waiting":[{"id":"\#(Samples.aliceHex)","name":"Al"}]}"#
    private static let group =
        #"{"epoch":4,"frozen":false,"history":"last:50","id":"\#(Samples.groupHex)","members":[{"admin":false,"id":"\#(Samples.bobHex)","leaving":false,"name":"Bob"}],"owner":"\#(Samples.bobHex)","standing":"member","title":"Trees"}"#

    private static func expect(_ reply: some Encodable, is json: String) throws {
        #expect(String(decoding: try RPCCoding.encode(reply), as: UTF8.self) == json)
    }

    @Test("The node, contacts and the mesh have the fields of the interface")
    func nodeReplies() throws {
        try Self.expect(
            StatusReply(try Samples.status()),
            is:
                #"{"carried":5,"carrying":false,"contacts":3,"delivery":"auto","fingerprint":"\#(Samples.fingerprint)","id":"\#(Samples.aliceHex)","links":1,"locked":false,"mediaBytes":6,"mediaLimit":7,"name":"Alice","neighbours":2,"outbox":4,"tampering":0,"uptime":12.345,"version":"0.1.0"}"#
        )
        try Self.expect(ContactReply(try Samples.contact()), is: Self.contact)
        try Self.expect(
            MapReply(Samples.map(of: [try Samples.contact()])),
            is:
                #"{"contacts":[\#(Self.contact)],"links":[{"address":"10.0.0.2:4000","node":"00000000000000bb","peer":"\#(Samples.bobHex)","rtt":0.0004,"uptime":90}],"neighbours":[{"address":"[fe80::2]:4000","linked":false,"node":"00000000000000cc"}],"node":"00000000000000aa"}"#
        )
        try Self.expect(
            MetricsReply(Samples.metrics),
            is: #"{"mesh_drops_total":{"late":4,"odd":0},"mesh_neighbours":3}"#
        )
        try Self.expect(
            PingCall.Reply(peer: Samples.bobHex, hops: 3, rtt: Duration.microseconds(1_234).fractionalSeconds),
            is: #"{"hops":3,"peer":"\#(Samples.bobHex)","rtt":0.001234}"#
        )
        try Self.expect(PageCall.Reply(url: "http://a/"), is: #"{"url":"http://a/"}"#)
        try Self.expect(EmptyReply(), is: "{}")
    }

    @Test("Conversations, groups and rooms have the fields of the interface")
    func conversationReplies() throws {
        let contact = try Samples.contact()
        var conversation = Conversation(
            id: .direct(contact.id),
            title: "Bob",
            members: [contact.id],
            unreadCount: 2,
            last: try Samples.message(),
            isRequest: false
        )
        func json(_ field: String) -> String {
            #"{"id":"\#(Samples.bobHex)","kind":"direct","last":\#(Self.message),"members":["\#(Samples.bobHex)"],\#(field)"request":false,"title":"Bob","unread":2}"#
        }
        try Self.expect(ConversationReply(conversation), is: json(""))
        conversation.isPinned = true
        try Self.expect(ConversationReply(conversation), is: json(#""pinned":true,"#))
        (conversation.isPinned, conversation.muteEnd) = (false, Timestamp(.distantFuture))
        try Self.expect(ConversationReply(conversation), is: json(#""mutedUntil":"4001-01-01T00:00:00.000Z","#))
        (conversation.muteEnd, conversation.timer) = (nil, .seconds(300))
        try Self.expect(ConversationReply(conversation), is: #"{"expiresAfter":300,"# + json("").dropFirst())
        try Self.expect(GroupReply(try Samples.group(of: [contact])), is: Self.group)
        try Self.expect(RoomReply(try Samples.room(of: [contact])), is: Self.room)
        try Self.expect(
            DeliveriesCall.Delivery(RecipientDelivery(recipient: contact.id, status: .failed(.notMember))),
            is: #"{"reason":"notMember","recipient":"\#(Samples.bobHex)","status":"failed"}"#
        )
        let copy = HubCopy(hub: "hub.example.org", time: Timestamp(.distantFuture))
        try Self.expect(
            DeliveriesCall.Delivery(RecipientDelivery(recipient: contact.id, status: .carried, copies: [copy])),
            is: #"{"copies":[{"hub":"hub.example.org","time":"4001-01-01T00:00:00.000Z"}],"#
                + #""recipient":"\#(Samples.bobHex)","status":"carried"}"#
        )
    }

    @Test("What is kept, found, written and read has the fields of the interface")
    func historyReplies() throws {
        let bob = ConversationID.direct(try Samples.bob())
        try Self.expect(MessageReply(try Samples.message()), is: Self.message)
        try Self.expect(
            SearchHitReply(SearchHit(message: try Samples.message(), places: [0..<2])),
            is: Self.message.replacingOccurrences(
                of: #""reactions""#,
                with: #""places":[{"count":2,"start":0}],"reactions""#
            )
        )
        let limits = Retention(age: .seconds(86_400), messageCount: 9, byteCount: 1_000)
        try Self.expect(
            RetentionReply(ConversationRetention(retention: limits, isOwn: true), of: bob),
            is: #"{"age":86400,"bytes":1000,"conversation":"\#(Samples.bobHex)","messages":9,"own":true}"#
        )
        let all = ConversationRetention(retention: .everything, isOwn: false)
        try Self.expect(RetentionReply(all, of: nil), is: #"{"own":false}"#)
        try Self.expect(
            HistoryReportReply(HistoryReport(signs: try Samples.signs(), recordCount: 9)),
            is: #"{"records":9,"signs":\#(Samples.signsJSON)}"#
        )
        try Self.expect(
            HistoryReportReply(HistoryReport(signs: [], recordCount: nil, deletedCount: 2)),
            is: #"{"deleted":2,"signs":[]}"#
        )
        let written = ExportReport(
            conversationCount: 1,
            messageCount: 3,
            fileCount: 5,
            disappearingCount: 6,
            missingFileCount: 7
        )
        try Self.expect(
            ExportCall.Reply(written),
            is: #"{"conversations":1,"disappearing":6,"files":5,"messages":3,"missingFiles":7}"#
        )
        var read = ImportReport(addedCount: 1, knownCount: 2, fileCount: 3, contactCount: 4, unknownCount: 5)
        read.note(.wrongID, in: 6)
        try Self.expect(
            ImportCall.Reply(read),
            is:
                #"{"added":1,"broken":[{"line":6,"reason":"wrongID"}],"brokenCount":1,"contacts":4,"files":3,"known":2,"newContacts":[],"unknown":5}"#
        )
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
    func drafts() throws {
        let json = #"{"to":"Bob","voices":["/c"],"images":["/b"],"longestEdge":9,"files":["/a"]}"#
        let drafts = try RPCCoding.decode(SendCall.self, from: Array(json.utf8)).drafts()
        #expect(drafts.map(\.url?.path) == ["/a", "/b", "/c"])
        #expect(drafts.map { "\($0.treatment)" } == ["asIs", "image(longestEdge: Optional(9))", "voice"])
    }

    @Test(
        "Values that a method does not take are refused",
        arguments: [
            ("trust", #"{"peer":"Bob","action":"marry"}"#, "The parameter `action` is accept, block or unblock."),
            ("delivery", #"{"setting":"slow"}"#, "The parameter `setting` is auto, private or fast."),
            ("profile", #"{"emoji":"ab"}"#, "The parameter `emoji` is one emoji, or empty for none."),
            (
                "profile", ##"{"colour":"#ff0000"}"##,
                "The parameter `colour` is one of red, orange, yellow, green, teal, blue, purple, pink, or empty for none."
            ),
            ("follow", #"{"link":"earshot:room?x"}"#, "The link of an identity begins with earshot:peer."),
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
        let answer = await RPCDispatcher(node: try await ChatNode.alice()).answer(Array(line.utf8))
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
            (.notEmoji, -32602, "notEmoji"), (.notAuthor, -32602, "notAuthor"),
            (.noSuchOption, -32602, "noSuchOption"), (.closed, -32602, "closed"), (.notHere, -32010, "notHere"),
            (.badName, -32602, "badName"),
            (.noAnswer, -32010, "noAnswer"), (.noSession, -32010, "noSession"),
            (.cancelled, -32010, "cancelled"), (.stopped, -32010, "stopped"), (.homeUnusable, -32010, "homeUnusable"),
        ] as [(ChatError.Code, Int, String)]
    )
    func errors(code: ChatError.Code, number: Int, name: String) {
        #expect(
            String(decoding: RPCDispatcher.line(RPCError(ChatError(code, "Why.") as any Error)), as: UTF8.self)
                == #"{"error":{"code":\#(number),"data":{"code":"\#(name)"},"message":"Why."},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test("An error that is no node's is no more than its number")
    func otherErrors() {
        #expect(RPCError(CancellationError()).kind == .unavailable)
        #expect(RPCError(CocoaError(.fileNoSuchFile)) == RPCError(.internalError, "The call failed."))
        #expect(RPCError(RPCError(.limited, "Wait.") as any Error) == RPCError(.limited, "Wait."))
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
        large.limit = 13_312
        #expect(RPCError(large).data?.limit == 13_312)
        var early = ChatError(.limited, "Wait.")
        early.retryAfter = .milliseconds(1_500)
        #expect(
            String(decoding: RPCDispatcher.line(RPCError(early)), as: UTF8.self)
                == #"{"error":{"code":-32009,"data":{"code":"limited","retryAfter":1.5},"message":"Wait."},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test("An answer longer than a line is refused, with the limit")
    func longAnswer() async throws {
        let node = try await ChatNode.alice()
        let text = String(repeating: "\u{1}", count: 15_000)
        let bob = try await node.contacts.named("Bob").id
        for _ in 0..<20 { try await node.conversation(.direct(bob)).send(text, files: [], MessageOptions()) }
        let dispatcher = RPCDispatcher(node: node)
        func answer(_ limit: Int) async -> [UInt8] {
            let line = #"{"jsonrpc":"2.0","method":"history","params":{"conversation":"Bob","limit":\#(limit)},"id":1}"#
            return await dispatcher.answer(Array(line.utf8)).line ?? []
        }
        #expect(
            String(decoding: await answer(20), as: UTF8.self)
                == #"{"error":{"code":-32005,"data":{"code":"tooLarge","limit":1048576},"message":"The answer is too long for one line. Ask for less at a time."},"id":1,"jsonrpc":"2.0"}"#
        )
        let page = try RPCCoding.decode(Page.self, from: await answer(10)).result
        #expect(page.map(\.text) == [String](repeating: text, count: 10))
    }

    private struct Page: Decodable {
        let result: [MessageReply]
    }
}
