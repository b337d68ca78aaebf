import EarshotRPC
import Foundation

/// A node of the demo: another process of this executable, with a home of its own.
///
/// It owns the process, the client on the process's standard streams, and all events so far.
actor DemoNode {
    /// The time after which a step of the demo has failed.
    static let limit = Duration.seconds(30)

    /// An event and its time of arrival.
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
    /// Kept, because the pipes close their descriptors when they are released.
    private let pipes: [Pipe]
    private var reading: Task<Void, Never>?
    private var hasEnded = false

    /// Connects to a new process; `start` then waits until it is ready.
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
        // The child has its own copies; while these are open, neither side sees the end of the other.
        try pipes[0].fileHandleForReading.close()
        try pipes[1].fileHandleForWriting.close()
        let node = try await DemoNode(name: name, process: process, pipes: pipes, exit: exit)
        try await node.begin()
        return node
    }

    /// Waits for the first event that fits, among those since `start` and those that arrive before the limit.
    ///
    /// - Parameter what: The name of the awaited event, for the error.
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

    /// Stops the node and waits until its process has ended.
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
