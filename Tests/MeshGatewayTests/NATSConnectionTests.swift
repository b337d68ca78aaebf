import Foundation
import NIOCore
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests with hostile servers, and with a real one, on the loopback interface.
@Suite("Limits of connections to hubs", .timeLimit(.minutes(30)))
struct NATSConnectionTests {
    /// Waits for the end of a connection.
    private func end(of connection: HubConnection) async {
        for await _ in connection.inbox.bell {
            for case .closed in connection.inbox.take() { return }
        }
    }

    /// Takes the messages of a connection until there are enough, or the connection ends.
    private func mail(of connection: HubConnection, count: Int) async -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        while bodies.count < count {
            for event in connection.inbox.take() {
                switch event {
                case .mail(_, let body): bodies.append(body)
                case .answer(_, let answer): bodies.append(answer.body)
                case .closed: return bodies
                case .timeUp: continue
                }
            }
            await Task.yield()
        }
        return bodies
    }

    @Test(
        "A hub that sends what no server sends is left, and says so",
        arguments: ["MSG e.a.b 1 2147483647\r\n", "MSG e.a.b 1 24577\r\n", "HTTP/1.1 400\r\n"]
    )
    func violation(line: String) async throws {
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .saying("PONG\r\n" + line))
        let connection = try hub.connection()
        // The first such line may come with the answer to the login.
        _ = try? await connection.open()
        await end(of: connection)
        let loss = connection.loss
        #expect(loss == .violation(connection.hub))
        #expect(loss.description.hasPrefix("127.0.0.1:\(hub.port) sends what no NATS server sends. It was left."))
        var random = SystemRandomNumberGenerator()
        let canary = Canary(for: connection.hub, using: &random)
        let error = await #expect(throws: HubError.self) { try await connection.run(canary) }
        #expect(error?.what == loss.what)
        _ = try await hub.end()
    }

    @Test("A server that is none of NATS is left before anything is sent")
    func stranger() async throws {
        for greeting in ["SSH-2.0-OpenSSH_9.2\r\n", "INFO {\"max\r\n", FakeServer.tlsGreeting + "PONG\r\n"] {
            let hub = try await FakeServer(greeting: greeting)
            let url = try HubURL("tls://club:secret@localhost:\(hub.port)")
            let error = await #expect(throws: HubError.self) { try await HubConnection(to: url).open() }
            #expect(error?.what.contains("sends what no NATS server sends") == true)
            #expect(try await hub.end() == "")
        }
    }

    @Test("The words of a hub that lets nobody in are shown")
    func full() async throws {
        let refusal = "-ERR 'maximum connections exceeded'\r\n"
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .saying(refusal))
        let error = await #expect(throws: HubError.self) { try await hub.connection().open() }
        #expect(error?.what == "127.0.0.1:\(hub.port) does not answer: maximum connections exceeded.")
        _ = try await hub.end()
    }

    @Test("Of a message of two gigabytes hardly anything is read")
    func hugeMessage() async throws {
        let piece = "MSG e.a.b 2 2147483647\r\n" + String(repeating: "x", count: 1 << 16)
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .flooding(piece, count: 5_000))
        let connection = try hub.connection()
        try await connection.open()
        await connection.send([.subscribe("e.a.b")], from: 1)
        await end(of: connection)
        #expect(connection.loss == .violation(connection.hub))
        // The rest are the buffers of the system.
        #expect(hub.floodCount < 500)
        _ = try await hub.end()
    }

    @Test("A hub that floods is held back while nobody takes its messages, and loses none of them")
    func flood() async throws {
        let lines = String(repeating: "MSG e.a.b 2 1000\r\n" + String(repeating: "x", count: 1_000) + "\r\n", count: 40)
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .flooding(lines, count: 1_500))
        let connection = try hub.connection()
        try await connection.open()
        await connection.send([.subscribe("e.a.b")], from: 1)
        // The hub writes until the buffers between it and this program are full.
        #expect(await hub.stalledFloodCount() < 1_000)
        let first = connection.inbox.take()
        #expect(first.count == HubLimits.waitingCount / 2 + 1)
        let rest = await mail(of: connection, count: 60_000 - first.count)
        #expect(first.count + rest.count == 60_000)
        await connection.close()
        _ = try await hub.end()
    }

    @Test("A hub that reads nothing is left: after a time, and at once if too much waits for it")
    func deaf() async throws {
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .deaf)
        var times = HubTimes()
        times.write = .milliseconds(300)
        let body = [UInt8](repeating: 7, count: 16_384)
        let requests = (0..<100).map { HubRequest.publish(subject: "e.a.b", body: body, id: nil, number: $0) }
        let slow = try hub.connection(times)
        try await slow.open()
        // The buffers of the system take this much at most, and the backlog the rest.
        for _ in 0..<8 { await slow.send(requests, from: 1) }
        await end(of: slow)
        #expect(slow.loss == .lost(slow.hub))

        let fast = try hub.connection()
        try await fast.open()
        let most = HubLimits.backlogByteCount / requests.reduce(0) { $0 + $1.byteCount } + 1
        await fast.send(Array(repeatElement(requests, count: most).joined()), from: 1)
        await end(of: fast)
        #expect(fast.loss == .lost(fast.hub))
        _ = try await hub.end()
    }

    @Test("A hub that answers no sign of life is left")
    func signs() async throws {
        let mute = try await FakeServer(greeting: FakeServer.clearGreeting, .deaf)
        let left = try mute.connection(HubTimes(write: .seconds(3_600), ping: .milliseconds(50)))
        try await left.open()
        await end(of: left)
        #expect(left.loss == .lost(left.hub))

        let hub = try await FakeServer(greeting: FakeServer.clearGreeting)
        let kept = try hub.connection(HubTimes(ping: .seconds(1)))
        try await kept.open()
        // The first of them belongs to the login.
        while hub.count(of: "PING\r\n") < HubLimits.pingCount + 3 { await Task.yield() }
        #expect(kept.inbox.loss == nil)
        await kept.close()
        _ = try await (hub.end(), mute.end())
    }

    @Test("The backlog takes as much as its limit")
    func backlog() {
        let backlog = HubBacklog()
        let all = backlog.add(HubLimits.backlogByteCount)
        let more = backlog.add(1)
        #expect(all && !more)
        backlog.remove(1)
        let again = backlog.add(1)
        #expect(again)
    }

    @Test("A connection that is closed while it opens stays closed")
    func closing() async throws {
        let hub = try await FakeServer(greeting: FakeServer.clearGreeting, .silent)
        let connection = try hub.connection(HubTimes(connect: .seconds(3_600)))
        let opening = Task { try await connection.open() }
        _ = await hub.firstBytes()
        await connection.close()
        await #expect(throws: HubError.lost(connection.hub)) { try await opening.value }
        #expect(connection.inbox.take().isEmpty)
        _ = try await hub.end()
    }

    @Test("Six thousand subscriptions receive, and those that were ended do not")
    func subscriptions() async throws {
        let server = try HubServer()
        let connection = HubConnection(to: try await server.url(), authorities: server.certificate)
        try await connection.open()
        let count = 6_000
        let subjects = (0..<count).map { number in
            "e." + Canary.place(of: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) })
        }
        await connection.send(subjects.map { .subscribe($0) }, from: 1)
        await connection.send(subjects.prefix(count / 2).map { .unsubscribe($0) }, from: 1)
        for (number, subject) in subjects.enumerated() {
            let body = withUnsafeBytes(of: number) { Array($0) }
            await connection.send([.publish(subject: subject, body: body, id: nil, number: 0)], from: 1)
        }
        var received: [Int] = []
        // Nobody keeps mail there, so each message is also answered by a status without data.
        while received.count < count / 2 {
            for case .mail(let subject, let body) in connection.inbox.take() {
                let number = body.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
                #expect(subject == subjects[number])
                received.append(number)
            }
            await Task.yield()
        }
        #expect(received == Array(count / 2..<count))
        await connection.close()
    }
}
