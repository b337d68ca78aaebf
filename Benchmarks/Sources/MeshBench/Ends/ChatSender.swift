import Earshot
import Foundation

/// A sender of chat messages: end-to-end encrypted, kept in a store, confirmed by the library's own receipts.
actor ChatSender: SendingEnd {
    /// The number of messages that may be in flight.
    private static let window = 512
    /// The number of `send` calls that wait for the disk at once, as those of a program with many users, or of many
    /// programs.
    private static let callCount = 128

    let pulse = Pulse()
    private let node: ChatNode
    private let receiverCount: Int
    private var reading: Task<Void, Never>?
    private var linkCount = 0
    private var peers: [PeerID] = []
    /// The group of all receivers, if there are several.
    private var group: GroupID?
    private var answers: Set<String> = []
    private var nextNumber = 0
    /// The messages whose `send` has not returned.
    private var writingCount = 0
    /// The messages in flight.
    private var underWay: Set<MessageID> = []
    /// The messages that were delivered before the call that sent them returned.
    private var early: Set<MessageID> = []
    private var hasLagged = false

    init(_ place: ChatPlace, receiverCount: Int) async throws {
        node = try await place.makeNode(ChatPlace.name("sender-"))
        self.receiverCount = receiverCount
    }

    func start() async throws {
        let events = try node.events()
        reading = Task {
            for await event in events { take(event) }
        }
        try await node.start()
    }

    func waitForLink() async throws {
        try await wait("a link") { linkCount > 0 }
    }

    func greet() async throws {
        try await wait("all receivers as contacts") { peers.count >= receiverCount }
        if receiverCount > 1 { group = try await node.conversations.createGroup(title: "bench", members: peers).id }
        try await sendToAll(byteCount: 100)
        try await waitForReceipts()
    }

    func roundTrip() async throws {
        nextNumber += 1
        let text = ChatPlace.text("\(nextNumber) ", byteCount: 99)
        try await node.conversation(.direct(peers[0])).send(ChatPlace.question + text)
        try await wait("an answer") { answers.remove(ChatPlace.answer + text) != nil }
    }

    func confirmations(_ count: Int) async throws -> [Duration]? {
        var times: [Duration] = []
        for _ in 0..<count {
            // After this pause, the work that the previous message caused is over.
            try await Task.sleep(for: .milliseconds(100))
            let begin = ContinuousClock.now
            try await sendToAll(byteCount: 100)
            try await waitForReceipts()
            times.append(begin.duration(to: .now))
        }
        return times
    }

    func deliver(byteCount: Int, for time: Duration) async throws -> Throughput {
        try await waitForReceipts()
        let usage = ProcessUsage.current
        let start = ContinuousClock.now
        let end = start.advanced(by: time)
        let count = try await withThrowingDiscardingTaskGroup { group in
            var count = 0
            while ContinuousClock.now < end {
                guard writingCount < Self.callCount, underWay.count + writingCount < Self.window else {
                    await pulse.next()
                    try await catchUp()
                    continue
                }
                writingCount += 1
                group.addTask { try await self.sendOne(byteCount: byteCount) }
                count += 1
            }
            return count
        }
        try await waitForReceipts()
        return Throughput(
            byteCount: byteCount,
            count: count,
            time: start.duration(to: .now),
            resubmitted: 0,
            senderCPUSeconds: ProcessUsage.current.cpuSeconds - usage.cpuSeconds
        )
    }

    func sendFile(byteCount: Int) async throws -> FileThroughput? {
        let file = FileManager.default.temporaryDirectory.appending(path: "mesh-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.write(byteCount, to: file)
        let usage = ProcessUsage.current
        let start = ContinuousClock.now
        let id = try await node.conversation(.direct(peers[0])).send("", files: [FileDraft(file)]).id
        let sealed = ContinuousClock.now
        if early.remove(id) == nil { underWay.insert(id) }
        try await waitForReceipts()
        return FileThroughput(
            byteCount: byteCount,
            sealing: start.duration(to: sealed),
            time: sealed.duration(to: .now),
            senderCPUSeconds: ProcessUsage.current.cpuSeconds - usage.cpuSeconds
        )
    }

    /// Writes a file piece by piece, so that it does not count as memory of the node.
    private static func write(_ byteCount: Int, to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let piece = Data(repeating: 0x5A, count: 1 << 20)
        for start in stride(from: 0, to: byteCount, by: piece.count) {
            try handle.write(contentsOf: piece.prefix(byteCount - start))
        }
        try handle.close()
    }

    func stop() async {
        await node.stop()
        await reading?.value
        pulse.stop()
    }

    // MARK: - Messages

    /// Sends one message, also to ten receivers: it counts as delivered once all have it.
    private func sendToAll(byteCount: Int) async throws {
        nextNumber += 1
        let text = ChatPlace.text("\(nextNumber) ", byteCount: byteCount)
        let message =
            if let group { try await node.conversation(.group(group)).send(text) } else {
                try await node.conversation(.direct(peers[0])).send(text)
            }
        if early.remove(message.id) == nil { underWay.insert(message.id) }
    }

    private func sendOne(byteCount: Int) async throws {
        defer {
            writingCount -= 1
            pulse.beat()
        }
        try await sendToAll(byteCount: byteCount)
    }

    private func waitForReceipts() async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(120))
        while !underWay.isEmpty {
            guard ContinuousClock.now < deadline else {
                let status = await node.status
                throw BenchFailure(
                    "\(underWay.count) messages were not delivered within two minutes; \(status.outboxCount) wait in the "
                        + "outbox, the mesh holds \(status.carriedCount) envelopes, \(status.linkCount) links"
                )
            }
            await pulse.next()
            try await catchUp()
        }
    }

    /// Asks the node whether anything is still in flight, if events were missed.
    private func catchUp() async throws {
        guard hasLagged else { return }
        guard await node.status.outboxCount == 0 else { return }
        hasLagged = false
        underWay = []
        early = []
    }

    private func take(_ event: ChatEvent) {
        switch event {
        case .linkUp(let count), .linkDown(let count): linkCount = count
        case .contact(let contact):
            guard contact.name.hasPrefix(ChatPlace.receiverPrefix), !peers.contains(contact.id) else { return }
            peers.append(contact.id)
        case .message(let message):
            guard !message.isOutgoing, message.text.hasPrefix(ChatPlace.answer) else { return }
            answers.insert(message.text)
        case .status(_, let id, .delivered):
            if underWay.remove(id) == nil { early.insert(id) }
        case .lagged: hasLagged = true
        case .status, .delivery, .group, .trust, .relayed, .progress, .fileFailed, .storageFailing, .changed, .removed,
            .typing, .streamingReply, .conversation, .room, .erased, .locked, .unlocked, .historyTampered:
            return
        }
        pulse.beat()
    }
}
