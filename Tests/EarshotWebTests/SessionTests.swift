import EarshotWeb
import Testing

@Suite("Sessions of the page", .timeLimit(.minutes(30)))
struct SessionTests {
    @Test("A token opens one session, which only its own cookie has, until it ends")
    func life() async throws {
        try await WebTrial.run { trial in
            let token = try await trial.token()
            let origin = "Origin: \(trial.origin)"
            let opened = try await trial.ask("POST /session", [origin], token)
            #expect(opened.status == 200)
            #expect(opened["secret"]?.count == 64)
            let header = try #require(opened.headers["set-cookie"])
            #expect(header.hasPrefix("earshot-\(trial.port)="))
            #expect(header.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
            let cookie = "Cookie: other=1; " + header.prefix { $0 != ";" }
            #expect(try await trial.ask("GET /session", [cookie]).status == 204)
            #expect(try await trial.ask("POST /session", [origin], token).status == 401)
            let guest = try await trial.guest()
            #expect(try await trial.ask("DELETE /session", guest).status == 204)
            #expect(try await trial.ask("GET /session", guest).status == 401)
            #expect(try await trial.ask("GET /session", [cookie]).status == 204)
        }
    }

    @Test("Guessed, changed, cut and overlong tokens open nothing, and good ones do afterwards")
    func guesses() async throws {
        var times = WebTimes.unhurried
        times.wrongToken = .milliseconds(1)
        try await WebTrial.run(times: times) { trial in
            let token = try await trial.token()
            let origin = "Origin: \(trial.origin)"
            let wrong = [
                "", "0", String(token.dropLast()), token + "0", String(token.reversed()), token.uppercased() + " ",
                String(repeating: "0", count: 64), "\u{0}",
            ]
            for guess in wrong where guess != token {
                #expect(try await trial.ask("POST /session", [origin], guess).status == 401)
            }
            let long = String(repeating: "0", count: WebLimits.tokenBodyByteCount + 1)
            #expect(try await trial.ask("POST /session", [origin], long).status == 413)
            #expect(try await trial.ask("POST /session", [origin], token).status == 200)
        }
    }

    @Test("Answers to wrong tokens are held back")
    func slowed() async throws {
        var times = WebTimes.unhurried
        times.wrongToken = .seconds(3_600)
        try await WebTrial.run(times: times) { trial in
            let guesser = try await RawConnection(port: trial.port)
            try await guesser.write(trial.request("POST /session", ["Origin: \(trial.origin)"], Array("0".utf8)))
            // The server answers all others meanwhile, and does not answer the guess before it ends.
            #expect(try await trial.ask("GET /session", try await trial.guest()).status == 204)
            await trial.server.stop()
            #expect(WebAnswer(await guesser.readToEnd())?.status != 401)
        }
    }

    @Test("One session more than allowed takes the place of the oldest, whose WebSocket is told")
    func sessionLimit() async throws {
        try await WebTrial.run { trial in
            let first = try await trial.guest()
            let socket = try await SocketClient(trial, first)
            try await socket.say(#"{"jsonrpc":"2.0","method":"status","id":1}"#)
            #expect(await socket.text(with: #""id":1"#) != nil)
            var others: [[String]] = []
            for _ in 0..<WebLimits.sessionCount { others.append(try await trial.guest()) }
            #expect(try await trial.ask("GET /session", first).status == 401)
            #expect(await socket.end() == 4_401)
            for other in others { #expect(try await trial.ask("GET /session", other).status == 204) }
        }
    }

    @Test("One unused token more than allowed takes the place of the oldest")
    func tokenLimit() async throws {
        try await WebTrial.run { trial in
            var tokens: [String] = []
            for _ in 0...WebLimits.tokenCount { tokens.append(try await trial.token()) }
            #expect(Set(tokens).count == tokens.count)
            #expect(tokens.allSatisfy { $0.count == 64 })
            let origin = "Origin: \(trial.origin)"
            for token in tokens.dropFirst() {
                #expect(try await trial.ask("POST /session", [origin], token).status == 200)
            }
            #expect(try await trial.ask("POST /session", [origin], tokens[0]).status == 401)
        }
    }
}
