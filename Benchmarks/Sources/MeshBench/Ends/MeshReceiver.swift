import MeshCore
import MeshTransport

/// Answers questions and confirms messages over a bare mesh.
actor MeshReceiver: ServingEnd {
    /// Messages after which a confirmation leaves at once.
    private static let confirmationCount = 32
    /// How long a confirmation waits for more messages.
    private static let confirmationDelay = Duration.milliseconds(2)
    /// Missing messages that one confirmation names.
    private static let missingCount = 64

    /// What has come of one sender's messages.
    private struct Arrivals {
        var next: UInt64 = 0
        var early: Set<UInt64> = []
        var unconfirmed = 0
        var isConfirmationDue = false
    }

    private let node: MeshNode
    private let author = UInt64.random(in: .min ... .max)
    private var serial: UInt64 = 0
    private var arrivals: [UInt64: Arrivals] = [:]

    init(_ place: MeshPlace) throws {
        node = try place.makeNode()
    }

    func start() async throws {
        try await node.start()
    }

    func serve() async {
        while let outputs = await node.nextOutputs() {
            for case .delivered(let envelope, _) in outputs {
                guard let message = BenchMessage(decoding: envelope.body) else { continue }
                await take(message)
            }
        }
    }

    func stop() async {
        await node.stop()
    }

    private func take(_ message: BenchMessage) async {
        switch message.purpose {
        case .question:
            await send(.answer, [message.author, message.number], byteCount: 100)
        case .message:
            note(message)
            await confirmLater(message.author)
        case .answer, .confirmation: break
        }
    }

    private func note(_ message: BenchMessage) {
        var arrived = arrivals[message.author] ?? Arrivals()
        if message.number >= arrived.next { arrived.early.insert(message.number) }
        while arrived.early.remove(arrived.next) != nil { arrived.next += 1 }
        arrived.unconfirmed += 1
        arrivals[message.author] = arrived
    }

    private func confirmLater(_ sender: UInt64) async {
        guard let arrived = arrivals[sender] else { return }
        if arrived.unconfirmed >= Self.confirmationCount { return await confirm(sender) }
        guard !arrived.isConfirmationDue else { return }
        arrivals[sender]?.isConfirmationDue = true
        Task {
            try? await Task.sleep(for: Self.confirmationDelay)
            arrivals[sender]?.isConfirmationDue = false
            await confirm(sender)
        }
    }

    private func confirm(_ sender: UInt64) async {
        guard let arrived = arrivals[sender], arrived.unconfirmed > 0 else { return }
        arrivals[sender]?.unconfirmed = 0
        let newest = arrived.early.max() ?? arrived.next
        let missing = (arrived.next..<max(newest, arrived.next)).lazy.filter { !arrived.early.contains($0) }
        await send(.confirmation, [sender, arrived.next] + missing.prefix(Self.missingCount), byteCount: 0)
    }

    private func send(_ purpose: BenchMessage.Purpose, _ words: [UInt64], byteCount: Int) async {
        let message = BenchMessage(purpose, author: author, number: serial, words: words)
        serial += 1
        await node.submit(kind: .live, body: message.encoded(byteCount: byteCount), life: MeshPlace.life)
    }
}
