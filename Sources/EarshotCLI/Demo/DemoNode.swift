import EarshotRPC
import Foundation

/// A node of the demo: this very executable run again, with a home of its own.
///
/// Owns the process, the client that talks to it over the process's standard streams, and all events it has told.
actor DemoNode {
    /// How long a step may take before the demo says that it did not happen.
    static let limit = Duration.seconds(30)

    /// An event and when it came.
    struct Moment: Sendable {
        let event: RPCEvent
        let time: ContinuousClock.Instant
    }

    nonisolated let name: String
    nonisolated let client: RPCClient
    private(set) var moments: [Moment] = []
    private var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
    private let process: Process
    private let exit: AsyncStream<Void>
    /// Held because they close their descriptors when they go.
    private let pipes: [Pipe]
    private var reading: Task<Void, Never>?
    private var hasEnded = false

    /// Starts a node; `start` then waits until it is ready.
    private init(name: String, process: Process, pipes: [Pipe], exit: AsyncStream<Void>) async throws {
        self.name = name
        self.process = process
        self.pipes = pipes
        self.exit = exit
        client = await RPCClient(
            try DescriptorConnection(
                input: pipes[1].fileHandleForReading.fileDescriptor,
                output: pipes[0].fileHandleForWriting.fileDescriptor,
                ownsDescriptors: false
            )
        )
    }

    /// Starts a node on a home and subscribes to all its events.
    static func start(_ name: String, home: URL, _ options: [String], log: URL) async throws -> DemoNode {
        let pipes = [Pipe(), Pipe()]
        let process = Process()
        process.executableURL = try DemoStage.executable()
        process.arguments = ["--home", home.path, "node", "--stdio"] + options
        process.environment = DemoStage.environment
        process.standardInput = pipes[0]
        process.standardOutput = pipes[1]
        process.standardError = try FileHandle(forWritingTo: log)
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        // The child has its own; as long as these are open, neither side sees the other end.
        try pipes[0].fileHandleForReading.close()
        try pipes[1].fileHandleForWriting.close()
        let node = try await DemoNode(name: name, process: process, pipes: pipes, exit: exit)
        try await node.begin()
        return node
    }

    /// The first event that fits, of those that have come since `start` or come before the limit.
    ///
    /// - Parameter what: What is waited for, for the sentence that says it did not come.
    func first<Value: Sendable>(
        _ what: String,
        since start: ContinuousClock.Instant? = nil,
        _ fits: @Sendable (RPCEvent) -> Value?
    ) async throws -> (value: Value, time: ContinuousClock.Instant) {
        let deadline = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            for moment in moments where start.map({ moment.time >= $0 }) ?? true {
                if let value = fits(moment.event) { return (value, moment.time) }
            }
            guard !hasEnded else {
                throw CommandFailure(.failed, "\(name)'s node ended while the demo waited: \(what)")
            }
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(.notInTime, "not in \(TimeText.span(Self.limit)): \(what)")
            }
            await wait(until: deadline)
        }
    }

    /// Ends the node and waits until its process has gone.
    func stop() async {
        _ = try? await client.call(ShutdownCall())
        let alarm = Task { [process] in
            try await Task.sleep(for: .seconds(10))
            process.terminate()
            try await Task.sleep(for: .seconds(5))
            kill(process.processIdentifier, SIGKILL)
        }
        for await _ in exit {}
        alarm.cancel()
        await client.close()
        await reading?.value
    }

    private func begin() async throws {
        let events = try await client.events()
        reading = Task { await read(events) }
    }

    private func read(_ events: AsyncStream<RPCEvent>) async {
        for await event in events {
            moments.append(Moment(event: event, time: .now))
            wakeAll()
        }
        hasEnded = true
        wakeAll()
    }

    private func wait(until deadline: ContinuousClock.Instant) async {
        let id = UUID()
        let alarm = Task { [weak self] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            await self?.wake(id)
        }
        await withCheckedContinuation { waiters[id] = $0 }
        alarm.cancel()
    }

    private func wake(_ id: UUID) {
        waiters.removeValue(forKey: id)?.resume()
    }

    private func wakeAll() {
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume() }
    }
}
