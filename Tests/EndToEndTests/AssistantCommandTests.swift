import Foundation
import Testing

/// The command as users run it, beside a node, with a model server as a separate process.
@Suite("Assistant command", .serialized, .timeLimit(.minutes(30)))
struct AssistantCommandTests {
    @Test("A look at the model's server tells its models and speed, or what is wrong and where to look")
    func check() async throws {
        let server = try LineProcess([TestPython.path, AssistantProcess.script])
        defer { server.stop() }
        let endpoint = "http://127.0.0.1:\(try #require(await server.next()))/v1"
        let home = try TemporaryFolder()
        // The command does not use the proxy, which does not exist.
        let proxy = ["http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1"]
        let good = try Command.run(
            AssistantProcess.arguments(home.url, endpoint, model: "echo", ["--check"]),
            environment: proxy
        )
        #expect(good.status == 0 && good.output.hasPrefix("Models: echo, slow\nFirst token after "), "\(good)")
        let json = try Command.run(
            AssistantProcess.arguments(home.url, endpoint, model: "status:500:json", ["--check", "--json"])
        )
        #expect(json.status == 69 && json.output.contains(#""models":["echo","slow"]"#), "\(json)")
        #expect(json.output.contains("no model of this name") && json.output.contains("status 500"))
        let wrong = try Command.run(AssistantProcess.arguments(home.url, "localhost:1234", model: "m", ["--check"]))
        #expect(wrong.status == 65 && wrong.errors.contains("http://localhost:1234/v1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
    }

    @Test("While the model says nothing, to wait for it costs hardly any of the processor's time")
    func silence() async throws {
        let server = try LineProcess([TestPython.path, AssistantProcess.script])
        defer { server.stop() }
        let endpoint = "http://127.0.0.1:\(try #require(await server.next()))/v1"
        let home = try TemporaryFolder()
        let asking = AssistantProcess.arguments(
            home.url,
            endpoint,
            model: "silent",
            ["--check", "--answer-timeout", "8s"]
        )
        // Units: seconds of elapsed time, then of processor time in the program and in the system.
        let timing = #"TIMEFORMAT="%R %U %S"; time "$0" "$@""#
        let result = try Command.run(["bash", "-c", timing] + asking, environment: ["LC_ALL": "C"])
        #expect(result.status == 69 && result.output.contains("took too long"), "\(result)")
        let times = result.errors.split(whereSeparator: \.isWhitespace).suffix(3).compactMap { Double($0) }
        try #require(times.count == 3, "\(result.errors)")
        #expect(times[1] + times[2] < times[0] / 2, "\(times)")
    }

    @Test("Who sends the code is answered, sees the answer grow by JSON-RPC, and stops it")
    func conversation() async throws {
        let folder = try TemporaryFolder()
        let oracleHome = try folder.home("Oracle")
        let codeFile = folder.url.appending(path: "code")
        try Data("correct horse\n".utf8).write(to: codeFile)
        let place = NodeProcess.loopback()
        // Alice misses contacts that arrive before she listens to her events.
        let alice = try NodeProcess("Alice", home: try folder.home("Alice"), place)
        _ = try await alice.ready()
        let oracle = try await AssistantProcess(
            model: "slow",
            home: oracleHome,
            ["--allow", "code", "--code-file", codeFile.path] + place
        )
        defer { oracle.stop() }
        let id = try await alice.hears(of: "Oracle")
        try await alice.send("hello", to: id)
        let refusal =
            "I am an assistant and answer people who have the code. Send me the code in a message of its own, here and in no group."
        _ = try await alice.message(refusal)
        try await alice.send("correct horse", to: id)
        _ = try await alice.event("a welcome") { $0["message"]?["text"]?.string?.hasPrefix("Welcome.") == true }
        let question = try await alice.send("tell me", to: id)
        let token = try await alice.event("a growing answer") { $0["type"]?.string == "assistant.token" }
        #expect(token["message"]?.string == question)
        #expect(token["text"]?.string?.hasPrefix("begun tell me ") == true)
        try await alice.send("/stop", to: id)
        let answer = try await alice.event("the answer") {
            $0["message"]?["replyTo"]?["message"]?.string == question && $0["type"]?.string == "message"
        }
        #expect(answer["message"]?["text"]?.string?.hasSuffix("\n\n(Stopped.)") == true)
        let second = try Command.run(AssistantProcess.arguments(oracleHome, "http://127.0.0.1:1/v1", model: "slow", []))
        #expect(second.status == 77 && second.errors.contains("--home of its own"))
        await alice.stop()
    }
}
