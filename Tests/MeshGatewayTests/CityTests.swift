import Foundation
import Testing

@testable import MeshGateway

/// Tests with the configurations of `Examples/Hub`: a hub, and the server of a city that is connected to it.
@Suite("Servers of cities", .timeLimit(.minutes(30)))
struct CityTests {
    private func makeCity(of hub: HubServer) async throws -> HubServer {
        let place = "localhost:\(try await hub.port(for: "leafnode"))\", tls { ca_file: \"\(hub.certificate)\" }"
        return try HubServer(example: "city.conf", ["hub.example.org:7422\"": place])
    }

    private func run<Job: HubJob>(_ job: (HubURL) -> Job, at server: HubServer, login: String) async throws
        -> Result<Job.Outcome, HubError>
    {
        let url = try await server.url(login: login)
        let connection = HubConnection(to: url, authorities: server.certificate)
        let result: Result<Job.Outcome, HubError>
        do {
            try await connection.open()
            result = .success(try await connection.run(job(url)))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return result
    }

    private func check(_ server: HubServer) async throws -> Result<Canary.Outcome, HubError> {
        var random = SystemRandomNumberGenerator()
        return try await run({ Canary(for: $0, using: &random) }, at: server, login: "club:\(HubServer.club)")
    }

    @Test("Mail of a city is kept at the hub, and goes within the city while the hub is gone")
    func city() async throws {
        let hub = try HubServer()
        let made = try await run(
            { StoreCreation(at: $0, byteCount: 1 << 30, replicas: 1, days: 7) },
            at: hub,
            login: "admin:\(HubServer.admin)"
        )
        #expect(try made.get() == .created)
        let city = try await makeCity(of: hub)
        // The city connects to the hub in the background.
        var kept = try await check(city)
        while case .failure = kept { kept = try await check(city) }
        #expect(try kept.get().stream == "MAIL")

        hub.end()
        let url = try await city.url()
        let (alice, bob) = (
            HubConnection(to: url, authorities: city.certificate), HubConnection(to: url, authorities: city.certificate)
        )
        try await alice.open()
        try await bob.open()
        let subject = Canary.subject(of: [UInt8](repeating: 0xA5, count: 16))
        #expect(subject == "e.a." + String(repeating: "a5", count: 16))
        await bob.send([.subscribe(subject)])
        var received: [UInt8]?
        // Bob's subscription may reach the server after what Alice sends.
        while received == nil {
            await alice.send([.publish(subject: subject, body: [1, 2, 3], id: nil, number: 1)])
            for case .mail(let name, let body) in bob.inbox.take() where name == subject { received = body }
            await Task.yield()
        }
        #expect(received == [1, 2, 3])
        await alice.close()
        await bob.close()
    }
}
