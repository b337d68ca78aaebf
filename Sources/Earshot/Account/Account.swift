import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
import MeshTransport

/// One identity with its conversations: that of the home, or that of one room.
///
/// The account owns its engine, store, files, transfers and timers. Every step runs without a suspension and joins a
/// batch. The store writes a batch as a whole. Only then the account carries out the batch's effects, in order, and
/// resumes its callers.
actor Account {
    private(set) var configuration: ChatConfiguration
    private(set) var mesh: any ChatMesh
    /// The subscribers; those of a room's account wait for statuses of messages only.
    let feed: EventFeed
    /// The id and names of the home's identity; nil for a room's account.
    private let own: OwnFacts?
    /// The relay of a room's events to its node; nil for the home's account.
    let relay: EventRelay?
    /// The folder of the plain copies of files; nil for an account in memory.
    let mediaFolder: URL?
    let media: MediaSanitizer
    /// The account's share of the home's space for files.
    let mediaQuotaShare: MediaQuotaShare
    /// The moment of the environment at which the account's own clock began.
    let made: MeshInstant

    private var store: any MessageStore
    /// The keys of the home's records; nil for memory, for rooms, and while the home is closed.
    private var seals: RecordSeals?
    /// The files of messages.
    private(set) var blobs: BlobFolder
    var steps: WriteBatch
    /// The callers whose steps are not durable yet.
    var waiting: [CheckedContinuation<ChatError?, Never>] = []
    /// Whether a commit of the open batch is scheduled.
    var isCommitDue = false
    /// The transfers of large blobs.
    ///
    /// They are beside the engine, because moving a chunk changes no record.
    var transfers: BlobTransfers
    /// The texts that a search reads.
    var search: HistorySearch
    /// The blobs that have been compared with the facts in their messages, by the names of their files.
    var checkedBlobs: Set<String> = []
    /// The number of tampering signs that subscribers have been notified of.
    var notifiedSignCount = 0
    /// The callers that wait for the answers to pings.
    var pings: [UInt64: AsyncStream<PingAnswer?>.Continuation] = [:]
    /// The callers that wait until the owner of a group has lost no operation.
    var confirming: [GroupID: [AsyncStream<Void>.Continuation]] = [:]
    private var submissions: AsyncStream<[ChatEffect]>.Continuation?
    /// The task that hands effects to the mesh.
    private var submitting: Task<Void, Never>?
    var timer: (deadline: MeshInstant, work: ScheduledWork)?
    /// Whether the account takes part in the mesh.
    private(set) var isStarted = false
    /// The error that all work throws since the account was closed; nil while it is open.
    private(set) var refusal: ChatError?
    /// The addresses of the hubs of this node's program; nil if it says nothing of hubs.
    private var hubs: [String]?

    /// Takes over an open store; `start()` joins the mesh.
    init(
        _ opened: sending NodeOpening,
        _ configuration: ChatConfiguration,
        _ mesh: any ChatMesh,
        _ mediaQuotaShare: MediaQuotaShare,
        statistics: TransferStatistics = TransferStatistics(),
        feed: EventFeed? = nil,
        own: OwnFacts? = nil,
        relay: EventRelay? = nil,
        mediaFolder: URL?
    ) {
        self.configuration = configuration
        self.mesh = mesh
        self.mediaQuotaShare = mediaQuotaShare
        self.feed = feed ?? EventFeed(configuration.environment)
        self.own = own
        self.relay = relay
        self.mediaFolder = mediaFolder
        media = MediaSanitizer(configuration.mediaCleaner)
        made = configuration.environment.now
        store = opened.store
        seals = opened.seals
        blobs = opened.blobs
        steps = WriteBatch(
            opened.engine(as: configuration, mediaQuotaShare),
            recordStore: opened.recordStore,
            blobs: opened.blobs
        )
        transfers = BlobTransfers(statistics: statistics)
        search = HistorySearch(configuration, isRoom: relay != nil)
    }

    /// The engine in its durable state.
    var engine: ChatEngine {
        _read { yield steps.engine }
    }

    /// The id of the store, to which everything in it is bound.
    var databaseID: [UInt8] { store.databaseID }

    /// The keys with which the home can be opened again; nil for memory and for rooms.
    var suspendedHome: SuspendedHome? { seals.map { SuspendedHome(seals: $0, databaseID: store.databaseID) } }

    /// The clocks, and the work beside the callers.
    var environment: any NodeEnvironment { configuration.environment }

    /// Whether the account is closed.
    var isClosed: Bool { refusal != nil }

    /// Begins to take part in the mesh.
    func start() async throws(ChatError) {
        try checkOpen()
        guard submissions == nil else { return }
        isStarted = true
        let (effects, continuation) = AsyncStream.makeStream(of: [ChatEffect].self, bufferingPolicy: .unbounded)
        submissions = continuation
        submitting = Task { [weak self, mesh, blobs, environment] in
            for await batch in effects {
                await Self.submit(batch, of: blobs, to: mesh) { self }
                environment.workEnded()
            }
        }
        notifyTampering()
        guard !configuration.mesh.isRelayOnly else { return }
        try await transact { [hubs] engine in
            if let hubs { engine.setHubs(hubs) }
            try engine.begin()
        }
    }

    /// Hands effects to the mesh, after all earlier ones; does nothing outside of it.
    func submit(_ effects: [ChatEffect]) {
        guard let submissions else { return }
        environment.workBegan()
        if case .terminated = submissions.yield(effects) { environment.workEnded() }
    }

    /// Ends the part in the mesh until the next `start()`; everything else goes on.
    func leaveMesh() async {
        isStarted = false
        timer?.work.cancel()
        timer = nil
        submissions?.finish()
        submissions = nil
        await submitting?.value
        submitting = nil
    }

    /// Takes another mesh node, which has not started, in place of one that has stopped.
    func join(_ mesh: any ChatMesh) { self.mesh = mesh }

    // MARK: - Closing

    /// Ends all work and commits the open batch.
    func end(because reason: ChatError) async {
        defer { refusal = reason }
        guard refusal == nil else { return }
        refusal = reason
        search.wipe()
        await endTransfers()
        // If the store refuses, the next start posts it.
        if isStarted { try? steps.step(at: now()) { $0.stopCarrying() } }
        commit()
        timer?.work.cancel()
        timer = nil
        submissions?.finish()
        await submitting?.value
        for ping in pings.keys { endPing(ping, nil) }
        for group in confirming.keys { endConfirming(group) }
    }

    /// Closes the store after `end(because:)`, and forgets everything that was read from it.
    ///
    /// - Parameter copy: A store that takes a copy of all rows first.
    func close(copyingTo copy: SQLiteStore? = nil) async throws(ChatError) {
        await submitting?.value
        submitting = nil
        blobs.close()
        mediaQuotaShare.set(0)
        if let relay {
            feed.finish()
            relay.finish()
        }
        do {
            if let copy { try store.copyRows(to: copy) }
            try store.close()
        } catch {
            throw ChatError(error)
        }
    }

    /// Replaces the engine by an empty one.
    func forget() throws(ChatError) {
        replace(try NodeOpening(blankAt: configuration.time))
    }

    /// Takes over a store in place of the one that was closed.
    func open(_ opened: sending NodeOpening) {
        replace(opened)
        isStarted = false
        refusal = nil
        own?.update(engine)
    }

    private func replace(_ opened: NodeOpening) {
        store = opened.store
        seals = opened.seals
        blobs = opened.blobs
        steps = WriteBatch(
            opened.engine(as: configuration, mediaQuotaShare),
            recordStore: opened.recordStore,
            blobs: opened.blobs
        )
        checkedBlobs = []
        transfers = BlobTransfers(statistics: transfers.statistics)
        notifiedSignCount = 0
        submissions = nil
    }

    // MARK: - Identity

    /// The id of the account's identity.
    var ownID: PeerID { engine.ownID }

    /// The nickname of the account's user.
    var nickname: String { engine.nickname }

    /// The emoji and color of the account's user.
    var profile: Profile { engine.contacts.profile }

    /// Returns a backup of the account's identity, in the clear.
    func identityBackup() throws(ChatError) -> IdentityBackup {
        IdentityBackup(of: engine.sessions.identity, nickname: try NodeOpening.nickname(engine.nickname))
    }

    /// The peers that paths have led to, by the present names of their nodes.
    var peersByNode: [NodeID: PeerID] {
        let known = engine.paths.distances.compactMap { peer, distance in distance.node.map { ($0, peer) } }
        return Dictionary(known, uniquingKeysWith: { min($0, $1) })
    }

    // MARK: - Settings

    /// Changes the delivery setting, and that with which the account opens again.
    func setDelivery(_ setting: DeliverySetting) async throws(ChatError) {
        configuration.delivery = setting
        guard !isClosed else { return }
        try await transact { engine in engine.delivery = setting }
    }

    /// Sets the hubs at which the user reads mail, which contacts learn; a closed account sets them when it opens again.
    ///
    /// - Parameter addresses: The addresses without logins; none if the user has left all hubs.
    func setHubs(_ addresses: [String]) async {
        hubs = addresses
        guard isStarted, !isClosed, !configuration.mesh.isRelayOnly else { return }
        // If the store refuses, the next start sets them.
        try? await transact { $0.setHubs(addresses) }
    }

    // MARK: - Events

    /// Notifies the subscribers, and the node of a room's account, of an event.
    func notify(_ event: ChatEvent) {
        feed.notify(event)
        relay?.yield(.event(event))
    }

    /// Takes over the id and names of the identity after a commit.
    func followIdentity() {
        if !isClosed { own?.update(engine) }
    }

    // MARK: - Metrics

    /// The account's part of the node's status.
    var status: NodeStatus {
        var status = NodeStatus(
            id: engine.ownID,
            name: engine.nickname,
            fingerprint: engine.sessions.identity.publicIdentity.fingerprint().description,
            version: ChatNode.version,
            contactCount: engine.trust.all.count,
            outboxCount: engine.outbox.messageCount,
            delivery: engine.delivery,
            isCarrying: engine.carries,
            tamperSignCount: steps.recordStore.findings.count
        )
        status.isRevoked = engine.identityHistory.isRevoked
        status.gatewayAge = engine.gatewayHeardAt.map { $0.duration(to: now().monotonic) }
        return status
    }

    /// Notes an announcement of this node's own gateway; a closed account needs none.
    func hearGateway(_ announcement: [UInt8]) async {
        guard !configuration.mesh.isRelayOnly else { return }
        try? await transact { $0.hearGateway(announcement) }
    }

    /// Notes that a hub has acknowledged mail of this name; a closed account shows no details.
    ///
    /// Nobody waits for the disk.
    func noteStored(_ name: [UInt8], at hub: String) {
        guard !configuration.mesh.isRelayOnly, !isClosed else { return }
        Task { try? await transact { $0.noteStored(name, at: hub) } }
    }

    /// The metrics of ignored changes, ignored statements, refused contents and refused history records.
    var metrics: [Metric] {
        [
            engine.ignoredChangesMetric, engine.ignoredStatementsMetric, engine.refusedContentsMetric,
            engine.refusedHistoryMetric,
        ]
    }
}
