import Testing

/// The real server over real sockets, with the requests of hostile pages and programs of the machine.
@Suite("Who may ask the page's server", .timeLimit(.minutes(30)))
struct OriginCheckTests {
    /// The requests that read or change something of the user.
    static let guarded = [
        "GET /session", "DELETE /session", "GET /media/00000000000000000000000000000000/0",
        "HEAD /media/00000000000000000000000000000000/0", "POST /files?name=a&kind=file", "DELETE /files/0",
        "POST /send", "POST /export",
        "POST /qr",
    ]

    @Test("The page itself is there for everybody, and allows nothing but its own files")
    func page() async throws {
        try await WebTrial.run { trial in
            let answer = try await trial.ask("GET /")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.text.contains("Earshot"))
            let policy = try #require(answer.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; worker-src 'none'; "))
            #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
            let head = try await trial.ask("HEAD /")
            #expect(head.body.isEmpty)
            #expect(head.headers["content-length"] == "\(answer.body.count)")
        }
    }

    @Test(
        "Every answer forbids to guess types, to frame, to keep and to tell where it was",
        arguments: ["GET /", "GET /nothing", "PUT /", "GET /media/0/0", "POST /send", "GET /socket"]
    )
    func headers(line: String) async throws {
        try await WebTrial.run { trial in
            let headers = try await trial.ask(line, ["Origin: \(trial.origin)"], []).headers
            #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["cross-origin-opener-policy"] == "same-origin")
            #expect(headers["cross-origin-resource-policy"] == "same-origin")
            #expect(headers["permissions-policy"]?.hasPrefix("microphone=(self), ") == true)
            #expect(headers["cache-control"] == "no-store")
        }
    }

    @Test("Without a session nothing of the user is told or changed", arguments: guarded)
    func noCookie(line: String) async throws {
        try await WebTrial.run { trial in
            let number = String(repeating: "0", count: 64)
            for cookies in [[], ["Cookie: earshot-\(trial.port)=\(number)"], ["Cookie: earshot-\(trial.port)="]] {
                let answer = try await trial.ask(line, ["Origin: \(trial.origin)"] + cookies, [])
                #expect(answer.status == 401)
                if !line.hasPrefix("HEAD") { #expect(answer.error == "noSession") }
            }
        }
    }

    @Test(
        "A name that a web page has had point here is no name of the server's",
        arguments: [
            "attacker.example", "attacker.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:PORT.attacker.example",
            "localhost", "", "127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT", "127.1:PORT", "0:PORT", "user@127.0.0.1:PORT",
        ]
    )
    func rebinding(host: String) async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            let host = "Host: " + host.replacing("PORT", with: "\(trial.port)")
            for line in ["GET /", "GET /session", "POST /session"] {
                #expect(try await trial.ask(line, [host] + guest, []).status == 421)
            }
        }
    }

    @Test(
        "All three names of this machine are the server's",
        arguments: ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]
    )
    func names(host: String) async throws {
        try await WebTrial.run { trial in
            let answer = try await trial.ask("GET /", ["Host: \(host):\(trial.port)"])
            #expect(answer.status == 200)
        }
    }

    @Test(
        "Pages of other origins are refused, whatever they ask",
        arguments: guarded + ["POST /session", "GET /socket"]
    )
    func otherOrigins(line: String) async throws {
        try await WebTrial.run { trial in
            let cookie = "Cookie: \(try await trial.cookie())"
            let others = [
                "http://attacker.example", "null", "http://127.0.0.1:1", "http://127.0.0.1",
                "https://127.0.0.1:\(trial.port)",
                "http://localhost:\(trial.port)", "\(trial.origin).attacker.example", "\(trial.origin)/",
            ]
            for origin in others {
                #expect(try await trial.ask(line, [cookie, "Origin: \(origin)"], []).status == 403)
            }
            for site in ["cross-site", "same-site"] {
                let headers = [cookie, "Origin: \(trial.origin)", "Sec-Fetch-Site: \(site)"]
                #expect(try await trial.ask(line, headers, []).status == 403)
            }
            // Browsers name the origin of every request that does not only read.
            let answer = try await trial.ask(line, [cookie], [])
            let isReading = line.hasPrefix("GET ") || line.hasPrefix("HEAD ")
            #expect((answer.status == 403) == (!isReading || line == "GET /socket"))
        }
    }

    @Test("Other sites may link to the page, and take no part of it")
    func links() async throws {
        try await WebTrial.run { trial in
            let cross = "Sec-Fetch-Site: cross-site"
            let link = try await trial.ask("GET /", [cross, "Sec-Fetch-Mode: navigate"])
            #expect(link.status == 200)
            #expect(try await trial.ask("GET /", [cross, "Sec-Fetch-Mode: no-cors"]).status == 403)
            #expect(try await trial.ask("GET /", [cross]).status == 403)
        }
    }

    @Test("It listens on 127.0.0.1 and on no other address of the machine")
    func pageLoopbackOnly() async throws {
        try await WebTrial.run { trial in
            await #expect(throws: (any Error).self) { try await RawConnection(port: trial.port, host: "127.0.0.2") }
        }
    }

    @Test(
        "No path leads to the file system",
        arguments: [
            "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/index.html/../../etc",
            "/media/../../../etc/passwd/0", "/media/%2e%2e/0", "/files/..%2f..", "/./", "/%00", "/media//0",
            "http://127.0.0.1/etc/passwd", "*", "/media/\(String(repeating: "0", count: 32))/-1",
        ]
    )
    func traversal(path: String) async throws {
        try await WebTrial.run { trial in
            let answer = try await trial.ask("GET \(path)", try await trial.guest())
            #expect([400, 404, 405].contains(answer.status))
            #expect(!answer.text.contains("root:"))
        }
    }
}
