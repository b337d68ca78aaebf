import Earshot
import Logging
import MeshCore
import MeshTransport

/// A sender over a bare mesh: envelopes of a kind that no node stores, over links with the real cryptography.
///
/// It runs on its node's executor, so that no message has to change threads.
actor MeshSender: SendingEnd {
    /// The number of messages that may be in flight; a node keeps the latest 256 for peers that fetch them.
    private static let window = 192
    /// The number with several receivers: a segment carries some 400 envelopes a second, and what is more is lost.
    private static let groupWindow = 48
    /// Units: bytes of messages that may be in flight; a link's lane takes a little more.
    private static let windowByteCount = 768 << 10
    /// The time that a missing message may still be in flight before the sender submits it again.
    private static let patience = Duration.milliseconds(200)

    let pulse = Pulse()
    private let node: MeshNode
    private let receiverCount: Int
    private let author = UInt64.random(in: .min ... .max)
    private var reading: Task<Void, Never>?
    private var linkCount = 0
    private var nextQuestion: UInt64 = 0
    private var nextMessage: UInt64 = 0
    private var answers: [UInt64: Int] = [:]
    /// The messages that each receiver has confirmed.
    private var confirmed: [UInt64: Confirmed] = [:]

    /// The path to the first receiver, by the labels of its ends.
    private var path: (own: PathLabel, remote: PathLabel?)?
    private var stream = PathStream()

    nonisolated var unownedExecutor: UnownedSerialExecutor { node.unownedExecutor }

    private struct Confirmed {
        var serial: UInt64
        var next: UInt64
        var missing: [UInt64]
    }

    init(_ place: MeshPlace, receiverCount: Int) throws {
        node = try place.makeNode()
        self.receiverCount = receiverCount
    }

    func start() async throws {
        try await node.start()
        reading = Task {
            while let batch = await node.nextBatch() { take(batch.effects) }
        }
    }

    func waitForLink() async throws {
        try await wait("a link") { linkCount > 0 }
    }

    func greet() async throws {
        try await waitForLink()
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < deadline {
            let number = await ask()
            do {
                // A question that met a relay without its next link is lost for good.
                return try await wait("an answer", atMost: .milliseconds(100)) {
                    answers[number] ?? 0 >= receiverCount
                }
            } catch is BenchFailure {
                continue
            }
        }
        throw BenchFailure("not every receiver answered within a minute")
    }

    func roundTrip() async throws {
        let number = await ask()
        try await wait("an answer") { answers[number] ?? 0 > 0 }
    }

    func deliver(byteCount: Int, for time: Duration) async throws -> Throughput {
        let usage = ProcessUsage.current
        let most = receiverCount > 1 ? Self.groupWindow : Self.window
        let window = UInt64(min(most, Self.windowByteCount / byteCount))
        let first = nextMessage
        let start = ContinuousClock.now
        let end = start.advanced(by: time)
        var resubmitted = 0
        var attempts: [UInt64: (count: UInt8, last: ContinuousClock.Instant)] = [:]
        while ContinuousClock.now < end || confirmedByAll < nextMessage {
            while ContinuousClock.now < end, nextMessage - confirmedByAll < window {
                attempts[nextMessage] = (1, .now)
                await submit(nextMessage, byteCount, attempt: 1)
                nextMessage += 1
            }
            let due = ContinuousClock.now.advanced(by: .zero - Self.patience)
            for number in missing {
                guard let attempt = attempts[number], attempt.last <= due else { continue }
                attempts[number] = (attempt.count &+ 1, .now)
                resubmitted += 1
                await submit(number, byteCount, attempt: attempt.count &+ 1)
            }
            guard ContinuousClock.now < end.advanced(by: .seconds(60)) else {
                throw BenchFailure("\(nextMessage - confirmedByAll) messages were not confirmed within a minute")
            }
            if nextMessage - confirmedByAll >= window || ContinuousClock.now >= end { await pulse.next() }
        }
        return Throughput(
            byteCount: byteCount,
            count: Int(nextMessage - first),
            time: start.duration(to: .now),
            resubmitted: resubmitted,
            senderCPUSeconds: ProcessUsage.current.cpuSeconds - usage.cpuSeconds
        )
    }

    func stream(byteCount: Int, for time: Duration) async throws -> Throughput? {
        let remote = try await openPath()
        let usage = ProcessUsage.current
        stream = PathStream()
        let start = ContinuousClock.now
        let end = start.advanced(by: time)
        while ContinuousClock.now < end || stream.confirmed < stream.next {
            while let number = stream.lost.first, await sendPayload(number, byteCount, to: remote) {}
            while ContinuousClock.now < end, stream.isOpen, await sendPayload(stream.next, byteCount, to: remote) {}
            guard ContinuousClock.now < end.advanced(by: .seconds(60)) else {
                throw BenchFailure("\(stream.next - stream.confirmed) payloads did not come within a minute")
            }
            await pulse.next()
            stream.checkSilence()
        }
        return Throughput(
            byteCount: byteCount,
            count: Int(stream.next),
            time: start.duration(to: .now),
            resubmitted: stream.lossCount,
            senderCPUSeconds: ProcessUsage.current.cpuSeconds - usage.cpuSeconds
        )
    }

    func stop() async {
        await node.stop()
        await reading?.value
        pulse.stop()
    }

    // MARK: - Messages

    /// The first number that not every receiver has confirmed.
    private var confirmedByAll: UInt64 {
        confirmed.count < receiverCount ? 0 : confirmed.values.map(\.next).min() ?? 0
    }

    /// The messages that receivers miss; the oldest unconfirmed message if no receiver reported any.
    private var missing: [UInt64] {
        let told = Set(confirmed.values.flatMap(\.missing)).sorted()
        return told.isEmpty && confirmedByAll < nextMessage ? [confirmedByAll] : told
    }

    private func ask() async -> UInt64 {
        let number = nextQuestion
        nextQuestion += 1
        await send(BenchMessage(.question, author: author, number: number).encoded(byteCount: 100))
        return number
    }

    private func submit(_ number: UInt64, _ byteCount: Int, attempt: UInt8) async {
        let message = BenchMessage(.message, author: author, number: number)
        await send(message.encoded(byteCount: byteCount, attempt: attempt))
    }

    private func send(_ body: [UInt8]) async {
        await node.submit(kind: MeshPlace.kind, body: body, life: MeshPlace.life)
    }

    private func take(_ effects: [MeshEffect]) {
        for effect in effects {
            switch effect {
            case .deliver(let envelope, _): BenchMessage(decoding: envelope.body).map { take($0) }
            case .linkUp: linkCount += 1
            case .linkDown: linkCount -= 1
            case .pathMessage(let payload): takePayload(payload)
            default: break
            }
        }
        pulse.beat()
    }

    private func take(_ message: BenchMessage) {
        guard message.words.first == author else { return }
        switch message.purpose {
        case .answer: answers[message.words[1], default: 0] += 1
        case .confirmation:
            guard message.number >= confirmed[message.author]?.serial ?? 0 else { return }
            confirmed[message.author] = Confirmed(
                serial: message.number,
                next: message.words[1],
                missing: Array(message.words.dropFirst(3))
            )
        case .question, .message, .hello: break
        }
    }

    // MARK: - Paths

    /// Opens a fresh path: the receiver counts the payloads of each path from zero.
    private func openPath() async throws -> PathLabel {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < deadline {
            let hello = BenchMessage(.hello, author: author, number: nextQuestion).encoded()
            nextQuestion += 1
            path = await node.openPath(hello: hello).map { ($0, nil) }
            try? await wait("a path", atMost: .seconds(2)) { path?.remote != nil }
            if let remote = path?.remote { return remote }
        }
        throw BenchFailure("no path within a minute")
    }

    private func sendPayload(_ number: UInt64, _ byteCount: Int, to label: PathLabel) async -> Bool {
        let payload = BenchMessage(.message, author: author, number: number).encoded(byteCount: byteCount)
        guard await node.send(PathMessage(to: label, hops: 0, isBulk: true, payload: payload)) else { return false }
        stream.noteSent(number)
        return true
    }

    private func takePayload(_ payload: PathMessage) {
        guard payload.to == path?.own, let message = BenchMessage(decoding: payload.payload) else { return }
        switch message.purpose {
        case .answer: if path?.remote == nil { path?.remote = payload.from }
        case .confirmation: stream.confirm(Array(message.words.dropFirst()))
        case .question, .message, .hello: break
        }
    }
}
