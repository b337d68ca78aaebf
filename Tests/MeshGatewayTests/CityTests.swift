import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests with the configurations of `Examples/Hub`: a hub, and the server of a city that is connected to it.
@Suite("Servers of cities", .timeLimit(.minutes(30)))
struct CityTests {
    private func makeCity(of hub: HubServer) async throws -> HubServer {
        try HubServer(
            example: "city.conf",
            [
                "hub.example.org:7422": "localhost:\(try await hub.port(for: "leafnode"))",
                "tls { }": "tls { ca_file: \"\(hub.certificate)\" }",
            ]
        )
    }

    @Test("Mail of a city is kept at the hub, and goes within the city while the hub is gone")
    func city() async throws {
        let hub = try HubServer()
        #expect(try await HubOperator(hub).create() == .created)
        let city = try await makeCity(of: hub)
        // The city connects to the hub in the background.
        var kept: Canary.Outcome?
        while kept == nil { kept = try? await HubOperator(city).check() }
        #expect(kept?.stream == "MAIL")

        let direct = HubConnection(to: try await hub.url(), authorities: hub.certificate)
        #expect(try await direct.open() == .whole)
        await direct.close()
        hub.end()
        let url = try await city.url()
        let (alice, bob) = (
            HubConnection(to: url, authorities: city.certificate), HubConnection(to: url, authorities: city.certificate)
        )
        #expect(try await alice.open() == .part)
        try await bob.open()
        let subject = "e." + Canary.place(of: [UInt8](repeating: 0xA5, count: 16))
        #expect(subject == "e.a." + String(repeating: "a5", count: 16))
        await bob.send([.subscribe(subject)], from: 1)
        var received: [UInt8]?
        // Bob's subscription may reach the server after what Alice sends.
        while received == nil {
            await alice.send([.publish(subject: subject, body: [1, 2, 3], id: nil, number: 1)], from: 1)
            for case .mail(let name, let body) in bob.inbox.take() where name == subject { received = body }
            await Task.yield()
        }
        #expect(received == [1, 2, 3])
        await alice.close()
        await bob.close()
    }

    @Test("A city gives its password to nobody who takes TLS away")
    func stripped() async throws {
        let listener = try await FakeServer(greeting: FakeServer.clearLeafGreeting)
        let city = try HubServer(example: "city.conf", ["hub.example.org:7422": "localhost:\(listener.port)"])
        _ = try await city.port()
        // It begins TLS, whatever it is offered.
        #expect(await listener.firstBytes().utf8.first == 0x16)
        #expect(try await !listener.end().contains("secret"))
    }
}
