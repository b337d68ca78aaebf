import Earshot
import EarshotWeb
import Foundation
import Synchronization
import Testing

@Suite("Ends of tokens and sessions of the page", .timeLimit(.minutes(30)))
struct ExpiryTests {
    /// A clock that a test sets.
    private final class Hand: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: @Sendable () -> ContinuousClock.Instant {
            { [self] in start.advanced(by: passed.withLock { $0 }) }
        }

        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }

    private static let second = Duration.seconds(1)
    private static let status = #"{"jsonrpc":"2.0","method":"status","id":1}"#

    @Test("A token is good for ten minutes")
    func tokens() async throws {
        let hand = Hand()
        var times = WebTimes.unhurried
        times.wrongToken = .zero
        try await WebTrial.run(times: times, now: hand.now) { trial in
            let origin = "Origin: \(trial.origin)"
            let (early, late) = (try await trial.token(), try await trial.token())
            hand.pass(times.token - Self.second)
            #expect(try await trial.ask("POST /session", [origin], early).status == 200)
            hand.pass(Self.second)
            #expect(try await trial.ask("POST /session", [origin], late).status == 401)
            #expect(times.token == .seconds(600))
        }
    }

    @Test("A session ends when nothing was heard of it for twelve hours, and after thirty days in any case")
    func sessions() async throws {
        let hand = Hand()
        let times = WebTimes.unhurried
        try await WebTrial.run(times: times, now: hand.now) { trial in
            let (used, left) = (try await trial.guest(), try await trial.guest())
            hand.pass(times.sessionIdle - Self.second)
            #expect(try await trial.ask("GET /session", used).status == 204)
            hand.pass(Self.second)
            #expect(try await trial.ask("GET /session", left).status == 401)
            #expect(times.sessionIdle == .seconds(12 * 3_600) && times.session == .seconds(30 * 86_400))
            // A session in continuous use.
            var age = times.sessionIdle
            while age + times.sessionIdle / 2 < times.session {
                #expect(try await trial.ask("GET /session", used).status == 204)
                hand.pass(times.sessionIdle / 2)
                age += times.sessionIdle / 2
            }
            #expect(try await trial.ask("GET /session", used).status == 204)
            hand.pass(times.session - age)
            #expect(try await trial.ask("GET /session", used).status == 401)
        }
    }

    @Test("A WebSocket ends with the time of its session, and what is said on it is heard of the session")
    func sockets() async throws {
        let hand = Hand()
        var times = WebTimes.unhurried
        times.ping = .milliseconds(1)
        try await WebTrial.run(times: times, now: hand.now) { trial in
            let guest = try await trial.guest()
            let socket = try await SocketClient(trial, guest)
            for _ in 0..<2 {
                try await socket.say(Self.status)
                #expect(await socket.text(with: #""id":1"#) != nil)
                hand.pass(times.sessionIdle - Self.second)
            }
            try await socket.say(Self.status)
            #expect(await socket.text(with: #""id":1"#) != nil)
            hand.pass(times.sessionIdle)
            #expect(await socket.end() == 4_401)
        }
    }

    @Test("Among several cookies of the name the one that is good counts", arguments: [true, false])
    func cookies(isFirst: Bool) async throws {
        try await WebTrial.run { trial in
            let cookie = try await trial.cookie()
            let other = "earshot-\(trial.port)=x"
            let line = "Cookie: " + (isFirst ? "\(cookie); \(other)" : "\(other); \(cookie)")
            #expect(try await trial.ask("GET /session", [line]).status == 204)
        }
    }

    @Test("The page that locks its node keeps its session, and all others end")
    func lock() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "earshot-ends-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try await WebTrial.run(home: .directory(home), passphrase: "p") { trial in
            let (own, other, token) = (try await trial.guest(), try await trial.guest(), try await trial.token())
            let (socket, second) = (try await SocketClient(trial, own), try await SocketClient(trial, other))
            try await second.say(Self.status)
            #expect(await second.text(with: #""id":1"#) != nil)
            try await socket.say(#"{"jsonrpc":"2.0","method":"lock","id":1}"#)
            #expect(await socket.text(with: #""result":{}"#) != nil)
            #expect(await second.end() == 4_401)
            #expect(try await trial.ask("GET /session", other).status == 401)
            #expect(try await trial.ask("POST /session", ["Origin: \(trial.origin)"], token).status == 401)
            try await socket.say(#"{"jsonrpc":"2.0","method":"unlock","params":{"passphrase":"p"},"id":2}"#)
            #expect(await socket.text(with: #""id":2"#) != nil)
        }
    }

    @Test("Ending the page ends all sessions and unused addresses, and new ones are good")
    func end() async throws {
        try await WebTrial.run { trial in
            let (guest, token) = (try await trial.guest(), try await trial.token())
            trial.server.endSessions()
            #expect(try await trial.ask("GET /session", guest).status == 401)
            #expect(try await trial.ask("POST /session", ["Origin: \(trial.origin)"], token).status == 401)
            #expect(try await trial.ask("GET /session", try await trial.guest()).status == 204)
        }
    }
}
