import Foundation
import Testing

@testable import EarshotAssistant

@Suite("Model endpoint")
struct EndpointTests {
    @Test(
        "Only what goes by http to another machine can be read on its way",
        arguments: [
            ("http://localhost:1/v1", false), ("http://127.0.0.1:1/v1", false), ("http://[::1]:1/v1", false),
            ("https://models.example/v1", false), ("http://models.example/v1", true), ("HTTP://192.0.2.1:1/v1", true),
        ]
    )
    func exposed(address: String, isExposed: Bool) throws {
        #expect(try ModelEndpoint(address, model: "m").isExposed == isExposed)
    }

    @Test(
        "Only an address of http or https is an endpoint",
        arguments: [
            "", "localhost:1234", "file:///etc/passwd", "ftp://host/v1", "http://", "http:///v1", "http://host/v1?x=1",
            "http://host/v1#x", "http://user:key@host/v1", "http://ho st/v1", "javascript:alert(1)",
        ]
    )
    func refused(address: String) {
        #expect(throws: ModelEndpoint.Refusal.self) { try ModelEndpoint(address, model: "m") }
    }

    @Test("Paths are put behind the address, with slashes at its end or without")
    func paths() throws {
        for address in ["http://localhost:1234/v1", "http://localhost:1234/v1/", "HTTP://localhost:1234/v1//"] {
            let endpoint = try ModelEndpoint(address, model: "m", key: "k")
            let request = endpoint.answerRequest([])
            #expect(request.url.path == "/v1/chat/completions" && endpoint.modelsRequest.url.path == "/v1/models")
            #expect(request.headers["Authorization"] == "Bearer k")
        }
    }

    @Test(
        "A key is one visible word, so that none can be a header of its own",
        arguments: ["", "a b", "a\r\nX: y", "ä"]
    )
    func keys(key: String) {
        #expect(throws: ModelEndpoint.Refusal.self) { try ModelEndpoint("http://h", model: "m", key: key) }
    }

    @Test("A server that failed is tried again after 1 s, then later and later, at most every minute, and told of once")
    func retries() {
        var health = EndpointHealth()
        var now = ContinuousClock.now
        #expect(health.note(nil, at: now) == nil && health.retryAt == nil)
        #expect(health.note(ModelFault(.unreachable), at: now) == "The model server does not answer.")
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let retryAt = health.retryAt ?? now
            pauses.append(now.duration(to: retryAt))
            #expect(health.note(ModelFault(.unreachable), at: now) == nil && health.retryAt == retryAt)
            now = retryAt
            #expect(health.note(ModelFault(.unreachable), at: now) == nil)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(health.note(ModelFault(.timedOut), at: now) == "The model server took too long.")
        #expect(health.note(nil, at: now) == "The model server answers." && health == EndpointHealth())
    }
}
