/// The end that measures.
///
/// Its type decides the level: bare mesh or chat.
protocol SendingEnd: Actor {
    /// The pulse that beats whenever the end's state has changed.
    nonisolated var pulse: Pulse { get }

    /// Opens the sockets and joins the mesh.
    func start() async throws

    /// Waits for the first link.
    func waitForLink() async throws

    /// Sends the first message and waits until every receiver has confirmed it.
    func greet() async throws

    /// Sends 100 bytes to the first receiver's program and waits for its answer.
    func roundTrip() async throws

    /// Measures the time from sending a lone message on an idle link to the delivery event; nil if the level has no
    /// such event.
    func confirmations(_ count: Int) async throws -> [Duration]?

    /// Sends messages for this time and waits until every receiver has confirmed every one.
    func deliver(byteCount: Int, for time: Duration) async throws -> Throughput

    /// Sends payloads along a path to the first receiver for this time and waits until all have arrived; nil if the
    /// level has no paths.
    func stream(byteCount: Int, for time: Duration) async throws -> Throughput?

    /// Sends a file to the first receiver and waits until it is there; nil if the level has no files.
    func sendFile(byteCount: Int) async throws -> FileThroughput?

    /// Leaves the mesh.
    func stop() async
}

extension SendingEnd {
    func stream(byteCount: Int, for time: Duration) async throws -> Throughput? { nil }

    func sendFile(byteCount: Int) async throws -> FileThroughput? { nil }

    func confirmations(_ count: Int) async throws -> [Duration]? { nil }

    /// Measures round trips one after the other, from question to answer in the asking program.
    func roundTrips(_ count: Int) async throws -> [Duration] {
        var times: [Duration] = []
        for _ in 0..<count {
            let begin = ContinuousClock.now
            try await roundTrip()
            times.append(begin.duration(to: .now))
        }
        return times
    }

    /// Waits until the condition holds.
    func wait(_ what: String, atMost limit: Duration = .seconds(60), until isMet: () -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while !isMet() {
            guard ContinuousClock.now < deadline else { throw BenchFailure("not in \(limit): \(what)") }
            await pulse.next()
        }
    }
}
