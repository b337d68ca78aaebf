import Foundation

/// A running `earshot assistant` with its scripted model server, each a process; in a namespace if one is given.
struct AssistantProcess: Sendable {
    /// The script of the model server, which the library's tests use too.
    static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../EarshotAssistantTests/Support/model_server.py").standardized.path

    let server: LineProcess
    let assistant: LineProcess

    /// Starts both processes, on a home that exists already.
    init(model: String, home: URL, in namespace: String? = nil, _ options: [String]) async throws {
        let prefix = namespace.map { ["ip", "netns", "exec", $0] } ?? []
        server = try LineProcess(prefix + [TestPython.path, Self.script])
        guard let port = await server.next() else {
            throw NodeProcess.Failure(description: "no model server: Scripts/bootstrap makes its Python")
        }
        assistant = try LineProcess(
            prefix + Self.arguments(home, "http://127.0.0.1:\(port)/v1", model: model, options)
        )
    }

    /// The arguments of the command on a home.
    static func arguments(_ home: URL, _ endpoint: String, model: String, _ options: [String]) -> [String] {
        [Command.earshot, "--home", home.path, "assistant", "--endpoint", endpoint, "--model", model] + options
    }

    /// Reads the requests that the server received until one ends with this question, and includes that one.
    func requests(until question: String) async throws -> [ModelRequest] {
        var requests: [ModelRequest] = []
        while let line = await server.next() {
            guard let entry = try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8)), entry["path"] != nil
            else { continue }
            let messages = entry["body"]?["messages"]?.array ?? []
            requests.append(
                ModelRequest(
                    roles: messages.map { $0["role"]?.string ?? "" },
                    texts: messages.map { $0["content"]?.string ?? "" },
                    line: line
                )
            )
            if requests.last?.texts.last?.hasSuffix(question) == true { return requests }
        }
        throw NodeProcess.Failure(description: "the model was never asked \(question)")
    }

    func stop() {
        assistant.stop()
        server.stop()
    }
}

/// One request to a model.
struct ModelRequest: Sendable {
    let roles: [String]
    let texts: [String]
    /// The request with its body and headers.
    let line: String
}

/// A node that asks an assistant and observes its answers.
struct Asker: Sendable {
    let node: NodeProcess
    let assistant: String

    /// Asks a question and returns the message's id.
    @discardableResult
    func ask(_ text: String) async throws -> String { try await node.send(text, to: assistant) }

    /// Waits until the streaming reply to a question appears.
    func seesGrowing(_ question: String) async throws {
        _ = try await node.event("a growing answer") { Self.isToken($0, of: question) }
    }

    /// Waits for the answer to a question and returns it.
    func answer(to question: String) async throws -> String {
        let event = try await node.event("an answer") { Self.isAnswer($0, to: question) }
        return event["message"]?["text"]?.string ?? ""
    }

    /// The states of a streaming reply that the node saw, in order.
    func growth(of question: String) async -> [String] {
        await node.eventsSoFar { Self.isToken($0, of: question) }.compactMap { $0["text"]?.string }
    }

    /// All incoming texts of any sender, both streaming replies and messages.
    func textsThatCame() async -> [String] {
        await node.eventsSoFar { $0["type"]?.string == "assistant.token" || $0["message"]?["outgoing"] == .bool(false) }
            .compactMap { $0["text"]?.string ?? $0["message"]?["text"]?.string }
    }

    private static func isToken(_ event: JSONValue, of question: String) -> Bool {
        event["type"]?.string == "assistant.token" && event["message"]?.string == question
    }

    /// Whether the event is the answer, not a notice about the position in the queue.
    private static func isAnswer(_ event: JSONValue, to question: String) -> Bool {
        event["type"]?.string == "message" && event["message"]?["replyTo"]?["message"]?.string == question
            && event["message"]?["text"]?.string?.hasPrefix("Your question has number") == false
    }
}
