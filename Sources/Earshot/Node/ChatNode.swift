public import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
public import MeshTransport

/// One node: an identity, its conversations and its place in the mesh.
///
/// Owns the engine, the store and the mesh. Every step runs without waiting in between: the engine works on a copy, the
/// store takes the step's writes as one, and only then the copy is kept and its effects are carried out, in order.
public actor ChatNode {
    /// The version of this library.
    public static let version = "0.1.0"

    private let configuration: ChatConfiguration
    let home: NodeHome?
    private let store: any MessageStore
    private let book: RecordBook
    /// The files of messages.
    let blobs: BlobFolder
    let mesh: MeshNode
    let clock = ContinuousClock()
    let made: ContinuousClock.Instant

    var engine: ChatEngine
    /// Large objects on their way, beside the engine: what moves them changes nothing that is stored.
    var transfers = BlobTransfers()
    private var feed = EventFeed()
    private(set) var submissions: AsyncStream<ChatEffect>.Continuation?
    private var tasks: [Task<Void, Never>] = []
    private var timer: (deadline: MeshInstant, task: Task<Void, Never>)?
    private var linkCount = 0
    private var started: ContinuousClock.Instant?
    private(set) var isStopped = false
    /// Who waits for the answers to pings.
    var pings: [UInt64: CheckedContinuation<PingAnswer?, Never>] = [:]

    /// Opens the home, or makes it if the settings give a name and there is none; the mesh is joined by `start()`.
    ///
    /// - Parameter configuration: What the node is to be.
    /// - Throws: `ChatError` with what to do about it; nothing has been overwritten then.
    public init(_ configuration: ChatConfiguration) throws(ChatError) {
        let opened = try NodeOpening(configuration)
        self.configuration = configuration
        home = opened.home
        store = opened.store
        book = opened.book
        blobs = opened.blobs
        engine = opened.engine
        engine.sendsReadReceipts = configuration.sendsReadReceipts
        made = clock.now
        mesh = try Self.makeMesh(configuration)
    }

    private static func makeMesh(_ configuration: ChatConfiguration) throws(ChatError) -> MeshNode {
        MeshNode(
            configuration: try MeshNode.Configuration(configuration.mesh, home: configuration.home),
            cryptography: try MeshSeals(passphrase: configuration.mesh.passphrase),
            logger: configuration.logger
        )
    }

    /// Joins the mesh: from now on neighbours are found and messages move.
    ///
    /// - Throws: `meshUnavailable` if no socket can be opened, or what the store refuses.
    public func start() async throws(ChatError) {
        guard !isStopped else { throw ChatError(.stopped, "This node has been stopped; make a new one.") }
        guard started == nil else { return }
        started = clock.now
        do {
            try await mesh.start()
        } catch {
            started = nil
            throw ChatError(.meshUnavailable, "The mesh cannot be joined: \(error.reason)")
        }
        guard !isStopped else {
            await mesh.stop()
            throw ChatError(.stopped, "This node was stopped while it started.")
        }
        let (effects, continuation) = AsyncStream.makeStream(of: ChatEffect.self, bufferingPolicy: .unbounded)
        submissions = continuation
        tasks.append(Task { [weak self, mesh, blobs] in await Self.submit(effects, of: blobs, to: mesh) { self } })
        tasks.append(Task { [weak self, mesh] in await Self.pump(mesh) { self } })
        guard !configuration.mesh.isRelayOnly else { return }
        do {
            try transact { engine, transaction in try engine.begin(in: &transaction) }
        } catch {
            await stop()
            throw error
        }
    }

    /// Leaves the mesh, ends all sequences, closes the store and gives up the home.
    public func stop() async {
        guard !isStopped else { return }
        endTransfers()
        isStopped = true
        timer?.task.cancel()
        submissions?.finish()
        await mesh.stop()
        for task in tasks { await task.value }
        tasks = []
        for ping in pings.keys { endPing(ping, nil) }
        feed.finish()
        blobs.close()
        do {
            try store.close()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
        home?.close()
    }

    /// Whether the mesh was joined.
    var isStarted: Bool { started != nil }

    // MARK: - Steps

    /// The two clocks' present moment.
    func now() -> ChatTime {
        let elapsed = made.duration(to: clock.now)
        let wall = Date().timeIntervalSince1970 * 1_000
        return ChatTime(wall: UInt64(max(0, wall)), monotonic: MeshInstant.zero.advanced(by: elapsed))
    }

    /// Reads the engine and the store without changing them.
    func look<Value>(_ body: (ChatEngine, ChatTransaction) throws -> Value) throws(ChatError) -> Value {
        do {
            return try body(engine, ChatTransaction(book: book, blobs: blobs, time: now()))
        } catch {
            throw ChatError(error)
        }
    }

    /// One step: all or nothing, durable before anything follows from it.
    @discardableResult
    func transact<Value>(
        _ body: (inout ChatEngine, inout ChatTransaction) throws -> Value
    ) throws(ChatError) -> Value {
        guard !isStopped else { throw ChatError(.stopped, "This node has been stopped; make a new one.") }
        var copy = engine
        var transaction = ChatTransaction(book: book, blobs: blobs, time: now())
        let value: Value
        do {
            value = try body(&copy, &transaction)
            try transaction.apply()
        } catch {
            throw ChatError(error)
        }
        engine = copy
        for effect in transaction.effects {
            switch effect {
            case .tell(let event): feed.tell(event)
            case .endPing(let number, let answer): endPing(number, answer)
            case .transfer(let news): take(news)
            case .submit, .spread, .recall, .openPath, .sendOnPath, .linkDirectly: submissions?.yield(effect)
            }
        }
        schedule()
        return value
    }

    private func schedule(after pause: Duration = .zero) {
        let deadline = max(engine.nextDeadline, now().monotonic.advanced(by: pause))
        guard started != nil, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.task.cancel()
        let wake = made.advanced(by: MeshInstant.zero.duration(to: deadline))
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(until: wake)) != nil else { return }
            await self?.wake()
        }
        timer = (deadline, task)
    }

    private func wake() {
        timer = nil
        guard !isStopped else { return }
        do {
            try transact { engine, transaction in try engine.tick(in: &transaction) }
        } catch {
            report(error)
            schedule(after: ChatLimits.storagePause)
        }
    }

    // MARK: - The mesh

    /// Does what steps asked of the mesh, in order.
    private static func submit(
        _ effects: AsyncStream<ChatEffect>,
        of blobs: BlobFolder,
        to mesh: MeshNode,
        for node: () -> ChatNode?
    ) async {
        for await effect in effects {
            switch effect {
            case .submit(let kind, let body, let life):
                await mesh.submit(kind: kind, body: body, life: life)
            case .spread(let source):
                for index in 0..<source.pieceCount {
                    guard let body = source.body(index, in: blobs) else { break }
                    await mesh.submit(kind: .chunk, body: body, life: ChatLimits.pieceLife)
                }
            case .recall(let tags):
                let pieces = await mesh.storedEnvelopes(.chunk, startingWith: tags)
                await node()?.recalled(pieces)
            case .openPath(let label, let hello): await mesh.openPath(label, hello: hello)
            case .sendOnPath(let message): await mesh.send(message)
            case .linkDirectly(let node): await mesh.linkDirectly(to: node)
            case .tell, .endPing, .transfer: break
            }
        }
    }

    /// Takes pieces that came before they were expected.
    private func recalled(_ pieces: [Envelope]) {
        for piece in pieces where !isStopped {
            do {
                try transact { engine, transaction in try engine.handle(.delivered(piece), in: &transaction) }
            } catch {
                report(error)
                // They are asked for again at the next start.
                return
            }
        }
    }

    /// Hands over what the mesh reports until it stops or the node is gone, which this does not keep alive.
    private static func pump(_ mesh: MeshNode, into node: () -> ChatNode?) async {
        while let outputs = await mesh.nextOutputs() {
            let nodeID = await mesh.nodeID
            for start in stride(from: 0, to: outputs.count, by: ChatLimits.reportCount) {
                var part = outputs[start..<min(start + ChatLimits.reportCount, outputs.count)]
                while let node = node(), let rest = await node.take(part, as: nodeID) {
                    part = rest
                    guard (try? await Task.sleep(for: ChatLimits.storagePause)) != nil else { return }
                }
            }
        }
    }

    /// Takes what the mesh handed over, in as few steps as fit; gives back what the store refused.
    private func take(_ outputs: ArraySlice<MeshOutput>, as nodeID: NodeID) -> ArraySlice<MeshOutput>? {
        guard !isStopped else { return nil }
        engine.meshNode = nodeID
        if configuration.mesh.isRelayOnly { reportRelayed(outputs) }
        var rest = takeTransfers(outputs)[...]
        while !rest.isEmpty {
            do {
                let count = configuration.mesh.isRelayOnly ? rest.count : try step(through: rest)
                for output in rest.prefix(count) { countLinks(output) }
                rest = rest.dropFirst(count)
            } catch {
                report(error)
                return rest
            }
        }
        return nil
    }

    /// One step over the first of what the mesh handed over; answers how many.
    private func step(through outputs: ArraySlice<MeshOutput>) throws(ChatError) -> Int {
        try transact { engine, transaction in
            var count = 0
            for output in outputs where !transaction.isFull {
                if let report = MeshReport(output) { try engine.handle(report, in: &transaction) }
                count += 1
            }
            return count
        }
    }

    private func reportRelayed(_ outputs: ArraySlice<MeshOutput>) {
        for case .delivered(let envelope, let id) in outputs {
            let byteCount = Envelope.headerByteCount + envelope.body.count
            let report = EnvelopeReport(id: id.bytes.hex, kind: envelope.kind.rawValue, byteCount: byteCount)
            feed.tell(.relayed(report))
        }
    }

    private func countLinks(_ output: MeshOutput) {
        switch output {
        case .linkUp:
            linkCount += 1
            feed.tell(.linkUp(count: linkCount))
        case .linkDown:
            linkCount = max(0, linkCount - 1)
            feed.tell(.linkDown(count: linkCount))
        case .delivered, .transmitted, .carried, .pathMessage, .pathLost, .pathRefused, .pathReady:
            break
        }
    }

    func report(_ error: ChatError) {
        configuration.logger.error("the store refuses to write", metadata: ["reason": "\(error.reason)"])
        feed.tell(.storageFailing(reason: error.reason))
    }

    // MARK: - Events

    /// Tells what is not part of a step.
    func tell(_ event: ChatEvent) { feed.tell(event) }

    /// What happens from now on; bounded, and told when it was too slow.
    public func events() -> AsyncStream<ChatEvent> {
        feed.subscribe()
    }

    /// How far a message has come, from now until it goes no further; empty for a message that is not known.
    public func statuses(of message: MessageID) -> AsyncStream<DeliveryStatus> {
        let present = try? look { engine, transaction in try engine.status(of: message, in: transaction) }
        guard let known = present ?? nil else { return AsyncStream { $0.finish() } }
        return feed.watch(message, present: known)
    }

    /// How the node is doing.
    public var status: NodeStatus {
        get async {
            let snapshot = await mesh.snapshot()
            return NodeStatus(
                id: engine.ownID,
                name: engine.nickname,
                fingerprint: engine.sessions.identity.publicIdentity.fingerprint().description,
                version: Self.version,
                uptime: started.map { $0.duration(to: clock.now) } ?? .zero,
                linkCount: snapshot.links.count,
                neighbourCount: snapshot.neighbours.count,
                contactCount: engine.trust.all.count,
                outboxCount: engine.outbox.messageCount,
                carriedCount: snapshot.storedCount
            )
        }
    }

    /// The mesh's figures in the form that monitoring programs take; they name nobody.
    public var metrics: [Metric] {
        get async { await mesh.metrics() }
    }
}
