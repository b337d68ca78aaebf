import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Methods of polls, reactions, edits and timers")
struct ContentMethodTests {
    private func answer(_ method: String, _ parameters: String, of node: ScriptedNode) async throws -> String {
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await RPCDispatcher(node: node).answer(Array(line.utf8))
        return String(decoding: try #require(answer.line), as: UTF8.self)
    }

    @Test(
        "Each method hands the node what it was given",
        arguments: [
            (
                "send",
                #"{"to":"Bob","text":"x","replyTo":"\#(Samples.messageHex)","mentions":["Bob"],"expiresAfter":30}"#,
                "x to \(Samples.messageHex) naming [\(Samples.bobHex)] for 30 s"
            ),
            ("react", #"{"message":"\#(Samples.messageHex)","emoji":"🦊"}"#, "react 🦊 other"),
            ("react", #"{"message":"\#(Samples.messageHex)","emoji":"🦊","on":false}"#, "react 🦊 false"),
            ("edit", #"{"message":"\#(Samples.messageHex)","text":"y"}"#, "edit y"),
            ("delete", #"{"message":"\#(Samples.messageHex)","forEveryone":true}"#, "delete true"),
            ("delete", #"{"message":"\#(Samples.messageHex)"}"#, "delete false"),
            (
                "poll.create",
                #"{"to":"Bob","question":"?","options":["a","b"],"multiple":true,"mayChange":false,"expiresAfter":5}"#,
                #"ask ? ["a", "b"] true false for 5 s"#
            ),
            ("poll.create", #"{"to":"Bob","question":"?","options":["a","b"]}"#, #"ask ? ["a", "b"] false true"#),
            ("poll.vote", #"{"poll":"\#(Samples.messageHex)","options":[1,2]}"#, "vote [1, 2]"),
            ("poll.close", #"{"poll":"\#(Samples.messageHex)"}"#, "close"),
            ("timer", #"{"conversation":"Bob","expiresAfter":0}"#, "timer 0"),
            ("typing", #"{"to":"Bob"}"#, "typing true"),
            ("typing", #"{"to":"Bob","active":false}"#, "typing false"),
        ]
    )
    func handsOn(method: String, parameters: String, noted: String) async throws {
        let node = try ScriptedNode()
        let answer = try await answer(method, parameters, of: node)
        #expect(answer.contains(#""result""#), "\(answer)")
        #expect(await node.sent == [noted])
    }

    @Test(
        "Values that a method does not take are refused, and reach no node",
        arguments: [
            ("react", #"{"message":"x","emoji":"🦊"}"#), ("edit", #"{"message":"x","text":"y"}"#),
            ("delete", #"{"message":""}"#), ("poll.vote", #"{"poll":"x","options":[0]}"#),
            ("poll.vote", #"{"poll":"\#(Samples.messageHex)","options":["a"]}"#), ("poll.close", #"{"poll":"x"}"#),
            ("poll.create", #"{"to":"Bob","question":"?"}"#), ("timer", #"{"conversation":"Bob","expiresAfter":-1}"#),
            ("timer", #"{"conversation":"Bob","expiresAfter":1e300}"#), ("timer", #"{"conversation":"Bob"}"#),
            ("send", #"{"to":"Bob","text":"x","replyTo":"x"}"#),
            ("send", #"{"to":"Bob","text":"x","expiresAfter":-1}"#),
            ("markRead", #"{"conversation":"Bob","upTo":"x"}"#), ("typing", "{}"),
        ]
    )
    func refuses(method: String, parameters: String) async throws {
        let node = try ScriptedNode()
        let answer = try await answer(method, parameters, of: node)
        #expect(answer.contains(#""code":-32602"#), "\(answer)")
        #expect(await node.sent == [])
    }

    @Test(
        "A refusal of the node keeps its name",
        arguments: [ChatError.Code.notEmoji, .notAuthor, .noSuchOption, .closed]
    )
    func refusals(code: ChatError.Code) async throws {
        let node = try ScriptedNode()
        await node.refuse(with: ChatError(code, "No."))
        let answer = try await answer("react", #"{"message":"\#(Samples.messageHex)","emoji":"x"}"#, of: node)
        #expect(answer.contains(#""data":{"code":"\#(code.name)"},"message":"No.""#), "\(answer)")
    }

    @Test("A message brings all that became of it")
    func message() throws {
        let (alice, bob) = (try Samples.alice(), try Samples.bob())
        var message = try Samples.message("new @Bob")
        message.kind = .poll
        message.poll = PollState(poll: Poll("?", options: ["a", "b"]), votes: [[bob], []], isClosed: true)
        message.systemLine = .timer(.seconds(60))
        message.reactions = [Reaction(emoji: "🦊", members: [alice, bob])]
        message.mentions = [Mention(bob, at: 4..<8)]
        message.earlierTexts = [EarlierText(text: "old", sentTime: Timestamp(clamping: 1_000))]
        message.isDeleted = true
        message.expiryTime = Timestamp(clamping: 2_000)
        let original = Reply.Original(sender: bob, senderName: "Bob", text: "why?", isDeleted: false)
        message.replyTo = Reply(id: message.id, original: original)
        let reply = MessageReply(message)
        let line = String(decoding: try RPCCoding.encode(reply), as: UTF8.self)
        for part in [
            #""deleted":true,"earlier":[{"sentAt":"1970-01-01T00:00:01.000Z","text":"old"}],"edited":true"#,
            #""expiresAt":"1970-01-01T00:00:02.000Z""#,
            #""kind":"poll","mentions":[{"count":4,"peer":"\#(bob)","start":4}]"#,
            #""poll":{"closed":true,"mayChange":true,"multiple":false,"options":[{"text":"a","votes":["\#(bob)"]},{"text":"b","votes":[]}],"question":"?"}"#,
            #""reactions":[{"emoji":"🦊","from":["\#(alice)","\#(bob)"]}]"#,
            #""replyTo":{"deleted":false,"from":"\#(bob)","fromName":"Bob","message":"\#(message.id)","text":"why?"}"#,
            #""system":{"event":"timer","expiresAfter":60}"#,
        ] {
            #expect(line.contains(part), "\(line)")
        }
        #expect(try RPCCoding.decode(MessageReply.self, from: Array(line.utf8)) == reply)
    }
}
