import Foundation
import Testing

@testable import EarshotAssistant

/// Real requests to a model server that produces every fault on request; `LlamaServerTests` covers a real server.
@Suite("Model client", .timeLimit(.minutes(30)))
struct ModelClientTests {
    private static func client(_ server: ModelServer, _ model: String) throws -> ModelClient {
        ModelClient(endpoint: try ModelEndpoint(server.address, model: model, key: "k"))
    }

    /// Asks a question and collects all its events.
    private static func events(_ server: ModelServer, _ model: String) async throws -> [ModelEvent] {
        let (exchange, events) = try client(server, model).answer([PromptMessage(.user, "q")])
        var all: [ModelEvent] = []
        for await event in events { all.append(event) }
        exchange.cancel()
        return all
    }

    private static func text(_ events: [ModelEvent]) -> String {
        events.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    @Test("A stream with all that the standard allows is read the same, wherever the network cuts it")
    func split() async throws {
        let server = try await ModelServer()
        let whole = try await Self.events(server, "bytes")
        #expect(Self.text(whole) == "Zähl 語 🦊\n\n" && whole.last == .ended(isCutOff: false, tokenCount: 3))
        try await withThrowingTaskGroup { group in
            for first in 0..<8 {
                group.addTask {
                    for place in stride(from: first, to: 460, by: 8) {
                        let events = try await Self.events(server, "split:\(place)")
                        #expect(events == whole, "cut at \(place)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Every fault of a server is told as what it is, after what came before it")
    func faults() async throws {
        let server = try await ModelServer()
        let table: [(model: String, text: String, kind: ModelFault.Kind)] = [
            ("status:400:json", "", .refused(status: 400)), ("status:500:html", "", .refused(status: 500)),
            ("status:503:json", "", .refused(status: 503)), ("status:401:html", "", .refused(status: 401)),
            ("redirect", "", .redirected), ("reset", "half an ", .connectionLost), ("end", "half an ", .connectionLost),
            ("shut", "", .connectionLost), ("garbage", "so ", .malformed), ("nested", "", .malformed),
            ("huge", "so ", .eventTooLarge), ("inside", "so ", .serverFailed),
            ("old", "", .serverFailed), ("noise", "", .malformed),
        ]
        for (model, text, kind) in table {
            let events = try await Self.events(server, model)
            #expect(Self.text(events) == text, "\(model)")
            guard case .failed(let fault) = events.last else {
                Issue.record("\(model) did not fail: \(events)")
                continue
            }
            #expect(fault.kind == kind, "\(model): \(fault)")
        }
        #expect(Self.text(try await Self.events(server, "whole")) == "all at once")
        #expect(try await Self.events(server, "length").last == .ended(isCutOff: true, tokenCount: nil))
        #expect(Self.text(try await Self.events(server, "early")) == "at last")
        let entries = try await server.entries { $0.body?.model == "early" }
        #expect(Set(entries.compactMap(\.path)) == ["/v1/chat/completions"])
        let headers = entries.compactMap(\.headers)
        let names: Set = ["accept", "authorization", "content-length", "content-type", "host", "user-agent"]
        #expect(headers.allSatisfy { Set($0.keys) == names && $0["authorization"] == "Bearer k" })
    }

    @Test("Where nobody listens the fault says so, and a list of models tells the same")
    func absent() async throws {
        let server = try await ModelServer()
        #expect(try await Self.client(server, "m").models() == ["echo", "slow"])
        server.stop()
        guard case .failed(let fault) = try await Self.events(server, "m").last else {
            Issue.record("it did not fail")
            return
        }
        #expect(fault.kind == .unreachable)
        let error = await #expect(throws: ModelFault.self) { try await Self.client(server, "m").models() }
        #expect(error?.kind == .unreachable)
    }

    @Test("A list of models that does not come within ten seconds is given up")
    func silentList() async throws {
        let server = try await ModelServer()
        let endpoint = try ModelEndpoint("http://127.0.0.1:\(server.port)/mute/v1", model: "m")
        let start = ContinuousClock.now
        let error = await #expect(throws: ModelFault.self) { try await ModelClient(endpoint: endpoint).models() }
        #expect(error?.kind == .timedOut)
        #expect(start.duration(to: .now) >= AssistantLimits.modelListTime)
        #expect(try await server.entries { $0.cut != nil }.last?.cut == "models")
    }

    @Test(
        "Cancelling cuts the connection, while the server is silent as while it speaks",
        arguments: ["slow", "silent"]
    )
    func cancelling(model: String) async throws {
        let server = try await ModelServer()
        let (exchange, events) = try Self.client(server, model).answer([PromptMessage(.user, model)])
        if model == "slow" {
            for await event in events where event == .text("on ") { break }
        } else {
            try await server.entries { $0.body?.model == model }
        }
        exchange.cancel()
        #expect(try await server.entries { $0.cut != nil }.last?.cut == model)
    }
}
