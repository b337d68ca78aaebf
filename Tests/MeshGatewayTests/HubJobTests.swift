import Foundation
import Testing

@testable import MeshGateway

/// Tests with the configuration of `Examples/Hub` and real servers on the loopback interface.
@Suite("Making and checking the store of a hub", .timeLimit(.minutes(30)))
struct HubJobTests {
    private let size: Int64 = 18_000_000_000

    private func create(_ server: HubServer, byteCount: Int64? = nil, login: String = "admin:\(HubServer.admin)")
        async throws
        -> StoreCreation.Outcome
    {
        let url = try await server.url(login: login)
        let connection = HubConnection(to: url, authorities: server.certificate)
        try await connection.open()
        let job = StoreCreation(at: url, byteCount: byteCount ?? size, replicas: 1, days: 7)
        let result: Result<StoreCreation.Outcome, HubError>
        do { result = .success(try await connection.run(job)) } catch { result = .failure(error) }
        await connection.close()
        return try result.get()
    }

    private func check(_ server: HubServer) async throws -> Canary.Outcome {
        let url = try await server.url()
        let connection = HubConnection(to: url, authorities: server.certificate)
        try await connection.open()
        var random = SystemRandomNumberGenerator()
        let result: Result<Canary.Outcome, HubError>
        do { result = .success(try await connection.run(Canary(for: url, using: &random))) } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }

    @Test("A hub with the example's configuration keeps mail once its operator made the store")
    func hub() async throws {
        let server = try HubServer()
        await #expect(throws: HubError.self) { try await check(server) }
        #expect(try await create(server) == .created)
        let outcome = try await check(server)
        #expect(outcome.stream == "MAIL")
        #expect(outcome.roundTrip > .zero)
    }

    @Test("Making a store twice changes its room only")
    func again() async throws {
        let server = try HubServer()
        #expect(try await create(server) == .created)
        #expect(try await create(server) == .changed)
        #expect(try await create(server, byteCount: 1 << 30) == .changed)
        #expect(try await check(server).stream == "MAIL")
    }

    @Test("More room than the configuration allows is refused")
    func room() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) { try await create(server, byteCount: 1 << 40) }
        #expect(error?.code == .noRoom)
    }

    @Test("Guests can neither make nor change a store")
    func guest() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) { try await create(server, login: "club:\(HubServer.club)") }
        #expect(error?.code == .notOperator)
    }

    @Test("A server that keeps no mail is found out")
    func noStore() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) { try await check(server) }
        #expect(error?.code == .noStore)
    }
}
