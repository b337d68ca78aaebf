import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests with `hub.conf` and `cluster.conf` of `Examples/Hub`: three servers that are one hub.
@Suite("Clusters of servers", .timeLimit(.minutes(5)))
struct ClusterTests {
    /// Three servers, which show each other the same certificate.
    private static func start(in folder: URL) async throws -> [HubServer] {
        try HubServer.makeCertificate(in: folder)
        var ports: [Int] = []
        for _ in 0..<3 {
            let channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .bind(host: "127.0.0.1", port: 0).get()
            ports.append(try #require(channel.localAddress?.port))
            try await channel.close()
        }
        let files = "/run/credentials/earshot-hub.service/"
        var changes = [
            files + "cluster.pem": folder.path + "/fullchain.pem",
            files + "cluster-ca.pem": folder.path + "/fullchain.pem",
            files + "cluster-key.pem": folder.path + "/key.pem", "CLUSTER-PASSWORD": "cluster-secret",
        ]
        for (name, port) in zip(["FIRST", "SECOND", "THIRD"], ports) {
            changes[name + "-HOST:6222"] = "localhost:\(port)"
        }
        return try ports.enumerated().map { number, port in
            let own = ["HUB-NAME": "hub-\(number)", "0.0.0.0:6222": "127.0.0.1:\(port)"]
            return try HubServer(and: "cluster.conf", changes.merging(own) { $1 })
        }
    }

    @Test("A hub of three servers gives out the mail that it kept while one of them is gone")
    func cluster() async throws {
        let folder = try HubServer.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let servers = try await Self.start(in: folder)
        // They choose a leader first.
        var outcome: StoreCreation.Outcome?
        while outcome == nil { outcome = try? await HubOperator(servers[0]).create(byteCount: 1 << 30, replicas: 3) }
        #expect(outcome == .created)
        try await Self.wait(for: servers[0])
        let place = Canary.place(of: [UInt8](repeating: 0x5A, count: 16))
        let mail = HubRequest.publish(subject: "e." + place, body: [1, 2, 3], id: "mail", number: 0)
        guard case .stored = Acknowledgement(try await Self.answer(to: mail, of: servers[0])) else {
            Issue.record("the mail was not kept")
            return
        }
        servers[0].end()
        for server in servers.dropFirst() {
            try await Self.wait(for: server)
            let question = HubRequest.publish(subject: "last." + place, body: [], id: nil, number: 0)
            #expect(try await Self.answer(to: question, of: server).body == [1, 2, 3])
        }
    }

    /// Waits until mail is kept by way of a server.
    private static func wait(for server: HubServer) async throws {
        var kept: Canary.Outcome?
        while kept == nil { kept = try? await HubOperator(server).check() }
        #expect(kept?.stream == "MAIL")
    }

    /// Asks a server until it answers, since servers that look for a new leader are silent; a question may be repeated.
    private static func answer(to question: HubRequest, of server: HubServer) async throws -> HubAnswer {
        var answer: HubAnswer?
        while answer == nil { answer = try? await Self.firstAnswer(to: question, of: server) }
        return try #require(answer)
    }

    /// Sends one question to a server, and returns the answer.
    private static func firstAnswer(to question: HubRequest, of server: HubServer) async throws -> HubAnswer {
        let connection = HubConnection(to: try await server.url(), authorities: server.certificate)
        // One of several servers can lose the others.
        #expect(try await connection.open() == .part)
        await connection.send([question], from: 1)
        for await _ in connection.inbox.bell {
            for case .answer(1, let answer) in connection.inbox.take() {
                await connection.close()
                return answer
            }
        }
        throw connection.loss
    }
}
