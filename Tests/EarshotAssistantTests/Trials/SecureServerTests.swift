import Earshot
import Foundation
import Testing

@testable import EarshotAssistant

/// HTTPS endpoints that cannot be trusted; the end-to-end tests show that a trusted one works.
@Suite("Endpoints of https", .serialized, .timeLimit(.minutes(30)))
struct SecureServerTests {
    private static func fault(_ address: String) async throws -> ModelFault? {
        let client = ModelClient(endpoint: try ModelEndpoint(address, model: "echo", key: "secret"))
        var last: ModelEvent?
        for await event in client.answer([PromptMessage(.user, "private")]).events { last = event }
        guard case .failed(let fault) = last else { return nil }
        return fault
    }

    @Test(
        "A certificate that nobody vouches for, and a port that speaks no TLS, are told as that, and are told nothing"
    )
    func faults() async throws {
        let untrusted = try await ModelServer(isSecure: true)
        let open = try await ModelServer()
        let selfSigned = try await Self.fault(untrusted.address)
        #expect(
            selfSigned?.kind == .insecure && selfSigned?.detail.contains("certificate") == true,
            "\(selfSigned as Any)"
        )
        let noTLS = try await Self.fault("https://127.0.0.1:\(open.port)/v1")
        #expect(noTLS?.kind == .insecure, "\(noTLS as Any)")
        // A server that requires TLS does not answer without it.
        let plain = try await Self.fault("http://127.0.0.1:\(untrusted.port)/v1")
        #expect(plain?.kind == .connectionLost, "\(plain as Any)")
        // The certificate does not contain this name.
        let other = try await Self.fault("https://localhost:\(untrusted.port)/v1")
        #expect(other?.kind == .insecure, "\(other as Any)")
        // Neither the key nor a question reached either server.
        for server in [untrusted, open] { server.stop() }
        await #expect(throws: ModelServer.Failure.self) { try await untrusted.entries { _ in true } }
        await #expect(throws: ModelServer.Failure.self) { try await open.entries { _ in true } }
    }

    @Test("Who asks is told once in words, who runs it what is wrong, and the next question is taken all the same")
    func words() async throws {
        let untrusted = try await ModelServer(isSecure: true)
        try await AssistantScene.run("echo:1", "Alice", address: untrusted.address) { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            for question in ["anybody?", "and now?"] {
                let asked = try await alice.node.conversation(.direct(oracle)).send(question)
                let answer = try await alice.answer(to: asked)
                #expect(answer.text == "The model is not at its address. My operator has to fix that.")
            }
            #expect(try await alice.node.conversation(.direct(oracle)).history().count == 4)
            var told: String?
            for await line in scene.lines where line.hasPrefix("The connection to the model server is not secure") {
                told = line
                break
            }
            #expect(told?.contains("certificate") == true)
        }
    }
}
