import Foundation
import Testing

@testable import EarshotAssistant

/// The server of llama.cpp with a model that the script makes, which counts from one to nine for any question.
@Suite("A real model server", .timeLimit(.minutes(30)))
struct LlamaServerTests {
    @Test("It is asked with a key, streams an answer, and a report tells its models and speed; a wrong key is refused")
    func talking() async throws {
        let server = try await ModelServer("llama_server.py")
        let endpoint = try ModelEndpoint(server.address, model: "ring", key: "secret-of-the-test")
        let (exchange, events) = ModelClient(endpoint: endpoint).answer([
            PromptMessage(.system, "Count."), PromptMessage(.user, "Please."),
        ])
        var pieces: [String] = []
        var end: ModelEvent?
        for await event in events {
            if case .text(let text) = event { pieces.append(text) } else { end = event }
        }
        exchange.cancel()
        #expect(pieces.count == 9 && pieces.joined() == " one two three four five six seven eight nine")
        #expect(end == .ended(isCutOff: false, tokenCount: 10))
        let report = await EndpointReport(endpoint, within: .seconds(60))
        #expect(report.models == ["ring"] && report.problems.isEmpty)
        #expect(report.firstTokenAfter.map { $0 > .zero } == true && report.tokensPerSecond.map { $0 > 0 } == true)
        let wrong = await EndpointReport(
            try ModelEndpoint(server.address, model: "ring", key: "guess"),
            within: .seconds(60)
        )
        #expect(wrong.problems.contains { $0.contains("--api-key-file") } && wrong.firstTokenAfter == nil)
    }
}
