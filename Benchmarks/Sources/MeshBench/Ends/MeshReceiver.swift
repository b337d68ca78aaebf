import MeshCore
import MeshTransport

/// A receiver that answers questions and confirms messages over a bare mesh.
///
/// It runs on its node's executor, so that no message has to change threads.
actor MeshReceiver: ServingEnd {
    /// The number of messages after which a confirmation leaves at once.
    private static let confirmationCount = 32
    /// The time that a confirmation waits for more messages.
    private static let confirmationDelay = Duration.milliseconds(20)

    private let node: MeshNode
    private let author = UInt64.random(in: .min ... .max)
    private var serial: UInt64 = 0
    private var arrivals: [UInt64: Arrivals] = [:]
    /// The arrivals along each path, by the label of its far end.
    private var paths: [PathLabel: (remote: PathLabel, arrivals: Arrivals)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { node.unownedExecutor }

    init(_ place: MeshPlace) throws {
        node = try place.makeNode()
    }

    func start() async throws {
        try await node.start()
    }

    func serve() async {
        while let batch = await node.nextBatch() {
            for effect in batch.effects { await take(effect) }
            for label in paths.keys.sorted() { await confirm(label) }
        }
    }

    func stop() async {
        await node.stop()
    }

    private func take(_ effect: MeshEffect) async {
        switch effect {
        case .deliver(let envelope, let id) where envelope.kind == .probe:
            await answer(envelope, at: PathLabel(trailOf: id))
        case .deliver(let envelope, _):
            guard let message = BenchMessage(decoding: envelope.body) else { return }
            await take(message)
        case .pathMessage(let payload):
            guard let message = BenchMessage(decoding: payload.payload), message.purpose == .message else { return }
            paths[payload.to]?.arrivals.note(message.number)
        default: return
        }
    }

    private func take(_ message: BenchMessage) async {
        switch message.purpose {
        case .question:
            await send(.answer, [message.author, message.number], byteCount: 100)
        case .message:
            arrivals[message.author, default: Arrivals()].note(message.number)
            await confirmLater(message.author)
        case .answer, .confirmation, .hello: break
        }
    }

    // MARK: - Envelopes

    private func confirmLater(_ sender: UInt64) async {
        guard let arrived = arrivals[sender] else { return }
        if arrived.unconfirmedCount >= Self.confirmationCount { return await confirm(sender) }
        guard !arrived.isConfirmationDue else { return }
        arrivals[sender]?.isConfirmationDue = true
        Task {
            try? await Task.sleep(for: Self.confirmationDelay)
            arrivals[sender]?.isConfirmationDue = false
            await confirm(sender)
        }
    }

    private func confirm(_ sender: UInt64) async {
        guard arrivals[sender]?.unconfirmedCount ?? 0 > 0, let words = arrivals[sender]?.confirmation() else { return }
        await send(.confirmation, [sender] + words, byteCount: 0)
    }

    private func send(_ purpose: BenchMessage.Purpose, _ words: [UInt64], byteCount: Int) async {
        await node.submit(
            kind: MeshPlace.kind,
            body: message(purpose, words).encoded(byteCount: byteCount),
            life: MeshPlace.life
        )
    }

    private func message(_ purpose: BenchMessage.Purpose, _ words: [UInt64]) -> BenchMessage {
        defer { serial += 1 }
        return BenchMessage(purpose, author: author, number: serial, words: words)
    }

    // MARK: - Paths

    /// Answers a hello under a label of its own.
    private func answer(_ probe: Envelope, at label: PathLabel) async {
        guard let hello = BenchMessage(decoding: probe.body), hello.purpose == .hello else { return }
        let own = PathLabel(.random(in: .min ... .max))
        paths[own] = (label, Arrivals())
        let answer = message(.answer, [hello.author, hello.number]).encoded()
        await node.send(PathMessage(to: label, from: own, hops: 0, payload: answer))
    }

    private func confirm(_ label: PathLabel) async {
        guard var path = paths[label], path.arrivals.unconfirmedCount > 0 else { return }
        let confirmation = message(.confirmation, [0] + path.arrivals.confirmation()).encoded()
        paths[label]?.arrivals = path.arrivals
        await node.send(PathMessage(to: path.remote, hops: 0, isBulk: true, payload: confirmation))
    }
}
