import Testing

@testable import EarshotWeb

@Suite("Limits of the page's server", .timeLimit(.minutes(30)))
struct LimitTests {
    @Test("A head as long as allowed is read, one byte more is not")
    func headLimit() async throws {
        try await WebTrial.run { trial in
            let bare = trial.request("GET /", ["X: "])
            for (excess, status) in [(0, 200), (1, 431), (1 << 20, 431)] {
                let filling = String(repeating: "x", count: WebLimits.headByteCount - bare.count + excess)
                let answer = try await trial.ask("GET /", ["X: \(filling)"])
                #expect(answer.status == status)
            }
        }
    }

    @Test("The end of a head is found wherever the bytes are cut", arguments: 0..<8)
    func headGate(cut: Int) {
        var gate = HeadGate()
        let head = Array("G\r\r\n\r\n".utf8) + [1, 2]
        let tail = Array(repeating: UInt8(0), count: 2 * WebLimits.headByteCount)
        var taken = [gate.takes(head[..<cut])]
        #expect(gate.isComplete == (cut >= 6))
        taken += [gate.takes(head[cut...]), gate.takes(tail)]
        #expect(taken == [true, true, true])
        #expect(gate.isComplete)
        var endless = HeadGate()
        taken = [endless.takes(tail[..<WebLimits.headByteCount]), endless.takes([0])]
        #expect(taken == [true, false])
    }

    @Test(
        "A body longer than allowed is refused, whether its length is told or not",
        arguments: [("/session", WebLimits.tokenBodyByteCount), ("/send", WebLimits.sendBodyByteCount), ("/qr", 1_024)]
    )
    func bodyLimits(path: String, limit: Int) async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            let full = [UInt8](repeating: 48, count: limit)
            #expect(try await trial.ask("POST \(path)", guest, full).status != 413)
            let long = try await trial.ask("POST \(path)", guest, full + [48])
            #expect(long.status == 413)
            #expect(long.error == "tooLarge")
            let chunk = Array("\(String(limit + 1, radix: 16))\r\n".utf8) + full + Array("0\r\n0\r\n\r\n".utf8)
            #expect(try await trial.ask("POST \(path)", guest + ["Transfer-Encoding: chunked"], chunk).status == 413)
        }
    }

    @Test("A body that has no end is read no further than its limit and some more")
    func endlessBody() async throws {
        try await WebTrial.run { trial in
            let connection = try await RawConnection(port: trial.port)
            let head = try await trial.guest() + ["Content-Length: \(UInt64(Int64.max))"]
            try await connection.write(trial.request("POST /qr", head))
            // The server stops reading and closes, so that writing fails at last.
            await #expect(throws: (any Error).self) {
                let filling = [UInt8](repeating: 0, count: 1 << 20)
                while true { try await connection.write(filling) }
            }
        }
    }

    @Test(
        "What is no request gets no answer that tells anything, and harms nobody",
        arguments: [
            "\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n",
            "POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n", "GET / HTTP/1.1\r\nHo st: x\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
        ]
    )
    func malformed(request: String) async throws {
        try await WebTrial.run { trial in
            let connection = try await RawConnection(port: trial.port)
            try await connection.write(request)
            let answer = WebAnswer(await connection.readToEnd())
            #expect(answer == nil || [400, 421].contains(answer?.status ?? 0))
            #expect(try await trial.ask("GET /").status == 200)
        }
    }

    @Test("A connection that does not end its head is closed when its time is over")
    func headTime() async throws {
        var times = WebTimes.unhurried
        times.head = .milliseconds(1)
        try await WebTrial.run(times: times) { trial in
            for beginning in ["", "GET / HTTP/1.1\r\nHost: ", "\r\n\r\n\r\n\r\n"] {
                let connection = try await RawConnection(port: trial.port)
                try? await connection.write(beginning)
                #expect(await connection.readToEnd().isEmpty)
            }
        }
    }

    @Test("A body that does not come on is given up")
    func bodyTime() async throws {
        try await WebTrial.run { trial in
            var times = WebTimes.unhurried
            times.idle = .milliseconds(1)
            let hasty = WebServer(node: trial.node, page: trial.page, times: times)
            let port = try await hasty.start(port: 0)
            let connection = try await RawConnection(port: port)
            let head = "POST /session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
            try await connection.write(head + "Content-Length: 2\r\n\r\n0")
            let answer = WebAnswer(await connection.readToEnd())
            #expect(answer == nil || answer?.status == 400)
            await hasty.stop()
        }
    }

    @Test("Ten thousand connections that say nothing keep nobody out, and only the newest of them stay")
    func slowConnections() async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            let socket = try await SocketClient(trial, guest)
            // Many at once, for one after the other takes minutes where the processor is busy.
            let count = WebLimits.unauthenticatedCount / 2
            var waiting: [[RawConnection]] = []
            for round in 0..<10_000 / count {
                waiting.append(try await Self.silentConnections(count, port: trial.port))
                if round.isMultiple(of: 32) {
                    #expect(try await trial.ask("GET /").status == 200)
                    #expect(try await trial.ask("GET /session", guest).status == 204)
                }
                if waiting.count > 2 { #expect(await Self.readToEnd(waiting.removeFirst()).isEmpty) }
            }
            try await socket.say(#"{"jsonrpc":"2.0","method":"status","id":1}"#)
            #expect(await socket.text(with: #""id":1"#) != nil)
            for connection in waiting.joined() { await connection.close() }
        }
    }

    /// Connections that begin a request and do not end it.
    private static func silentConnections(_ count: Int, port: UInt16) async throws -> [RawConnection] {
        try await withThrowingTaskGroup(of: RawConnection.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let connection = try await RawConnection(port: port)
                    try? await connection.write("GET / HTTP/1.1\r\nX: ")
                    return connection
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The bytes that come on connections until all of them end.
    private static func readToEnd(_ connections: [RawConnection]) async -> [UInt8] {
        await withTaskGroup(of: [UInt8].self) { group in
            for connection in connections { group.addTask { await connection.readToEnd() } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test("One guest more than allowed is refused, and there is room again when one goes")
    func guestLimit() async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            var sockets: [SocketClient] = []
            for _ in 0..<WebLimits.guestCount { sockets.append(try await SocketClient(trial, guest)) }
            #expect(try await trial.ask("GET /session", guest).status == 503)
            #expect(try await trial.ask("GET /socket", SocketClient.handshake + guest).status == 503)
            #expect(try await trial.ask("GET /").status == 200)
            await sockets.removeLast().connection.close()
            while try await trial.ask("GET /session", guest).status != 204 {}
            for socket in sockets { await socket.connection.close() }
        }
    }
}
