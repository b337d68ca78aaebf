import Earshot
import EarshotWeb
import Testing

@Suite("Proofs between the page and its server", .timeLimit(.minutes(30)))
struct ProofTests {
    private static let status = #"{"jsonrpc":"2.0","method":"status","id":1}"#

    @Test("A stolen cookie shows files and does nothing else", arguments: ["none", "another page's", "wrong"])
    func thief(header: String) async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let picture = try await trial.send([1, 2, 3], name: "a", to: bob)
            let victim = try await trial.guest()
            let cookie = try #require(victim.first { $0.hasPrefix("Cookie: ") }?.dropFirst("Cookie: ".count))
            var thief = trial.thief(of: String(cookie))
            switch header {
            case "wrong": thief.append("Earshot-Page: " + String(repeating: "0", count: 64))
            case "none": break
            default: thief += try await trial.guest().filter { $0.hasPrefix("Earshot-Page: ") }
            }
            #expect(try await trial.ask("GET \(picture)", thief).status == 200)
            for line in OriginCheckTests.guarded where !line.hasPrefix("GET ") && !line.hasPrefix("HEAD ") {
                let answer = try await trial.ask(line, thief, #"{"to":"\#(bob)","text":"forged"}"#)
                #expect(answer.status == 401 && answer.error == "noSession", "\(line)")
            }
            #expect(try await trial.ask("POST /qr", victim, "a").status == 200)
            #expect(try await trial.node.conversation(.direct(bob)).history().allSatisfy { $0.text != "forged" })
        }
    }

    @Test("A page that does not prove itself on the WebSocket first is heard no further")
    func unproved() async throws {
        try await WebTrial.run { trial in
            let (victim, other) = (try await trial.guest(), try await trial.guest())
            let nonce = SocketClient.nonce
            for attempt in 0..<6 {
                let socket = try await SocketClient(unproved: trial, victim)
                let opening = try #require(try await socket.opening())
                let given = [
                    nil, opening.proof, "", trial.code("earshot page", nonce, opening.nonce, of: other),
                    trial.code("earshot page", nonce, nonce, of: victim),
                    trial.code("earshot request", of: victim),
                ][attempt]
                let line = given.map { #"{"proof":"\#($0)"}"# } ?? Self.status
                try await socket.say(line)
                try? await socket.say(Self.status)
                let answer = await socket.next()
                #expect(answer?.code == 4_401, "\(line): \(answer?.text ?? "")")
            }
            let proved = try await SocketClient(trial, victim)
            try await proved.say(Self.status)
            #expect(await proved.text(with: #""id":1"#) != nil)
        }
    }

    @Test("A WebSocket that asks for no proof by a nonce is closed", arguments: ["", "00", "zz", "nonce"])
    func noNonce(nonce: String) async throws {
        try await WebTrial.run { trial in
            let socket = try await SocketClient(unproved: trial, try await trial.guest(), nonce: nonce)
            #expect(await socket.next()?.code == 4_401)
        }
    }

    @Test("Each WebSocket has a nonce of the server's own")
    func freshness() async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            let first = try #require(try await SocketClient(unproved: trial, guest).opening())
            let second = try #require(try await SocketClient(unproved: trial, guest).opening())
            #expect(first.nonce != second.nonce && first.proof != second.proof)
        }
    }

    @Test("A page that owes its proof for longer than allowed is cut off")
    func deadline() async throws {
        var times = WebTimes.unhurried
        times.proof = .milliseconds(1)
        try await WebTrial.run(times: times) { trial in
            let socket = try await SocketClient(unproved: trial, try await trial.guest())
            #expect(await socket.end() == 4_401)
        }
    }
}
