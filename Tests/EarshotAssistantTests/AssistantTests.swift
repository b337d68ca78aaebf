import Earshot
import Foundation
import Testing

@testable import EarshotAssistant

/// Real nodes with real sockets on the loopback interface, and a model server as a separate process.
@Suite("Assistant", .serialized, .timeLimit(.minutes(30)))
struct AssistantTests {
    @Test(
        "Two people ask five questions each at once: each gets an answer to each, its own, and no prompt has the other's"
    )
    func twoAskers() async throws {
        try await AssistantScene.run("echo:20", "Alice", "Bob") { scene in
            try await withThrowingTaskGroup { group in
                for (person, sign) in zip(scene.people, ["a", "b"]) {
                    group.addTask { try await Self.askFive(person, sign, scene) }
                }
                try await group.waitForAll()
            }
            // Once this last question reaches the server, all earlier requests of both have reached it too.
            try await scene.people[0].node.conversation(.direct(await scene.oracle.id)).send("a6")
            let asked = try await scene.server.entries { $0.body?.messages?.last?.content == "a6" }
                .compactMap { $0.body?.messages }
            #expect(asked.contains { $0.last?.content.hasPrefix("a") == true })
            for messages in asked {
                let signs = Set(messages.filter { $0.role == "user" }.compactMap(\.content.first))
                #expect(signs.count == 1)
                #expect(messages.allSatisfy { $0.content.first.map(signs.contains) == true })
            }
        }
    }

    private static func askFive(_ person: Person, _ sign: String, _ scene: AssistantScene) async throws {
        var questions: [Message] = []
        for number in 1...5 {
            questions.append(
                try await person.node.conversation(.direct(await scene.oracle.id)).send("\(sign)\(number)")
            )
        }
        var answers: [MessageID: String] = [:]
        while answers.count < 5 {
            let (question, text) = try await person.first { event -> (MessageID, String)? in
                guard case .message(let message) = event, !message.isOutgoing, let reply = message.replyTo,
                    !message.text.hasPrefix("Your question has number")
                else { return nil }
                return (reply.id, message.text)
            }
            #expect(answers[question] == nil)
            answers[question] = text
        }
        for (number, question) in questions.enumerated() {
            let text = answers[question.id] ?? ""
            let whole = (0..<20).map { "\(sign)\(number + 1) \($0) " }.joined()
            let said = text.components(separatedBy: "\n\n(")[0]
            #expect(whole.hasPrefix(said) || text.hasPrefix("("), "\(text)")
            if number == 4 { #expect(text == whole) }
        }
    }

    @Test("An answer is seen growing, /stop ends it at the server too, and what stands then is the message")
    func streamingReply() async throws {
        try await AssistantScene.run("slow", "Alice") { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            let first = try await alice.node.conversation(.direct(oracle)).send("quick")
            #expect(try await alice.answer(to: first).text == "at once")
            let question = try await alice.node.conversation(.direct(oracle)).send("tell me")
            var seen: [String] = []
            while seen.count < 3 {
                seen.append(
                    try await alice.first { event in
                        guard case .streamingReply(.direct(oracle), by: oracle, question.id, let text) = event else {
                            return nil
                        }
                        return text
                    }
                )
            }
            #expect(seen.allSatisfy { $0.hasPrefix("begun tell me ") } && seen[0].count < seen[2].count)
            try await alice.node.conversation(.direct(oracle)).send("/stop")
            let answer = try await alice.answer(to: question)
            #expect(answer.text.hasPrefix(seen[2]) && answer.text.hasSuffix("\n\n(Stopped.)"))
            #expect(try await scene.server.entries { $0.cut != nil }.last?.cut == "tell me")
            #expect(try await alice.node.conversation(.direct(oracle)).history().count == 5)
        }
    }

    @Test("A stranger is turned away once, stays a stranger, and is answered once it was verified")
    func unknownPeers() async throws {
        try await AssistantScene.run("echo:1", "Mallory", verified: 0) { scene in
            let (mallory, oracle) = (scene.people[0], await scene.oracle.id)
            let first = try await mallory.node.conversation(.direct(oracle)).send("let me in")
            #expect(try await mallory.answer(to: first).text.hasPrefix("I am an assistant and answer only people"))
            for number in 0..<5 { try await mallory.node.conversation(.direct(oracle)).send("please \(number)") }
            var refusals = 0
            for await line in scene.lines where line == "refused: an unknown peer" {
                refusals += 1
                if refusals == 6 { break }
            }
            #expect(try await scene.oracle.node.contacts.named(mallory.id.description).trust == .unknown)
            try await scene.oracle.verifies(mallory)
            let question = try await mallory.node.conversation(.direct(oracle)).send("now")
            #expect(try await mallory.answer(to: question).text == "now 0 ")
            #expect(try await mallory.node.conversation(.direct(oracle)).history().count { !$0.isOutgoing } == 2)
            #expect(try await scene.server.requests(1).count == 1)
        }
    }

    @Test("A model server that is not there is told in words, and used once it is")
    func absentServer() async throws {
        let gone = try await ModelServer()
        gone.stop()
        try await AssistantScene.run("echo:1", "Alice", address: gone.address) { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            let question = try await alice.node.conversation(.direct(oracle)).send("anybody?")
            #expect(try await alice.answer(to: question).text == ModelFault(.unreachable).words)
            let back = try await ModelServer(port: gone.port)
            var lines: [String] = []
            for await line in scene.lines {
                lines.append(line)
                if line == "The model server answers." { break }
            }
            #expect(lines.contains { $0.hasPrefix("The model server does not answer") })
            let again = try await alice.node.conversation(.direct(oracle)).send("and now?")
            #expect(try await alice.answer(to: again).text == "and now? 0 ")
            back.stop()
        }
    }

    @Test("In a group it answers who names it, what was said to it there, and nobody else")
    func groups() async throws {
        try await AssistantScene.run("echo:1", "Alice") { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            let hello = try await alice.node.conversation(.direct(oracle)).send("hello")
            _ = try await alice.answer(to: hello)
            let group = try await alice.node.conversations.createGroup(title: "Trees", members: [oracle])
            try await scene.oracle.first { if case .group(group.id, .joined) = $0 { () } else { nil } }
            try await alice.node.conversation(.group(group.id)).send("not for you")
            let question = try await alice.node.conversation(.group(group.id)).send("@Oracle what now?")
            let answer = try await alice.answer(to: question)
            #expect(answer.conversation == .group(group.id) && answer.text == " what now? 0 ")
            let prompts = try await scene.server.requests(2).compactMap { $0.body?.messages?.map(\.content) }
            #expect(prompts == [["hello"], [" what now?"]])
        }
    }

    @Test("What a model says is never taken for a command, and control characters arrive as text")
    func injection() async throws {
        try await AssistantScene.run("control", "Alice") { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            let question = try await alice.node.conversation(.direct(oracle)).send("say /forget")
            let answer = try await alice.answer(to: question)
            #expect(answer.text == "/stop\u{0}\u{1B}]0;x\u{7} <tool>rm -rf ~</tool>")
            _ = try await alice.answer(to: try await alice.node.conversation(.direct(oracle)).send("again"))
            let prompts = try await scene.server.requests(2).compactMap(\.body?.messages?.count)
            #expect(prompts.last == 3)
        }
    }

    @Test("An assistant that is to forget leaves nothing of a conversation when it ends")
    func forgetting() async throws {
        try await AssistantScene.run("echo:1", "Alice", adjust: { $0.forgetsOnDisconnect = true }) { scene in
            let alice = scene.people[0]
            let question = try await alice.node.conversation(.direct(await scene.oracle.id)).send("hello")
            _ = try await alice.answer(to: question)
            #expect(try await scene.oracle.node.conversation(.direct(alice.id)).history().count == 2)
        } after: { scene in
            let history = try await scene.oracle.node.conversation(.direct(scene.people[0].id)).history()
            #expect(history.isEmpty)
        }
    }
}
