import ChatCrypto
import Earshot
import EarshotMedia
import EarshotRPC
import Foundation
import Synchronization
import Testing

@testable import EarshotCLI
@testable import EarshotWeb

/// A node of this test with its page, which the test uses over real sockets as a browser does.
struct WebTrial: Sendable {
    let node: ChatNode
    let mesh: MeshOptions
    let page: NodePage
    let server: WebServer
    let port: UInt16
    private let tabs = Tabs()

    private init(
        _ node: ChatNode,
        _ mesh: MeshOptions,
        _ times: WebTimes,
        _ now: @escaping @Sendable () -> ContinuousClock.Instant
    ) async throws {
        self.node = node
        self.mesh = mesh
        page = NodePage(node: node, onUse: {})
        server = WebServer(node: node, page: page, times: times, now: now)
        port = try await server.start(port: 0)
    }

    /// Runs a body with a page.
    static func run(
        times: WebTimes = .unhurried,
        home: Home = .memory,
        passphrase: String? = nil,
        mediaByteLimit: UInt64? = nil,
        autoLock: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        _ body: (WebTrial) async throws -> Void
    ) async throws {
        var mesh = MeshOptions()
        mesh.interfaces = [Self.loopback]
        mesh.discoveryGroups = ["239.255.\(UInt8.random(in: 0...255)).\(UInt8.random(in: 1...254)):\(47_000)"]
        var settings = ChatConfiguration(mesh: mesh, mediaCleaner: StandardMediaCleaner())
        settings.passphraseCost = .small
        settings.autoLock = autoLock
        if let mediaByteLimit { settings.mediaByteLimit = mediaByteLimit }
        let trial = try await WebTrial(
            await ChatNode.open(home.with(passphrase: passphrase), orCreate: "Alice", settings),
            mesh,
            times,
            now
        )
        do {
            try await body(trial)
        } catch {
            await trial.stop()
            throw error
        }
        await trial.stop()
    }

    /// Runs a body with a page and with a second node in reach, to which the first one can write.
    static func runWithPeer(
        home: Home = .memory,
        passphrase: String? = nil,
        _ body: (WebTrial, PeerID) async throws -> Void
    ) async throws {
        try await run(home: home, passphrase: passphrase) { trial in
            let events = try trial.node.events()
            let bob = try await ChatNode.create(name: "Bob", ChatConfiguration(mesh: trial.mesh))
            do {
                try await trial.node.start()
                try await bob.start()
                for await event in events {
                    guard case .contact(let contact) = event, contact.name == "Bob" else { continue }
                    // Messages to Bob stay here, and disturb no test by arriving.
                    await bob.stop()
                    try await body(trial, contact.id)
                    break
                }
            } catch {
                await bob.stop()
                throw error
            }
        }
    }

    #if os(Linux)
        private static let loopback = "lo"
    #else
        private static let loopback = "lo0"
    #endif

    private func stop() async {
        await server.stop()
        await node.stop()
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// Returns an unused token.
    func token() async throws -> String {
        String(try #require(await server.newAddress()).split(separator: "#")[1])
    }

    /// Opens a page session and returns its cookie.
    func cookie() async throws -> String {
        let answer = try await ask("POST /session", ["Origin: \(origin)"], await token())
        #expect(answer.status == 200)
        let header = try #require(answer.headers["set-cookie"])
        let cookie = String(try #require(header.split(separator: ";").first))
        tabs.keep(try #require(answer["secret"]), of: cookie)
        return cookie
    }

    /// Opens a page and returns its headers.
    func guest() async throws -> [String] {
        let cookie = try await cookie()
        let code = tabs.code("earshot request", of: cookie) ?? ""
        return thief(of: cookie) + ["Earshot-Page: \(code)"]
    }

    /// Returns the headers of a program that has only the cookie of a page.
    func thief(of cookie: String) -> [String] {
        ["Origin: \(origin)", "Cookie: \(cookie)", "Sec-Fetch-Site: same-origin"]
    }

    /// Computes the code of words and nonces with the secret of the headers' tab; nil if there is no tab.
    func code(_ words: String, _ nonces: String..., of headers: [String]) -> String? {
        let cookie = headers.first { $0.hasPrefix("Cookie: ") }?.dropFirst("Cookie: ".count)
        return cookie.flatMap { tabs.code(words, nonces, of: String($0)) }
    }

    /// Encodes a request.
    func request(_ line: String, _ headers: [String] = [], _ body: [UInt8]? = nil) -> [UInt8] {
        var lines = ["\(line) HTTP/1.1"]
        if !headers.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
        lines += headers
        if let body, !headers.contains(where: { $0.hasPrefix("Content-Length:") || $0.hasPrefix("Transfer-") }) {
            lines.append("Content-Length: \(body.count)")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    /// Sends a request and reads the answer.
    func ask(_ line: String, _ headers: [String], _ body: String) async throws -> WebAnswer {
        try await ask(line, headers, Array(body.utf8))
    }

    /// Sends a request and reads the answer.
    func ask(_ line: String, _ headers: [String] = []) async throws -> WebAnswer {
        try await answer(to: request(line, headers))
    }

    /// Sends a request and reads the answer.
    func ask(_ line: String, _ headers: [String], _ body: [UInt8]) async throws -> WebAnswer {
        try await answer(to: request(line, headers, body))
    }

    private func answer(to request: [UInt8]) async throws -> WebAnswer {
        let connection = try await RawConnection(port: port)
        try await connection.write(request)
        return try #require(WebAnswer(await connection.readToEnd()))
    }

    /// Sends a file from the node itself.
    ///
    /// - Returns: The path that a page requests to see the file.
    func send(_ bytes: [UInt8], name: String, to peer: PeerID) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "earshot-web-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return
            "/media/\(try await node.conversation(.direct(peer)).send("", files: [FileDraft(file, name: name)]).id)/0"
    }
}

/// The second secrets of the pages that a test has opened, by their cookies.
private final class Tabs: Sendable {
    private let secrets = Mutex<[String: SecretBytes]>([:])

    func keep(_ digits: String, of cookie: String) {
        guard let bytes = [UInt8](hex: digits) else { return }
        secrets.withLock { $0[cookie] = SecretBytes(copying: bytes) }
    }

    func code(_ words: String, _ nonces: [String] = [], of cookie: String) -> String? {
        guard let secret = secrets.withLock({ $0[cookie] }) else { return nil }
        let message = Array(words.utf8) + nonces.flatMap { [UInt8](hex: $0) ?? [] }
        return HMACSHA256.code(message, key: secret).hex
    }
}

extension WebTimes {
    /// Times at which the clock ends no connection: on a loaded machine a test may wait long between two steps.
    static var unhurried: WebTimes {
        var times = WebTimes()
        times.head = .seconds(3_600)
        times.idle = .seconds(3_600)
        return times
    }
}
