import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Methods of polls, reactions, edits and timers")
struct ContentMethodTests {
    private func sent(_ method: String, _ parameters: String, by node: ChatNode) async throws -> String {
        let line = try await node.answer(method, parameters)
        return String(try #require(line.firstMatch(of: /"result":{"message":"([0-9a-f]{32})"}/), "\(line)").1)
    }

    private func message(_ id: String, of node: ChatNode) async throws -> Message {
        let bob = try await node.contacts.named("Bob").id
        return try #require(
            try await node.conversation(.direct(bob)).history(limit: 100).first { $0.id.description == id }
        )
    }

    private func done(_ method: String, _ parameters: String, by node: ChatNode) async throws {
        let line = try await node.answer(method, parameters)
        #expect(line.isResult("{}"), "\(line)")
    }

    @Test("What a message is given reaches the node, and what is done to it too")
    func messages() async throws {
        let node = try await ChatNode.alice()
        let bob = try await node.contacts.named("Bob").id
        let first = try await sent("send", #"{"to":"Bob","text":"x"}"#, by: node)
        let second = try await sent(
            "send",
            #"{"to":"Bob","text":"@Bob","replyTo":"\#(first)","mentions":["Bob"],"expiresAfter":30}"#,
            by: node
        )
        let reply = try await message(second, of: node)
        #expect(reply.replyTo?.id.description == first && reply.mentions.map(\.peer) == [bob])
        try await done("react", #"{"message":"\#(first)","emoji":"🦊"}"#, by: node)
        #expect(try await message(first, of: node).reactions.map(\.emoji) == ["🦊"])
        try await done("react", #"{"message":"\#(first)","emoji":"🦊","on":true}"#, by: node)
        #expect(try await message(first, of: node).reactions.count == 1)
        try await done("react", #"{"message":"\#(first)","emoji":"🦊"}"#, by: node)
        #expect(try await message(first, of: node).reactions.isEmpty)
        try await done("edit", #"{"message":"\#(first)","text":"y"}"#, by: node)
        #expect(try await message(first, of: node).text == "y")
        try await done("delete", #"{"message":"\#(first)","forEveryone":true}"#, by: node)
        #expect(try await message(first, of: node).isDeleted)
        try await done("delete", #"{"message":"\#(second)"}"#, by: node)
        #expect(try await node.texts() == [""])
        for parameters in [#"{"to":"Bob"}"#, #"{"to":"Bob","active":false}"#] {
            try await done("typing", parameters, by: node)
        }
        let timer = try await sent("timer", #"{"conversation":"Bob","expiresAfter":60}"#, by: node)
        #expect(try await message(timer, of: node).systemLine == .timer(.seconds(60)))
        let never = try await sent("timer", #"{"conversation":"Bob","expiresAfter":0}"#, by: node)
        #expect(try await message(never, of: node).systemLine == .timer(nil))
    }

    @Test("A poll has what it was given, and its votes and its end reach the node")
    func polls() async throws {
        let node = try await ChatNode.alice()
        let own = await node.status.id
        let question = #"{"to":"Bob","question":"?","options":["a","b"],"multiple":true,"mayChange":false}"#
        let poll = try #require(try await message(try await sent("poll.create", question, by: node), of: node).poll)
        #expect(poll.poll == Poll("?", options: ["a", "b"], allowsSeveral: true, allowsChange: false))
        let plain = try await sent("poll.create", #"{"to":"Bob","question":"?","options":["a","b"]}"#, by: node)
        try await done("poll.vote", #"{"poll":"\#(plain)","options":[1]}"#, by: node)
        let voted = try await message(plain, of: node).poll
        #expect(voted?.votes == [[], [own]] && voted?.isClosed == false)
        #expect(voted?.poll == Poll("?", options: ["a", "b"]))
        let none = try await node.answer("poll.vote", #"{"poll":"\#(plain)","options":[9]}"#)
        #expect(none.contains(#""code":-32602,"data":{"code":"noSuchOption"}"#), "\(none)")
        try await done("poll.close", #"{"poll":"\#(plain)"}"#, by: node)
        #expect(try await message(plain, of: node).poll?.isClosed == true)
        let late = try await node.answer("poll.vote", #"{"poll":"\#(plain)","options":[0]}"#)
        #expect(late.contains(#""code":-32602,"data":{"code":"closed"}"#), "\(late)")
        let text = try await node.answer("react", #"{"message":"\#(plain)","emoji":"x"}"#)
        #expect(text.contains(#""code":-32602,"data":{"code":"notEmoji"}"#), "\(text)")
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
        let node = try await ChatNode.alice()
        let answer = try await node.answer(method, parameters)
        #expect(answer.contains(#""code":-32602"#), "\(answer)")
        #expect(try await node.texts() == [])
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
