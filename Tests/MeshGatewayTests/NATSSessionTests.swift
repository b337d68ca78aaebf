import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests of the course of a connection, without sockets.
@Suite("Sessions with hubs")
struct NATSSessionTests {
    private let secure: HubURL
    private let clear: HubURL
    private let answers = "_INBOX.zzzzzzzzzzzzzzzzzzzzzz."

    init() throws {
        secure = try HubURL("tls://club:secret@hub.example.org")
        clear = try HubURL("nats://club:secret@127.0.0.1")
    }

    /// A source of the largest numbers.
    private struct Largest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    private func session(_ hub: HubURL) -> HubSession {
        var largest = Largest()
        return HubSession(with: hub, using: &largest)
    }

    private func info(tls: Bool = false, offered: Bool? = nil, headers: Bool? = true) -> NATSOperation {
        .info(NATSInfo(needsTLS: tls, offersTLS: offered, hasHeaders: headers, payloadByteCount: 1_000))
    }

    /// Returns a session that is open.
    private func openSession() throws -> HubSession {
        var session = session(clear)
        _ = try session.take(info())
        _ = try session.take(.pong)
        try #require(session.isOpen)
        return session
    }

    private func mail(_ subject: String, _ number: Int) -> NATSOperation {
        .message(NATSMessage(subject: subject, subscription: number, headers: NATSHeaders(), body: [1]))
    }

    /// Returns the text that a session makes of requests.
    private func text(_ requests: [HubRequest], _ session: inout HubSession) -> String {
        var encoder = NATSEncoder()
        for request in requests { session.write(request, from: 32, to: &encoder) }
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    @Test("Nothing is sent before TLS stands, if the address or the hub asks for TLS")
    func tls() throws {
        for (hub, greeting) in [
            (secure, info(tls: true)), (secure, info(offered: true)), (clear, info(tls: true)),
        ] {
            var session = session(hub)
            guard case .secure? = try session.take(greeting) else {
                Issue.record("TLS does not begin")
                return
            }
            // Nor is anything read that came in clear.
            var stuffed = session
            #expect(throws: HubError.violation(hub)) { try stuffed.take(.pong) }
            let login = String(decoding: session.enter(), as: UTF8.self)
            #expect(login.hasPrefix("CONNECT {") && login.hasSuffix("}\r\nSUB \(answers)* 1\r\nPING\r\n"))
            #expect(login.contains(#""tls_required":true"#))
        }
    }

    @Test("A hub without TLS gets no login if the address asks for TLS, and one without headers is refused")
    func unfit() throws {
        for offered in [nil, false] {
            var session = session(secure)
            #expect(throws: HubError.clear(secure)) { try session.take(info(offered: offered)) }
        }
        for headers in [nil, false] {
            var session = session(clear)
            let error = #expect(throws: HubError.self) { try session.take(info(headers: headers)) }
            #expect(error?.code == .refused)
        }
    }

    @Test(
        "An error before the hub lets in has its finding",
        arguments: [
            ("'Authorization Violation'", .login), ("'User Authentication Expired'", .login),
            ("'maximum connections exceeded'", .unreachable), ("", .unreachable),
            (#"'Permissions Violation for Subscription to "_INBOX.x.*"'"#, nil),
        ] as [(String, HubError.Code?)]
    )
    func errors(words: String, code: HubError.Code?) throws {
        var session = session(clear)
        _ = try session.take(info())
        if let code {
            let error = #expect(throws: HubError.self) { try session.take(.error(words)) }
            #expect(error?.code == code)
            if words.contains("maximum") {
                #expect(error?.what == "127.0.0.1:4222 does not answer: maximum connections exceeded.")
            }
        } else {
            let effect = try session.take(.error(words))
            #expect(effect == nil)
        }
    }

    @Test("Errors of an open connection are the answers that are missing")
    func laterErrors() throws {
        var session = try openSession()
        for operation in [.error("'Permissions Violation'"), .ok, info()] as [NATSOperation] {
            let effect = try session.take(operation)
            #expect(effect == nil)
        }
        guard case .send(let bytes)? = try session.take(.ping), case .alive? = try session.take(.pong) else {
            Issue.record("a sign of life is missing")
            return
        }
        #expect(bytes == Array("PONG\r\n".utf8))
    }

    @Test("Bytes in the wrong state end the connection")
    func order() throws {
        for operation in [.ping, .pong, .ok, mail("e.a.b", 2)] as [NATSOperation] {
            var session = session(clear)
            #expect(throws: HubError.violation(clear)) { try session.take(operation) }
        }
        var session = session(clear)
        _ = try session.take(info())
        #expect(throws: HubError.violation(clear)) { try session.take(mail(answers + "1", 1)) }
    }

    @Test("Requests become lines")
    func requests() throws {
        var session = try openSession()
        let requests: [HubRequest] = [
            .subscribe("e.a.b"), .subscribe("e.a.c"), .subscribe("e.a.b"), .unsubscribe("e.a.b"), .unsubscribe("e.a.b"),
            .unsubscribe("e.x.x"), .subscribe("e.a.b"),
            .publish(subject: "last.a.b", body: [], id: nil, number: 1),
            .publish(subject: "e.a.b", body: [0x68, 0x69], id: "00ff", number: 2),
        ]
        #expect(
            text(requests, &session) == """
                SUB e.a.b 2\r\nSUB e.a.c 3\r\nUNSUB 2\r\nSUB e.a.b 4\r
                PUB last.a.b \(answers)33 0\r\n\r
                HPUB e.a.b \(answers)34 31 33\r\nNATS/1.0\r\nNats-Msg-Id: 00ff\r\n\r\nhi\r\n
                """
        )
        // Lines that a hub could take for others, and messages that it would end the connection for.
        let unfit: [HubRequest] = [
            .subscribe(""), .subscribe("a b"), .subscribe("a\r\nPING"), .unsubscribe("e.a.c\r\n"),
            .publish(subject: "a\n", body: [], id: nil, number: 1),
            .publish(subject: "a", body: [], id: "a\r\n", number: 1),
            .publish(subject: "a", body: [UInt8](repeating: 1, count: 1_001), id: nil, number: 1),
        ]
        #expect(text(unfit, &session) == "")
    }

    @Test("Messages go to the subscriptions that are open, under their own subjects")
    func mail() throws {
        var session = try openSession()
        _ = text([.subscribe("e.a.b"), .subscribe("e.a.c"), .unsubscribe("e.a.c")], &session)
        guard case .event(.mail("e.a.b", [1]))? = try session.take(mail("e.a.b", 2)) else {
            Issue.record("the mail is missing")
            return
        }
        guard case .event(.answer(7, _))? = try session.take(mail(answers + "7", 1)) else {
            Issue.record("the answer is missing")
            return
        }
        for (subject, number) in [
            ("e.a.c", 2), ("e.a.c", 3), ("e.a.b", 9), (answers + "x", 1), (answers + "18446744073709551616", 1),
            (answers, 1), ("_INBOX.other.7", 1), (answers + "7", 2), (answers + "+7.1", 1),
        ] {
            let effect = try session.take(mail(subject, number))
            #expect(effect == nil)
        }
    }

    @Test("There are no more subscriptions than the limit")
    func subscriptionLimit() throws {
        var session = try openSession()
        let all = text((0...HubLimits.subscriptionCount).map { .subscribe("e.a.\($0)") }, &session)
        #expect(all.split(separator: "\r\n").count == HubLimits.subscriptionCount)
        // An end makes room.
        #expect(text([.unsubscribe("e.a.0"), .subscribe("e.b.b")], &session).contains("SUB e.b.b"))
        #expect(text([.subscribe("e.b.c")], &session) == "")
    }

    @Test("The subject of answers cannot be guessed")
    func answersSubject() throws {
        var random = SystemRandomNumberGenerator()
        let logins = try (0..<2).map { _ in
            var session = HubSession(with: clear, using: &random)
            guard case .send(let bytes)? = try session.take(info()) else { throw CocoaError(.coderInvalidValue) }
            return try #require(String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").dropFirst().first)
        }
        #expect(logins[0] != logins[1])
        #expect(logins.allSatisfy { $0.wholeMatch(of: /SUB _INBOX\.[0-9A-Za-z]{22}\.\* 1/) != nil })
    }
}
