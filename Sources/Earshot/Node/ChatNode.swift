public import ChatCore
public import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
public import MeshTransport

/// One node: an identity, its conversations and its place in the mesh.
///
/// Owns the engine, the store and the mesh. Every step runs without waiting in between and joins a batch; the store takes
/// a batch's writes as one, and only then its effects are carried out, in order, and its callers go on.
public actor ChatNode {
    /// The version of this library.
    public static let version = "0.1.0"

    let configuration: ChatConfiguration
    let home: NodeHome?
    private var store: any MessageStore
    /// The files of messages.
    private(set) var blobs: BlobFolder
    let media: MediaWorkshop
    /// The room that the home has for files.
    let mediaSpace: MediaSpace
    /// What this node takes of it.
    let mediaShare: MediaShare
    /// The objects that have been compared with what their messages say of them, by the names of their files.
    var checkedObjects: Set<String> = []
    let mesh: MeshNode
    let clock = ContinuousClock()
    let made: ContinuousClock.Instant

    var steps: GroupCommit
    /// Whose steps wait to become durable.
    var waiting: [CheckedContinuation<ChatError?, Never>] = []
    /// Whether the open batch will be made durable without anybody asking for it.
    var isCommitDue = false
    /// Large objects on their way, beside the engine: what moves them changes nothing that is stored.
    var transfers: BlobTransfers
    var feed = EventFeed()
    private(set) var submissions: AsyncStream<[ChatEffect]>.Continuation?
    /// What takes effects to the mesh, while the home is open.
    private var submitting: Task<Void, Never>?
    /// What takes what the mesh reports.
    private var pumping: Task<Void, Never>?
    var timer: (deadline: MeshInstant, task: Task<Void, Never>)?
    var linkCount = 0
    private(set) var started: ContinuousClock.Instant?
    private(set) var isStopped = false
    /// Who this node is, while it is locked: what its bundle tells everybody.
    var lockedFace: NodeStatus?
    /// The closing of the home while it becomes locked.
    var locking: Task<Void, Never>?
    /// When the user was last heard of, and what locks the node some time after it.
    var lastUse: ContinuousClock.Instant
    var autoLocking: Task<Void, Never>?
    /// Who waits for the answers to pings.
    var pings: [UInt64: AsyncStream<PingAnswer?>.Continuation] = [:]
    /// Who waits for the owner of a group to be sure that it has lost no operation.
    var confirming: [GroupID: [AsyncStream<Void>.Continuation]] = [:]
    /// The signs of tampering that subscribers have been told of.
    var toldSignCount = 0
    /// What is found by words.
    var search: HistorySearch
    /// The rooms, each with a node of its own that shares the mesh.
    var shelf: RoomShelf
    /// Of a room's node: to whom it tells what happens.
    let outlet: RoomOutlet?

    /// Opens the home, or makes it if the settings give a name and there is none; the mesh is joined by `start()`.
    ///
    /// - Parameter configuration: What the node is to be.
    /// - Throws: `ChatError` with what to do about it; nothing has been overwritten then.
    public init(_ configuration: ChatConfiguration) throws(ChatError) {
        var configuration = configuration
        configuration.mediaSpace = MediaSpace(limit: configuration.mediaByteLimit)
        let opened = try NodeOpening(configuration)
        let figures = TransferFigures()
        let mesh = try Self.makeMesh(configuration, figures)
        let rooms = try RoomShelf(restoring: opened, configuration, mesh)
        self.init(opened, configuration, mesh, figures, rooms: rooms, outlet: nil)
    }

    /// The node of a room, which shares the mesh with that of the home.
    init(room opened: NodeOpening, _ configuration: ChatConfiguration, _ mesh: MeshNode, outlet: RoomOutlet) {
        self.init(opened, configuration, mesh, TransferFigures(), rooms: RoomShelf(), outlet: outlet)
    }

    private init(
        _ opened: NodeOpening,
        _ configuration: ChatConfiguration,
        _ mesh: MeshNode,
        _ figures: TransferFigures,
        rooms: RoomShelf,
        outlet: RoomOutlet?
    ) {
        var configuration = configuration
        // What opened the home is not needed any more.
        configuration.passphrase = nil
        configuration.restored = nil
        self.configuration = configuration
        home = opened.home
        store = opened.store
        blobs = opened.blobs
        media = MediaWorkshop(configuration.mediaCleaner)
        mediaSpace = configuration.mediaSpace ?? MediaSpace(limit: configuration.mediaByteLimit)
        mediaShare = mediaSpace.share()
        steps = GroupCommit(opened.engine(as: configuration, mediaShare), book: opened.book, blobs: opened.blobs)
        made = clock.now
        lastUse = made
        transfers = BlobTransfers(figures: figures)
        self.mesh = mesh
        search = HistorySearch(configuration, isRoom: outlet != nil)
        self.shelf = rooms
        self.outlet = outlet
    }

    private static func makeMesh(
        _ configuration: ChatConfiguration,
        _ figures: TransferFigures
    ) throws(ChatError) -> MeshNode {
        var mesh = try MeshNode.Configuration(configuration.mesh, home: configuration.home)
        mesh.otherMetrics = { figures.metrics }
        return MeshNode(
            configuration: mesh,
            cryptography: try MeshSeals(passphrase: configuration.mesh.passphrase),
            logger: configuration.logger
        )
    }

    /// Joins the mesh: from now on neighbours are found and messages move.
    ///
    /// - Throws: `meshUnavailable` if no socket can be opened, or what the store refuses.
    public func start() async throws(ChatError) {
        try checkRunning()
        guard started == nil else { return }
        started = clock.now
        if outlet == nil {
            try await joinMesh()
            pumping = Task { [weak self, mesh] in await Self.pump(mesh) { self } }
        }
        do {
            try await takePart()
        } catch {
            await stop()
            throw error
        }
        if outlet == nil { noteUse() }
    }

    /// Lets the home's conversations, and its rooms, take part in the mesh.
    func takePart() async throws(ChatError) {
        let (effects, continuation) = AsyncStream.makeStream(of: [ChatEffect].self, bufferingPolicy: .unbounded)
        submissions = continuation
        submitting = Task { [weak self, mesh, blobs] in await Self.submit(effects, of: blobs, to: mesh) { self } }
        tellTampering()
        guard !configuration.mesh.isRelayOnly else { return }
        try await transact { engine, transaction in try engine.begin(in: &transaction) }
        await startRooms()
    }

    private func joinMesh() async throws(ChatError) {
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
    }

    /// Leaves the mesh, ends all sequences, closes the store and gives up the home.
    public func stop() async {
        do {
            try await stop(copyingTo: nil)
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }

    /// The same, after putting all that is kept into another store, or instead of it erasing everything.
    func stop(copyingTo copy: SQLiteStore? = nil, erasing: Bool = false) async throws(ChatError) {
        guard !isStopped else { return }
        isStopped = true
        await locking?.value
        autoLocking?.cancel()
        await comeToRest()
        if outlet == nil { await mesh.stop(quietly: erasing) }
        await submitting?.value
        await pumping?.value
        feed.finish()
        outlet?.finish()
        blobs.close()
        mediaShare.set(0)
        defer { home?.close() }
        do {
            if let copy { try store.copyRows(to: copy) }
            try store.close()
        } catch {
            if !erasing { throw ChatError(error) }
        }
        guard erasing else { return }
        try forget()
        try home?.erase()
    }

    /// Ends what is under way, and makes durable what was done.
    private func comeToRest() async {
        wipeSearch()
        await stopRooms()
        await endTransfers()
        commit()
        timer?.task.cancel()
        timer = nil
        submissions?.finish()
        for ping in pings.keys { endPing(ping, nil) }
        for group in confirming.keys { endConfirming(group) }
    }

    // MARK: - Locking

    /// Closes the home but for its lock, and forgets everything that was read of it.
    func closeHome() async {
        await comeToRest()
        await submitting?.value
        blobs.close()
        do {
            try store.close()
            try forget()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error)"])
        }
    }

    /// Puts an engine that knows nothing in the place of that of the home.
    private func forget() throws(ChatError) {
        take(try NodeOpening(blankAt: configuration.time), RoomShelf(after: shelf))
    }

    /// Puts another engine, with its store and its rooms, in the place of the present one.
    func take(_ opened: NodeOpening, _ rooms: RoomShelf) {
        store = opened.store
        blobs = opened.blobs
        steps = GroupCommit(opened.engine(as: configuration, mediaShare), book: opened.book, blobs: opened.blobs)
        checkedObjects = []
        transfers = BlobTransfers(figures: transfers.figures)
        shelf = rooms
        toldSignCount = 0
        submissions = nil
        submitting = nil
    }

    /// The id of the store, which all that is in it is bound to.
    var databaseID: [UInt8] { store.databaseID }

    /// The engine as it is on the disk.
    var engine: ChatEngine { steps.engine }

    /// Whether the mesh was joined.
    var isStarted: Bool { started != nil }

    // MARK: - Events

    /// Tells what is not part of a step.
    func tell(_ event: ChatEvent) {
        feed.tell(event)
        outlet?.yield(.event(event))
    }

    /// What happens from now on; bounded, and told when it was too slow.
    public func events() -> AsyncStream<ChatEvent> {
        feed.subscribe()
    }

    /// How far a message has come, from now until it goes no further; empty for a message that is not known.
    public func statuses(of message: MessageID) async -> AsyncStream<DeliveryStatus> {
        if let room = await room(holding: message) { return await room.statuses(of: message) }
        let present = try? look { engine, transaction in try engine.status(of: message, in: transaction) }
        guard let known = present ?? nil else { return AsyncStream { $0.finish() } }
        return feed.watch(message, present: known)
    }

    /// How the node is doing.
    public var status: NodeStatus {
        get async {
            let snapshot = await mesh.snapshot()
            if var status = lockedFace {
                status.uptime = started.map { $0.duration(to: clock.now) } ?? .zero
                status.linkCount = snapshot.links.count
                status.neighbourCount = snapshot.neighbours.count
                status.carriedCount = snapshot.storedCount
                status.mediaByteCount = mediaSpace.byteCount
                status.hasPassphrase = true
                return status
            }
            var status = NodeStatus(
                id: engine.ownID,
                name: engine.nickname,
                fingerprint: engine.sessions.identity.publicIdentity.fingerprint().description,
                version: Self.version,
                uptime: started.map { $0.duration(to: clock.now) } ?? .zero,
                linkCount: snapshot.links.count,
                neighbourCount: snapshot.neighbours.count,
                contactCount: engine.trust.all.count,
                outboxCount: engine.outbox.messageCount + engine.groups.posts.count,
                carriedCount: snapshot.storedCount,
                tamperSignCount: steps.book.findings.count
            )
            status.isRevoked = engine.standing.isRevoked
            status.hasPassphrase = home?.key.hasPassphrase ?? false
            status.mediaByteCount = mediaSpace.byteCount
            status.mediaByteLimit = mediaSpace.limit
            return status
        }
    }

    /// The figures of the mesh, of transfers, and of changes of messages that were ignored, in the form that monitoring
    /// programs take; they name nobody.
    public var metrics: [Metric] {
        get async {
            await mesh.metrics() + [
                engine.ignoredChangesMetric, engine.ignoredStatementsMetric, engine.refusedHistoryMetric,
            ]
        }
    }
}
