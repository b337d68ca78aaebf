import Foundation
import Testing

/// Two askers at once on one host, an assistant on another, and a relay that they all need; loss is random, never in
/// bursts.
@Suite("Assistant behind a relay", .serialized, .timeLimit(.minutes(30)))
struct AssistantLineTests {
    @Test(
        """
        By a relay, with a tenth lost, two who ask, go on and stop at once each get every answer, whole and in order, \
        and nothing of the other
        """
    )
    func twoAskers() async throws {
        guard let scene = try await LineScene.start() else { return }
        defer { scene.oracle.stop() }
        let words = ["apple", "birch"]
        let asked = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for (number, word) in words.enumerated() {
                group.addTask { (number, try await Self.talk(scene.askers[number], word)) }
            }
            return try await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
        }
        for (number, word) in words.enumerated() {
            let (asker, other) = (scene.askers[number], words[1 - number])
            try await Self.expectOrder(asker, asked[number] ?? [])
            let texts = await asker.textsThatCame()
            #expect(texts.contains { $0.contains(word) } && !texts.contains { $0.contains(other) })
        }
        try await scene.askers[0].ask("apple last")
        let requests = try await scene.oracle.requests(until: "apple last")
        #expect(requests.count >= 9)
        for request in requests {
            #expect(words.count { request.line.contains($0) } == 1, "\(request.line)")
            #expect(Set(request.roles) == (request.texts.count == 1 ? ["user"] : ["user", "assistant"]))
        }
        // The last request holds, in order, all that its asker was answered before.
        let context = try #require(requests.last?.texts)
        let whole = context.filter { ["apple 5", "apple endless 6", "apple endless 7", "apple 8"].contains($0) }
        #expect(whole == ["apple 5", "apple endless 6", "apple endless 7", "apple 8"])
        await scene.stop()
    }

    /// Asks five questions at once and stops one.
    ///
    /// Then asks three more, stops one of them and continues past another.
    ///
    /// - Returns: The ids of the questions, in order.
    private static func talk(_ asker: Asker, _ word: String) async throws -> [String] {
        var questions: [String] = []
        for number in 1...5 {
            questions.append(try await asker.ask("\(word) \(number)"))
            if number == 2 { try await asker.ask("/stop") }
        }
        for (number, question) in questions.enumerated() {
            let text = try await asker.answer(to: question)
            let whole = answer("\(word) \(number + 1)")
            let said = text.components(separatedBy: "\n\n(")
            #expect(whole.hasPrefix(said[0]) || text.hasPrefix("("), "\(text)")
            #expect(
                text == whole || text.hasSuffix("topped.)") || text.hasSuffix("you sent another message.)"),
                "\(text)"
            )
            if number == 4 { #expect(text == whole) }
        }
        let stopped = try await asker.ask("\(word) endless 6")
        try await asker.seesGrowing(stopped)
        try await asker.ask("/stop")
        #expect(try await isBeginning(asker.answer(to: stopped), of: "\(word) endless 6", end: "(Stopped.)"))
        let left = try await asker.ask("\(word) endless 7")
        try await asker.seesGrowing(left)
        let last = try await asker.ask("\(word) 8")
        #expect(
            try await isBeginning(
                asker.answer(to: left),
                of: "\(word) endless 7",
                end: "(Stopped: you sent another message.)"
            )
        )
        #expect(try await asker.answer(to: last) == answer("\(word) 8"))
        return questions + [stopped, left, last]
    }

    /// The model's whole answer to a question that does not make it answer without end.
    private static func answer(_ question: String, pieces: Int = 100) -> String {
        (0..<pieces).map { "\(question) \($0) " }.joined()
    }

    private static func isBeginning(_ text: String, of question: String, end: String) -> Bool {
        let parts = text.components(separatedBy: "\n\n")
        return parts.count == 2 && parts[1] == end && !parts[0].isEmpty
            && answer(question, pieces: parts[0].count / question.count).hasPrefix(parts[0])
    }

    /// Checks that answers come in the order of the questions, each once, and that each streaming reply only grows.
    private static func expectOrder(_ asker: Asker, _ questions: [String]) async throws {
        let parameters: [String: JSONValue] = ["conversation": .string(asker.assistant), "limit": .number(500)]
        let history = try await asker.node.call("history", parameters).array ?? []
        let answered = history.filter {
            $0["outgoing"] == .bool(false) && $0["text"]?.string?.hasPrefix("Your question has number") == false
        }
        .compactMap { $0["replyTo"]?["message"]?.string }.filter(questions.contains)
        #expect(answered == questions)
        for question in questions {
            let text = try await asker.answer(to: question)
            let steps = await asker.growth(of: question) + [text]
            for (earlier, later) in zip(steps, steps.dropFirst()) {
                #expect(later.hasPrefix(earlier), "\(earlier.suffix(20)) before \(later.suffix(20))")
            }
        }
    }
}

/// Two askers, the relay, and the assistant behind it.
private struct LineScene {
    let line: NamespaceLine
    let folder: TemporaryFolder
    let relay: NodeProcess
    let askers: [Asker]
    let oracle: AssistantProcess

    /// Starts all processes and waits until both askers have discovered the assistant; nil if the system forbids
    /// namespaces.
    static func start() async throws -> LineScene? {
        guard let line = try NamespaceLine() else { return nil }
        try line.lose(percent: 10)
        let folder = try TemporaryFolder()
        let relay = try Trio.start("relay", name: "Relay", line, folder)
        _ = try await relay.ready()
        var nodes: [NodeProcess] = []
        var options: [String] = ["--rate", "1000/s", "--context-tokens", "1000000"]
        for name in ["Anna", "Ben"] {
            let node = try NodeProcess(name, home: try folder.home(name), in: line.namespace("alice"), [])
            options += ["--allow", try await node.ready()]
            nodes.append(node)
        }
        let oracle = try await AssistantProcess(
            model: "talk",
            home: try folder.home("Oracle"),
            in: line.namespace("bob"),
            options
        )
        var askers: [Asker] = []
        for node in nodes {
            askers.append(Asker(node: node, assistant: try await node.hears(of: "Oracle")))
        }
        return LineScene(line: line, folder: folder, relay: relay, askers: askers, oracle: oracle)
    }

    func stop() async {
        oracle.stop()
        for asker in askers { await asker.node.stop() }
        await relay.stop()
    }
}

extension TemporaryFolder {
    /// Makes a home in the folder.
    func home(_ name: String) throws -> URL {
        let home = url.appending(path: name)
        let made = try Command.run([
            Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
        ])
        guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
        return home
    }
}

extension NodeProcess {
    /// Waits until the node discovers a new contact of this name, and returns the contact's id.
    func hears(of name: String) async throws -> String {
        let event = try await event(name) { $0["contact"]?["name"]?.string == name }
        return event["contact"]?["id"]?.string ?? ""
    }
}
