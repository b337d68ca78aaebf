import Foundation
import Testing

@testable import GatewayCore

/// Tests with the configuration of `Examples/Hub` and real servers on the loopback interface.
@Suite("Making and checking the store of a hub", .timeLimit(.minutes(30)))
struct HubJobTests {
    @Test("A hub with the example's configuration keeps mail once its operator made the store")
    func hub() async throws {
        let server = try HubServer()
        await #expect(throws: HubError.self) { try await HubOperator(server).check() }
        #expect(try await HubOperator(server).create() == .created)
        let outcome = try await HubOperator(server).check()
        #expect(outcome.stream == "MAIL")
        #expect(outcome.roundTrip > .zero)
    }

    @Test("Making a store twice changes its room only")
    func again() async throws {
        let server = try HubServer()
        #expect(try await HubOperator(server).create() == .created)
        #expect(try await HubOperator(server).create() == .changed)
        #expect(try await HubOperator(server).create(byteCount: 1 << 30) == .changed)
        #expect(try await HubOperator(server).check().stream == "MAIL")
    }

    @Test(
        "A store that holds mail is made no smaller than its mail, and keeps it for no shorter time, unless that is wanted"
    )
    func shrinking() async throws {
        let server = try HubServer()
        let hub = HubOperator(server)
        #expect(try await hub.create(days: 7) == .created)
        // An empty store has nothing to lose.
        #expect(try await hub.create(days: 6) == .changed)
        _ = try await hub.check()
        let error = await #expect(throws: HubError.self) { try await hub.create(days: 5) }
        #expect(error?.code == .wouldDelete)
        #expect(try await hub.create(byteCount: 1 << 30, days: 6) == .changed)
        #expect(try await hub.create(days: 5, mayDelete: true) == .changed)
        #expect(try await hub.create(days: 7) == .changed)
    }

    @Test("More room than the configuration allows is refused")
    func room() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) { try await HubOperator(server).create(byteCount: 1 << 40) }
        #expect(error?.code == .noRoom)
    }

    @Test("An open hub lets in whoever names no user")
    func openHub() async throws {
        let server = try HubServer(["accounts {": "no_auth_user: club\naccounts {"])
        #expect(try await HubOperator(server).create() == .created)
        #expect(try await HubOperator(server).check(login: "").stream == "MAIL")
    }

    @Test("Guests can neither make nor change a store")
    func guest() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) {
            try await HubOperator(server).create(login: "club:\(HubServer.club)")
        }
        #expect(error?.code == .notOperator)
    }

    @Test("A server that keeps no mail is found out")
    func noStore() async throws {
        let server = try HubServer()
        let error = await #expect(throws: HubError.self) { try await HubOperator(server).check() }
        #expect(error?.code == .noStore)
    }
}
