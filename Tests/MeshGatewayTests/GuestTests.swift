import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Guests with the login of the club try what only the operator of a hub may do.
@Suite("Hostile guests of hubs", .timeLimit(.minutes(30)))
struct GuestTests {
    /// Publishes messages with the login of the club, each with a subject for its answer.
    private func publish(_ messages: [(subject: String, answer: String, body: String)], to server: HubServer)
        async throws
    {
        let url = try await server.url()
        let guest = try await NATSGuest(url, authorities: server.certificate)
        var encoder = NATSEncoder()
        encoder.connect(to: url, isSecure: true)
        for message in messages {
            encoder.publish(Array(message.body.utf8), to: message.subject, answer: message.answer, id: nil)
        }
        // The server has handled all of them when it answers this.
        encoder.ping()
        #expect(try await guest.say(encoder.bytes, until: "PONG\r\n"))
    }

    @Test("No guest deletes, empties or changes the store, not even by the answers of the store")
    func store() async throws {
        let server = try HubServer()
        let hub = HubOperator(server)
        #expect(try await hub.create() == .created)
        #expect(try await hub.check().stream == "MAIL")
        let tag = Canary.place(of: [UInt8](repeating: 7, count: 16))
        let changes = ["DELETE", "PURGE", "UPDATE", "CREATE", "MSG.DELETE"].map { "$JS.API.STREAM.\($0).MAIL" }
        let wishes = [
            "e.\(tag)", "last.\(tag)", "next", "$JS.API.DIRECT.GET.MAIL", "$JS.API.DIRECT.GET.MAIL.e.\(tag)",
            "$JS.hub.API.DIRECT.GET.MAIL.e.\(tag)", "$JS.API.INFO",
        ]
        let bodies = ["", "{\"seq\":1}", "{\"name\":\"MAIL\",\"subjects\":[\"x\"]}"]
        var messages = changes.map { (subject: $0, answer: "_INBOX.a.1", body: "{\"seq\":1}") }
        for wish in wishes {
            for change in changes { messages += bodies.map { (subject: wish, answer: change, body: $0) } }
        }
        try await publish(messages, to: server)
        // The store is there, with the settings and the mail that it had.
        let error = await #expect(throws: HubError.self) { try await hub.create(byteCount: 1 << 20, days: 1) }
        #expect(error?.code == .wouldDelete)
        #expect(try await hub.check().stream == "MAIL")
    }
}
