import Earshot
import EarshotWeb
import Testing

@Suite("The page's WebSocket", .timeLimit(.minutes(30)))
struct SocketTests {
    private static func status(_ id: Int) -> String { #"{"jsonrpc":"2.0","method":"status","id":\#(id)}"# }

    @Test("It speaks the lines of JSON-RPC in both directions, events too")
    func talk() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let socket = try await SocketClient(trial)
            try await socket.say(#"{"jsonrpc":"2.0","method":"subscribe","params":{"events":["message"]},"id":1}"#)
            #expect(await socket.next()?.text == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
            // Lines may break anywhere that JSON allows.
            try await socket.say(
                "{\"jsonrpc\":\"2.0\",\n\"method\":\"send\",\n\"params\":{\"to\":\"\(bob)\",\"text\":\"Hello\"},\"id\":2}"
            )
            let event = try #require(await socket.text(with: #""method":"event""#))
            #expect(event.contains(#""text":"Hello""#))
            try await socket.say("{")
            #expect(await socket.text(with: #""code":-32700"#) != nil)
        }
    }

    @Test("A session that is not good is told so, and no line of it is answered", arguments: ["", "earshot-PORT=0"])
    func noSession(cookie: String) async throws {
        try await WebTrial.run { trial in
            let cookie = "Cookie: " + cookie.replacing("PORT", with: "\(trial.port)")
            let socket = try await SocketClient(trial, ["Origin: \(trial.origin)", cookie])
            try? await socket.say(Self.status(1))
            let frame = await socket.next()
            #expect(frame?.code == 4_401)
            #expect(await socket.next() == nil)
        }
    }

    @Test("It ends with its session, and with the server")
    func ends() async throws {
        try await WebTrial.run { trial in
            let (first, second) = (try await trial.guest(), try await trial.guest())
            let (signedOut, other) = (try await SocketClient(trial, first), try await SocketClient(trial, second))
            for socket in [signedOut, other] {
                try await socket.say(Self.status(1))
                #expect(await socket.text(with: #""id":1"#) != nil)
            }
            #expect(try await trial.ask("DELETE /session", first).status == 204)
            #expect(await signedOut.end() == 4_401)
            await trial.server.stop()
            #expect(await other.end() == 1_001)
        }
    }

    @Test("A message as long as allowed is read, whole or in pieces; a longer one ends the socket")
    func messageLimit() async throws {
        try await WebTrial.run { trial in
            let line = Self.status(1)
            let full = Array((line + String(repeating: " ", count: WebLimits.messageByteCount - line.utf8.count)).utf8)
            let (half, guest) = (full.count / 2, try await trial.guest())
            let whole = try await SocketClient(trial, guest)
            try await whole.connection.write(SocketClient.frame(1, full))
            #expect(await whole.text(with: #""id":1"#) != nil)
            for first in [half, half + 1] {
                let socket = try await SocketClient(trial, guest)
                try await socket.connection.write(
                    SocketClient.frame(1, Array(full[..<first]), isFinal: false) + SocketClient.frame(9, [1, 2])
                )
                #expect(await socket.next() == SocketClient.Frame(opcode: 10, payload: [1, 2]))
                try? await socket.connection.write(SocketClient.frame(0, Array(full[half...])))
                if first == half {
                    #expect(await socket.text(with: #""id":1"#) != nil)
                } else {
                    #expect(await socket.end() == 1_009)
                }
            }
            let long = try await SocketClient(trial, guest)
            // A length alone is enough: the server does not wait for the announced bytes.
            try await long.connection.write([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1])
            #expect(await long.end() == 1_009)
        }
    }

    @Test("A message comes in as many pieces as allowed, and in no more")
    func fragmentLimit() async throws {
        try await WebTrial.run { trial in
            let line = Array((Self.status(1) + String(repeating: " ", count: WebLimits.fragmentCount)).utf8)
            func pieces(_ count: Int) -> [UInt8] {
                (0..<count).flatMap { index -> [UInt8] in
                    let isFinal = index == count - 1
                    let piece = isFinal ? Array(line[index...]) : [line[index]]
                    return SocketClient.frame(index == 0 ? 1 : 0, piece, isFinal: isFinal)
                }
            }
            let guest = try await trial.guest()
            let most = try await SocketClient(trial, guest)
            try await most.connection.write(pieces(WebLimits.fragmentCount))
            #expect(await most.text(with: #""id":1"#) != nil)
            let more = try await SocketClient(trial, guest)
            try await more.connection.write(pieces(WebLimits.fragmentCount + 1))
            #expect(await more.end() == 1_009)
        }
    }

    @Test("What breaks the rules of WebSockets ends the socket, and nothing else")
    func violations() async throws {
        try await WebTrial.run { trial in
            let text = Array(Self.status(1).utf8)
            let cases: [([UInt8], Int)] = [
                (SocketClient.frame(1, text, isMasked: false), 1_002),
                (SocketClient.frame(1, text, bits: 0x40), 1_002),
                (SocketClient.frame(1, text, bits: 0x10), 1_002),
                (SocketClient.frame(0, text), 1_002),
                (SocketClient.frame(3, text), 1_002),
                (SocketClient.frame(11, []), 1_002),
                (SocketClient.frame(1, text, isFinal: false) + SocketClient.frame(1, text), 1_002),
                (SocketClient.frame(1, [], isFinal: false), 1_002),
                (SocketClient.frame(9, [1], isFinal: false), 1_002),
                (SocketClient.frame(9, [UInt8](repeating: 0, count: 126)), 1_002),
                (SocketClient.frame(2, text), 1_003),
                (SocketClient.frame(1, [0xFF, 0xFE]), 1_007),
                ([0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8), 1_009),
                (SocketClient.frame(8, [3, 232]), 1_000),
                (SocketClient.frame(8, [1]), 1_000),
            ]
            let guest = try await trial.guest()
            for (bytes, code) in cases {
                let socket = try await SocketClient(trial, guest)
                try await socket.connection.write(bytes)
                let end = await socket.end()
                #expect(end == code, "after \(bytes.prefix(16))")
            }
            #expect(try await trial.ask("GET /session", guest).status == 204)
        }
    }

    @Test("A handshake that is not right in every way is answered as a request")
    func handshakes() async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            let right = SocketClient.handshake
            let wrong: [(String, [String], Int)] = [
                ("GET /socket", Array(right.dropFirst()), 426), ("GET /socket", Array(right.dropLast()), 426),
                ("GET /socket", right.map { $0.replacing("13", with: "8") }, 426),
                ("GET /socket", right.map { $0.replacing("dGhl", with: "") }, 426),
                ("GET /socket", right.map { $0.replacing("websocket", with: "h2c") }, 426),
                ("GET /socket", right.map { $0.replacing("websocket", with: "websocket, h2c") }, 426),
                ("GET /socket", right + ["Content-Length: 1"], 426), ("GET /", right, 200),
                ("POST /socket", right, 405),
                ("GET /socket/", right, 404), ("GET /nothing", right, 404),
            ]
            for (line, headers, status) in wrong {
                let body: [UInt8] = headers.contains("Content-Length: 1") ? [1] : []
                let connection = try await RawConnection(port: trial.port)
                try await connection.write(trial.request(line, headers + guest) + body)
                #expect(WebAnswer(await connection.readToEnd())?.status == status, "\(line) \(headers)")
            }
            let foreign = ["Origin: http://attacker.example"]
            #expect(try await trial.ask("GET /socket", right + foreign).status == 403)
        }
    }

    @Test("Pings go out, and are answered")
    func pings() async throws {
        var times = WebTimes.unhurried
        times.ping = .milliseconds(1)
        try await WebTrial.run(times: times) { trial in
            let socket = try await SocketClient(trial)
            #expect(await socket.next()?.opcode == 9)
            try await socket.connection.write(SocketClient.frame(10, []) + SocketClient.frame(9, [7]))
            while let frame = await socket.next(), frame.opcode != 10 {}
        }
    }

    @Test("A page that does not read holds up nobody, and is told what it missed")
    func lagging() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            let (reader, sleeper) = (try await SocketClient(trial, guest), try await SocketClient(trial, guest))
            try await sleeper.connection.stopReading()
            let subscribe = #"{"jsonrpc":"2.0","method":"subscribe","id":1}"#
            for socket in [reader, sleeper] { try await socket.say(subscribe) }
            #expect(await reader.text(with: #""id":1"#) != nil)
            let text = String(repeating: "x", count: 14_000)
            // The lines exceed the sockets' buffers and the node's own queue.
            for number in 0..<3_000 {
                try await trial.node.conversation(.direct(bob)).send("\(number) \(text)")
                #expect(await reader.text(with: #""text":"\#(number) "#) != nil)
            }
            try await sleeper.connection.startReading()
            #expect(await sleeper.text(with: #""type":"lagged""#) != nil)
        }
    }
}
