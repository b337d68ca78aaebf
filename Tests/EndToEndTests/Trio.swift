import Foundation

/// Alice, Bob and a relay between them, each a process in a namespace of its own.
struct Trio: Sendable {
    static let aliceName = "Alice-Wiśniewska"
    static let bobName = "Bob-Ödön"

    let line: NamespaceLine
    let folder: TemporaryFolder
    let alice: NodeProcess
    let bob: NodeProcess
    let relay: NodeProcess
    let aliceID: String
    let bobID: String

    /// Starts all three processes and waits until the ends know each other; nil if the system forbids namespaces.
    static func start(lossPercent: Int = 0) async throws -> Trio? {
        guard let line = try NamespaceLine() else { return nil }
        if lossPercent > 0 { try line.lose(percent: lossPercent) }
        let folder = try TemporaryFolder()
        let relay = try start("relay", name: "Relay", line, folder)
        let alice = try start("alice", name: aliceName, line, folder)
        let bob = try start("bob", name: bobName, line, folder)
        _ = try await relay.ready()
        let aliceID = try await alice.ready()
        let bobID = try await bob.ready()
        let trio = Trio(
            line: line,
            folder: folder,
            alice: alice,
            bob: bob,
            relay: relay,
            aliceID: aliceID,
            bobID: bobID
        )
        try await trio.alice.knows(bobID)
        try await trio.bob.knows(aliceID)
        return trio
    }

    /// Starts one host's node on its home, which is made on first use.
    static func start(
        _ host: String,
        name: String,
        _ line: NamespaceLine,
        _ folder: TemporaryFolder
    ) throws -> NodeProcess {
        let home = folder.url.appending(path: host)
        if !FileManager.default.fileExists(atPath: home.path) {
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
            ])
            guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
        }
        let options = host == "relay" ? ["--relay-only"] : []
        let log = folder.url.appending(path: "\(host).nonces").path
        return try NodeProcess(
            host,
            home: home,
            in: line.namespace(host),
            options,
            environment: ["EARSHOT_NONCE_LOG": log]
        )
    }

    func restart(_ host: String) throws -> NodeProcess {
        try Self.start(host, name: "", line, folder)
    }

    /// Opens the conversation: Alice writes first, Bob accepts her.
    func introduce() async throws {
        try await alice.send("first", to: bobID)
        _ = try await bob.message("first")
        try await bob.call("trust", ["peer": .string(aliceID), "action": .string("accept")])
        try await alice.delivered(1)
    }

    /// Returns the largest number of uses of one (key, nonce) pair by `host`.
    func mostUsesOfOneNonce(of host: String) throws -> Int {
        let log = try Data(contentsOf: folder.url.appending(path: "\(host).nonces"))
        var uses: [Data: Int] = [:]
        for start in stride(from: 0, to: log.count - 31, by: 32) {
            uses[log[start..<(start + 32)], default: 0] += 1
        }
        return uses.values.max() ?? 0
    }

    func stop() async {
        await alice.stop()
        await bob.stop()
        await relay.stop()
    }
}

extension NodeProcess {
    /// Waits until this node has discovered a peer.
    func knows(_ peer: String) async throws {
        if try await call("contacts").array?.contains(where: { $0["id"]?.string == peer }) == true { return }
        _ = try await event("contact \(peer.prefix(8))") { $0["contact"]?["id"]?.string == peer }
    }

    @discardableResult
    func send(_ text: String, to peer: String) async throws -> String {
        try await call("send", ["to": .string(peer), "text": .string(text)])["message"]?.string ?? ""
    }

    /// Waits for an incoming message with this text.
    func message(_ text: String) async throws -> JSONValue {
        try await event("message '\(text.prefix(20))'") {
            $0["type"]?.string == "message" && $0["message"]?["text"]?.string == text
                && $0["message"]?["outgoing"] == .bool(false)
        }
    }

    /// Waits until this many own messages are delivered.
    func delivered(_ count: Int) async throws {
        _ = try await events(count, "delivered") {
            $0["type"]?.string == "status" && $0["status"]?.string == "delivered"
        }
    }

    /// Returns the texts of all messages with a peer, oldest first.
    func texts(with peer: String) async throws -> [String] {
        var pages: [[JSONValue]] = []
        var before: JSONValue?
        while true {
            var parameters: [String: JSONValue] = ["conversation": .string(peer), "limit": .number(500)]
            parameters["before"] = before
            let page = try await call("history", parameters).array ?? []
            guard let first = page.first else { break }
            pages.insert(page, at: 0)
            before = first["id"]
        }
        return pages.joined().compactMap { $0["text"]?.string }
    }
}
