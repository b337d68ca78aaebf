@testable import GatewayCore
@testable import MeshGateway

/// The operator of a server, who makes its store and checks it as a guest.
struct HubOperator {
    private let server: HubServer

    init(_ server: HubServer) {
        self.server = server
    }

    func create(
        byteCount: Int64 = 18_000_000_000,
        replicas: Int = 1,
        days: Int64 = 7,
        mayDelete: Bool = false,
        login: String = "admin:\(HubServer.admin)"
    ) async throws -> StoreCreation.Outcome {
        try await run(login: login) { hub in
            StoreCreation(at: hub, byteCount: byteCount, replicas: replicas, days: days, mayDelete: mayDelete)
        }
    }

    func check(login: String = "club:\(HubServer.club)") async throws -> Canary.Outcome {
        var random = SystemRandomNumberGenerator()
        return try await run(login: login) { Canary(for: $0, using: &random) }
    }

    private func run<Job: HubJob>(login: String, _ job: (HubURL) -> Job) async throws -> Job.Outcome {
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
        return try result.get()
    }
}
