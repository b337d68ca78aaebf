import Foundation

/// A running `earshot node --stdio`, driven over its standard streams by JSON-RPC.
///
/// Owns the process and all its output. Tests wait for a line, with a generous limit; nothing here sleeps to wait.
actor NodeProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The time that a test waits for anything before it fails.
    static let limit = Duration.seconds(120)

    let name: String
    let home: URL
    private let process = Process()
    private let input = Pipe()
    let errorFile: URL
    private var events: [JSONValue] = []
    private var results: [Int: JSONValue] = [:]
    private var nextID = 1
    private var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
    private var reader: Task<Void, Never>?
    private var hasEnded = false
    /// The process id.
    var identifier: Int32 { process.processIdentifier }

    /// Starts a node, in a namespace if one is given.
    ///
    /// - Parameter wrapper: The words that precede it on the command line.
    init(
        _ name: String,
        home: URL,
        in namespace: String? = nil,
        _ options: [String],
        environment: [String: String] = [:],
        under wrapper: [String] = []
    ) throws {
        self.name = name
        self.home = home
        errorFile = home.deletingLastPathComponent().appending(path: "\(name)-\(UUID().uuidString).log")
        try Data().write(to: errorFile)
        let prefix = namespace.map { ["ip", "netns", "exec", $0] } ?? []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = prefix + wrapper + [Command.earshot, "--home", home.path, "node", "--stdio"] + options
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        let errors = try FileHandle(forWritingTo: errorFile)
        process.standardError = errors
        try process.run()
        try errors.close()
        let lines = Self.lines(of: output.fileHandleForReading)
        Task { await self.read(lines) }
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<Data> {
        AsyncStream { continuation in
            // A blocking read needs a thread of its own.
            Thread.detachNewThread {
                var buffer = Data()
                while true {
                    let chunk = handle.availableData
                    if chunk.isEmpty { break }
                    buffer.append(chunk)
                    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(Data(buffer[buffer.startIndex..<end]))
                        buffer = Data(buffer[buffer.index(after: end)...])
                    }
                }
                continuation.finish()
            }
        }
    }

    private func read(_ lines: AsyncStream<Data>) async {
        for await line in lines {
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: line) else { continue }
            if let id = value["id"]?.int {
                results[id] = value
            } else if let event = value["params"] {
                events.append(event)
            }
            wakeAll()
        }
        hasEnded = true
        wakeAll()
    }

    private func wakeAll() {
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume() }
    }

    private func wake(_ id: UUID) {
        waiters.removeValue(forKey: id)?.resume()
    }

    /// Waits until `found` returns a value.
    ///
    /// Fails after the limit or if the process has ended.
    private func wait<Value: Sendable>(
        for what: String,
        _ found: (isolated NodeProcess) -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            if let value = found(self) { return value }
            guard !hasEnded, ContinuousClock.now < deadline else {
                let log = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
                let state = hasEnded ? "has ended" : "did not answer in time"
                throw Failure(description: "\(name) \(state) while waiting for \(what)\n\(log.suffix(2_000))")
            }
            let id = UUID()
            let alarm = Task { [weak self] in
                try? await ContinuousClock().sleep(until: deadline, tolerance: nil)
                await self?.wake(id)
            }
            await withCheckedContinuation { waiters[id] = $0 }
            alarm.cancel()
        }
    }

    /// Returns the first event that fits, of the past ones or of those that arrive within the limit.
    func event(_ what: String, where fits: @Sendable (JSONValue) -> Bool) async throws -> JSONValue {
        try await wait(for: what) { node in node.events.first(where: fits) }
    }

    /// Waits until this many events fit, and returns all that do.
    func events(_ count: Int, _ what: String, where fits: @Sendable (JSONValue) -> Bool) async throws -> [JSONValue] {
        try await wait(for: "\(count) × \(what)") { node in
            let all = node.events.filter(fits)
            return all.count >= count ? all : nil
        }
    }

    /// Discards the past events, for tests in which a search of all of them would take long.
    func forgetEvents() { events = [] }

    /// Returns all events so far that fit.
    func eventsSoFar(where fits: @Sendable (JSONValue) -> Bool) -> [JSONValue] {
        events.filter(fits)
    }

    /// Calls a method and waits for its result.
    @discardableResult
    func call(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONValue {
        let id = nextID
        nextID += 1
        let request = JSONValue.object([
            "jsonrpc": .string("2.0"), "id": .number(Double(id)), "method": .string(method),
            "params": .object(parameters),
        ])
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(request) + Data("\n".utf8))
        let answer = try await wait(for: "the answer to \(method)") { node in node.results.removeValue(forKey: id) }
        if let error = answer["error"] { throw Failure(description: "\(name): \(method): \(error)") }
        return answer["result"] ?? .null
    }

    /// Waits until the node reports that it is ready, and subscribes to its events.
    func ready() async throws -> String {
        let ready = try await event("ready") { $0["type"]?.string == "ready" }
        try await call("subscribe")
        return ready["id"]?.string ?? ""
    }

    /// Kills the process, so that it can do nothing more.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until the process has ended by itself, and returns its exit status.
    func ends() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Asks the process to end, and waits until it has.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}

extension NodeProcess {
    /// The options of nodes that hear only each other, on this machine's loopback interface.
    static func loopback(_ group: String = randomGroup()) -> [String] {
        ["--interface", "lo", "--discovery", group]
    }

    /// Returns a random multicast group that other tests almost certainly do not use.
    static func randomGroup() -> String {
        let place = "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
        return "\(place):\(Int.random(in: 20_000...30_000))"
    }
}
