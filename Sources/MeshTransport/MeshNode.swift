public import Logging
public import MeshCore
package import NIOCore
import NIOPosix

/// A running node of the mesh: the shell that carries out a `MeshEngine`'s effects on real sockets.
///
/// The node owns the sockets, the one wake-up timer and the queue of outputs; every decision is the engine's. Its
/// executor is the event loop of its sockets, so that a datagram reaches the engine without a change of thread; an
/// actor with the same executor reaches the node without one. The node does not suspend between an event and its
/// effects. A node that was started lives until `stop()`.
public actor MeshNode {
    /// The longest sleep of the timer.
    ///
    /// The loop's clock knows no instant centuries away, and a timer that fires early changes nothing.
    private static let longestSleep = Duration.seconds(3_600)

    let configuration: Configuration
    let logger: Logger
    let clock = NodeClock()
    nonisolated let eventLoop: any EventLoop
    private nonisolated let executor: any SerialExecutor

    private enum Phase { case new, starting, running, stopped }
    private var phase = Phase.new
    var isStopped: Bool { phase == .stopped }
    private(set) var engine: MeshEngine
    private(set) var effects: [MeshEffect] = []
    var outputs = OutputQueue()
    var outbox = Outbox()
    private var wakeUp: Scheduled<Void>?
    private var wakeUpInstant = MeshInstant.distantFuture
    private var isTurnEndScheduled = false

    var monitor: InterfaceMonitor
    var monitoring: RepeatedTask?
    var notices: EventLoopFuture<any Channel>?
    var isNoticePending = false
    let lookUp: StaticPeers.LookUp
    var lookingUp: RepeatedTask?
    /// The last known endpoints of the static peers, by their names.
    var staticPeers: [HostPort: Endpoint] = [:]
    var attachments: [InterfaceID: Attachment] = [:]
    /// The streams, and the waits for them, by their places.
    var places: [StreamPlace.Number: StreamPlace] = [:]
    /// The sockets by which other nodes open streams.
    var listeners: [any Channel] = []
    var openingCount: UInt64 = 0
    /// The gateway of this node, if it has one.
    var farReader: AsyncStream<FarEnvelope>.Continuation?
    var statistics = SocketStatistics()
    var persistence: StorePersistence?
    var storeLog = StoreLogStatistics()
    private var reporter: MetricsReporter

    /// The executor of the event loop that the node and its sockets share.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Makes a node that does nothing until `start()`.
    public init(configuration: Configuration, cryptography: any MeshCryptography, logger: Logger) {
        self.init(
            configuration: configuration,
            cryptography: cryptography,
            logger: logger,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next()
        )
    }

    /// Makes a node on an event loop that the caller chooses; the loop's thread decides the network namespace.
    package init(
        configuration: Configuration,
        cryptography: any MeshCryptography,
        logger: Logger,
        eventLoop: any EventLoop
    ) {
        self.init(
            configuration: configuration,
            cryptography: cryptography,
            logger: logger,
            eventLoop: eventLoop,
            lookUp: StaticPeers.resolve
        )
    }

    init(
        configuration: Configuration,
        cryptography: any MeshCryptography,
        logger: Logger,
        eventLoop: any EventLoop,
        lookUp: @escaping StaticPeers.LookUp
    ) {
        self.lookUp = lookUp
        self.configuration = configuration
        self.logger = logger
        self.eventLoop = eventLoop
        executor = eventLoop.executor
        monitor = InterfaceMonitor(names: configuration.interfaces)
        persistence = Self.makePersistence(configuration)
        var mesh = configuration.mesh
        mesh.router.reportsStoreChanges = persistence != nil
        reporter = MetricsReporter(factory: configuration.metricsFactory)
        engine = MeshEngine(
            configuration: mesh,
            cryptography: cryptography,
            random: .system,
            now: clock.now
        )
    }

    // MARK: The public side

    /// Opens the sockets and joins the mesh; it runs until `stop()`.
    public func start() async throws(MeshTransportError) {
        guard phase == .new else {
            throw MeshTransportError(.alreadyStarted, reason: "a node runs once; make another")
        }
        phase = .starting
        do {
            try checkConfiguration()
            staticPeers = try await resolveStaticPeers()
            let records = try await loadStore()
            guard phase == .starting else { return }
            phase = .running
            if !records.isEmpty { handle(.restore(records)) }
            try await openRoutedSockets()
            try await openListeners()
            guard phase == .running else { return }
            startMonitoring()
            addStaticPeers()
            openStreams()
        } catch {
            await stop()
            throw error
        }
    }

    /// Takes leave of the neighbours and closes all sockets.
    ///
    /// Outputs that wait are still handed over.
    ///
    /// - Parameter quietly: Whether to leave without telling the neighbours.
    public func stop(quietly: Bool = false) async {
        guard phase != .stopped else { return }
        if phase == .running, !quietly { handle(.leave) }
        phase = .stopped
        endTurn()
        wakeUp?.cancel()
        outputs.finish()
        farReader?.finish()
        await closeEverything()
        await closeStore()
    }

    /// Spreads an own envelope and returns its id, by which the outputs report on it.
    ///
    /// - Parameters:
    ///   - kind: A kind that the configuration has a rule for.
    ///   - body: The content; it travels as it is.
    ///   - life: Units: ticks of 10 s.
    @discardableResult
    public func submit(kind: EnvelopeKind, body: [UInt8], life: UInt16) -> EnvelopeID {
        handle(.submit(kind: kind, body: body, life: life))
        if phase != .stopped, let id = engine.submittedID { return id }
        return engine.envelopeID(kind: kind, body: body)
    }

    /// Spreads own envelopes in order, in one turn of the node's loop.
    package func submit(_ envelopes: [OwnEnvelope]) {
        for envelope in envelopes { handle(envelope.event) }
    }

    /// Sets whether neighbours push own posts in this node's place.
    ///
    /// Then no push comes from its author's address, unless the neighbours keep the post back. Source: PROTOCOL §5 pushes.
    public func pushThroughNeighbors(_ isOn: Bool) {
        handle(.pushThroughNeighbors(isOn))
    }

    /// Waits until an effect concerns the program, and returns all that wait; nil after `stop()` or on cancellation.
    ///
    /// There may be one consumer. While more effects than the configuration's `outputLimit` wait for it, arriving
    /// datagrams are dropped, so that the other nodes' links slow down and no envelope is lost.
    public func nextBatch() async -> MeshBatch? {
        let effects = await withTaskCancellationHandler {
            await withCheckedContinuation { outputs.wait($0) }
        } onCancel: {
            eventLoop.execute { self.assumeIsolated { $0.outputs.cancelWaiting() } }
        }
        return effects.map { MeshBatch(nodeID: engine.nodeID, isBusy: engine.isBusy(at: clock.now), effects: $0) }
    }

    /// Returns the stored envelopes of a kind whose labels begin with one of these, in the order in which they came.
    ///
    /// This is for bodies that could not be used when they were delivered.
    public func storedEnvelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) -> [Envelope] {
        engine.storedEnvelopes(kind, startingWith: beginnings)
    }

    /// Returns the state of the node at this moment.
    public func snapshot() -> MeshSnapshot { engine.snapshot }

    /// Returns the counts of the node's sockets.
    public func socketStatistics() -> SocketStatistics { statistics }

    /// Returns the node's metrics in the form that monitoring programs take; they name no person.
    public func metrics() -> [Metric] {
        MeshMetrics.all(engine.snapshot, statistics, storeLog) + configuration.otherMetrics()
    }

    /// Passes the metrics to the program's own monitoring.
    func reportMetrics() {
        reporter.report(metrics())
    }

    /// Returns the ports of the open unicast sockets; the interface-less ones have the interface index 0.
    public func unicastPorts() -> [InterfaceID: UInt16] {
        attachments.compactMapValues { $0.sockets?.port }
    }

    // MARK: Events and effects

    /// Handles the datagrams that the system has read together, unless the consumer is too far behind.
    func receive(_ bytes: ByteBuffer, cutInto byteCount: Int?, from source: Endpoint, multicast: Bool) {
        let now = clock.now
        bytes.forEachDatagram(of: byteCount) { datagram in
            guard outputs.count <= configuration.outputLimit else {
                statistics.droppedForConsumer += 1
                logger.trace("datagram dropped, the consumer is behind")
                return
            }
            statistics.received += 1
            handle(.datagram(datagram, from: source, multicast: multicast), at: now)
        }
    }

    /// Passes one event to the engine and carries out its effects.
    func handle(_ event: MeshEvent) {
        handle(event, at: clock.now)
    }

    private func handle(_ event: MeshEvent, at now: MeshInstant) {
        guard phase != .stopped else { return }
        effects.removeAll(keepingCapacity: true)
        engine.take(event, at: now, into: &effects)
        logger.trace(
            "mesh event",
            metadata: [
                "event": .stringConvertible(LoggedEvent(event: event)),
                "effects": .stringConvertible(LoggedEffects(effects)),
            ]
        )
        for effect in effects { carryOut(effect) }
        scheduleTurnEnd()
    }

    // MARK: The end of a turn

    /// Schedules the end of the turn, which sends, hands over and sets the timer once for all events of a turn.
    private func scheduleTurnEnd() {
        guard !isTurnEndScheduled else { return }
        isTurnEndScheduled = true
        eventLoop.execute { self.assumeIsolated { $0.endTurn() } }
    }

    private func endTurn() {
        isTurnEndScheduled = false
        effects.removeAll(keepingCapacity: true)
        engine.endTurn(at: clock.now, into: &effects)
        logger.trace("end of turn", metadata: ["effects": .stringConvertible(LoggedEffects(effects))])
        for effect in effects { carryOut(effect) }
        sendOutbox()
        outputs.handOver()
        if phase == .running { setWakeUp() }
    }

    /// Sets the timer if the engine wants to be woken earlier than it will be.
    private func setWakeUp() {
        let deadline = engine.nextDeadline
        guard deadline < wakeUpInstant else { return }
        wakeUp?.cancel()
        wakeUpInstant = deadline
        let sleep = min(max(.zero, clock.now.duration(to: deadline)), Self.longestSleep)
        wakeUp = eventLoop.scheduleTask(in: .nanoseconds(sleep.wholeNanoseconds)) {
            self.assumeIsolated { $0.wake() }
        }
    }

    private func wake() {
        wakeUpInstant = .distantFuture
        handle(.tick)
    }
}
