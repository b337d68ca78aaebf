public import ChatCore
public import ChatCrypto
import Foundation
import Logging
import MeshCore
public import MeshTransport

/// One node: an identity, its conversations and its place in the mesh.
///
/// The node owns the mesh, the data directory and the accounts: one for the home's identity, one for each room.
/// Applications work with its handles: ``conversations``, ``contacts``, ``rooms``, ``identity`` and ``history``. A
/// handle is a cheap value; every call of it goes to the account of its conversation.
public actor ChatNode {
    /// The version of this library.
    public static let version = "0.1.0"

    /// The state of a node.
    public enum State: Hashable, Sendable {
        /// The home is open; the node has not joined the mesh.
        case ready
        /// The node takes part in the mesh, with this number of links.
        case running(linkCount: Int)
        /// The home is closed until the node is unlocked; the node goes on relaying.
        case locked
        /// Home and mesh are closed until the next `start()`.
        case suspended
    }

    var configuration: ChatConfiguration
    /// The place of the home.
    let place: Home
    var home: NodeHome?
    /// The account of the home's identity.
    let account: Account
    /// The home's space for files.
    let mediaQuota: MediaQuota
    var mesh: any ChatMesh
    let meshSeals: MeshSeals
    /// The hubs of this node's program; nil without any.
    var hubControl: HubControl?
    let statistics: TransferStatistics
    let feed: EventFeed
    /// The id and names of the home's identity.
    nonisolated let own: OwnFacts
    /// The rooms, each with an account of its own.
    var registry: RoomRegistry
    /// The task that passes on the reports of the mesh.
    private(set) var pumping: Task<Void, Never>?
    var started: MeshInstant?
    private(set) var isStopped = false
    /// The keys of a suspended home; nil if the home was locked.
    var suspendedHome: SuspendedHome?
    var isSuspended = false
    /// The node's status at the moment when it was locked.
    var lockedStatus: NodeStatus?
    /// The task that closes the home while the node is being locked.
    var locking: Task<Void, Never>?
    /// The task that ends once the home is open, while the node is being unlocked.
    var unlocking: Task<Void, Never>?
    /// The time of the last user activity, and the task that locks the node some time after it.
    var lastActivity: MeshInstant
    var autoLocking: ScheduledWork?

    /// The clocks, and the work beside the callers.
    var environment: any NodeEnvironment { configuration.environment }

    // MARK: - Opening

    /// Opens a home; `start()` joins the mesh.
    ///
    /// The stretching of a passphrase and the reading of the home take up to some seconds, on no actor of the caller.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - name: The nickname of a new identity, which is created if the home has none; nil to require one.
    ///   - configuration: The node's settings.
    /// - Throws: `noIdentity`, `locked` for a wrong or missing passphrase, `homeInUse`, or another error with what to
    ///   do about it; then nothing has been overwritten.
    @concurrent
    public static func open(
        _ home: Home,
        orCreate name: String? = nil,
        _ configuration: ChatConfiguration = ChatConfiguration()
    ) async throws(ChatError) -> ChatNode {
        try ChatNode(NodeRequest(home, name: name), configuration)
    }

    /// Creates an identity, with a home for it; `start()` joins the mesh.
    ///
    /// - Parameters:
    ///   - name: The nickname of the identity.
    ///   - home: The home; by default memory.
    ///   - configuration: The node's settings.
    /// - Throws: `badName`, `alreadyInitialised` if the home has an identity, or another error with what to do about
    ///   it; then nothing has been overwritten.
    @concurrent
    public static func create(
        name: String,
        in home: Home = .memory,
        _ configuration: ChatConfiguration = ChatConfiguration()
    ) async throws(ChatError) -> ChatNode {
        var request = NodeRequest(home, name: name)
        request.isNew = true
        return try ChatNode(request, configuration)
    }

    /// Creates a home with an identity from a backup.
    ///
    /// Contacts recognize the identity; sessions with them start over. The identity must not be in use in another home
    /// at the same time.
    ///
    /// - Parameters:
    ///   - backup: The bytes from ``OwnIdentity/backUp(passphrase:)``.
    ///   - passphrase: The passphrase of the backup.
    ///   - home: The home, with its own protection.
    ///   - name: The nickname; nil for the one in the backup.
    ///   - configuration: The node's settings.
    /// - Throws: `alreadyInitialised` for a home that is not empty, `locked` for a wrong passphrase, `fileUnusable` if
    ///   the bytes are no backup, `homeNewer`, or the reason why a home cannot be created.
    @concurrent
    public static func restore(
        _ backup: [UInt8],
        passphrase: String,
        in home: Home,
        name: String? = nil,
        _ configuration: ChatConfiguration = ChatConfiguration()
    ) async throws(ChatError) -> ChatNode {
        let restored = try OwnIdentity.open(backup, passphrase: passphrase)
        var request = NodeRequest(home, name: name ?? restored.nickname.text)
        request.restored = restored
        return try ChatNode(request, configuration)
    }

    private init(_ request: NodeRequest, _ configuration: ChatConfiguration) throws(ChatError) {
        let opened = try NodeOpening(request, configuration)
        let mediaQuota = MediaQuota(limit: configuration.mediaByteLimit)
        let seals = try MeshSeals(passphrase: configuration.mesh.passphrase)
        let statistics = TransferStatistics()
        let feed = EventFeed(configuration.environment)
        mesh = try Self.makeMesh(configuration, request.home.directory, seals, statistics)
        registry = try RoomRegistry(restoring: opened, configuration, mesh, mediaQuota)
        home = opened.home
        let own = OwnFacts(opened.engine)
        account = Account(
            opened,
            configuration,
            mesh,
            mediaQuota.share(),
            statistics: statistics,
            feed: feed,
            own: own,
            mediaFolder: request.home.directory?.appending(path: HomeFile.media)
        )
        place = request.home.withoutKey
        meshSeals = seals
        self.statistics = statistics
        self.feed = feed
        self.own = own
        self.configuration = configuration
        self.mediaQuota = mediaQuota
        lastActivity = configuration.environment.now
    }

    /// Makes a node of the mesh that has not started; it starts once.
    static func makeMesh(
        _ configuration: ChatConfiguration,
        _ directory: URL?,
        _ seals: MeshSeals,
        _ statistics: TransferStatistics
    ) throws(ChatError) -> any ChatMesh {
        var mesh = try MeshNode.Configuration(configuration.mesh, home: directory)
        mesh.otherMetrics = { statistics.metrics }
        if let metrics = configuration.metrics { mesh.metricsFactory = metrics }
        return configuration.environment.makeMesh(mesh, seals, configuration.logger)
    }

    // MARK: - The mesh

    /// Joins the mesh: from now on the node finds neighbours, and messages move.
    ///
    /// After `suspend()` it first opens the home again; a node that was locked then stays locked.
    ///
    /// - Throws: `locked`, `meshUnavailable` if no socket can be opened, `homeInUse` if another process has taken the home
    ///   meanwhile, or the store's error.
    public func start() async throws(ChatError) {
        if isSuspended, !isStopped { try await resume() } else { try checkRunning() }
        guard started == nil else { return }
        started = environment.now
        try await joinMesh()
        await prepareMesh()
        pumping = Task { [weak self, mesh] in await Self.pump(mesh) { self } }
        guard !isLocked else { return }
        do {
            try await account.start()
            await startRooms()
        } catch {
            // A node that was suspended meanwhile starts another time.
            if error.code != .suspended { await stop() }
            throw error
        }
        noteActivity()
        feed.wakeObservers()
    }

    private func joinMesh() async throws(ChatError) {
        let joined = mesh
        do {
            try await joined.start()
        } catch {
            started = nil
            // A node of the mesh starts once.
            try await replaceMesh()
            throw ChatError(.meshUnavailable, "The mesh cannot be joined: \(error.reason)")
        }
        guard !isStopped else {
            await joined.stop(quietly: false)
            throw ChatError(.stopped, "This node was stopped while it started.")
        }
        guard !isSuspended, joined === mesh else { throw Self.suspended }
    }

    /// Passes on the reports of the mesh until it stops or the node is gone; this does not keep the node alive.
    private static func pump(_ mesh: any ChatMesh, into node: () -> ChatNode?) async {
        while let batch = await mesh.nextBatch() {
            var rest = batch
            while let node = node(), let refused = await node.account.take(rest) {
                rest = refused
                guard (try? await Task.sleep(for: ChatLimits.storagePause)) != nil else { return }
            }
            await node()?.passToRooms(batch)
        }
    }

    /// Leaves the mesh, ends all sequences, closes the store and releases the home.
    public func stop() async {
        do {
            try await stop(erasing: false)
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }

    /// Stops the node, and erases everything on request.
    func stop(erasing: Bool) async throws(ChatError) {
        guard !isStopped else { return }
        isStopped = true
        suspendedHome = nil
        await locking?.value
        await unlocking?.value
        autoLocking?.cancel()
        await stopRooms()
        await account.end(because: Self.stopped)
        await leaveMesh(quietly: erasing)
        hubControl = nil
        feed.finish()
        defer { home?.close() }
        do {
            try await account.close()
        } catch {
            if !erasing { throw error }
        }
        guard erasing else { return }
        try await account.forget()
        try home?.erase()
    }

    /// Throws once the node has been stopped, and while it is suspended or locked.
    func checkRunning() throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isSuspended else { throw Self.suspended }
        guard !isLocked else { throw Self.locked }
    }

    /// Whether the node was stopped, or is suspended or locked.
    var isClosed: Bool { isStopped || isSuspended || isLocked }

    /// Whether the mesh was joined.
    var isStarted: Bool { started != nil }

    static let stopped = ChatError(.stopped, "This node has been stopped. Create a new one.")
    static let locked = ChatError(.locked, "The node is locked. Unlock it with its passphrase.")
    static let suspended = ChatError(.suspended, "The node is suspended: start it first.")

    // MARK: - Handles

    /// All conversations: direct ones, groups and rooms.
    public nonisolated var conversations: ConversationList { ConversationList(node: self) }

    /// The peers that this node knows.
    public nonisolated var contacts: ContactList { ContactList(node: self) }

    /// The rooms that this node is in, waits for, or could join.
    public nonisolated var rooms: RoomList { RoomList(node: self) }

    /// The identity of this node's user.
    public nonisolated var identity: OwnIdentity { OwnIdentity(node: self) }

    /// Everything that is stored: its search, export, import and check.
    public nonisolated var history: HistoryArchive { HistoryArchive(node: self) }

    /// Returns the handle of a conversation, which may have no message yet.
    public nonisolated func conversation(_ id: ConversationID) -> ConversationHandle {
        ConversationHandle(id: id, node: self)
    }

    /// Returns the handle of the membership of a group or room.
    public nonisolated func group(_ id: GroupID) -> GroupHandle { GroupHandle(id: id, node: self) }

    // MARK: - Accounts

    /// Returns the account of a conversation.
    func account(of conversation: ConversationID) async throws(ChatError) -> Account {
        try checkRunning()
        guard case .room(let room) = conversation else { return account }
        return try await account(ofRoom: room)
    }

    /// Returns the account of a conversation; nil stands for all conversations and gives the home's account.
    func account(ofAny conversation: ConversationID?) async throws(ChatError) -> Account {
        guard let conversation else { return account }
        return try await account(of: conversation)
    }

    /// Returns the conversation of a group: that of a room, or of a group of the home.
    package func conversationID(of group: GroupID) -> ConversationID {
        registry.number(of: group) == nil ? .group(group) : .room(group)
    }

    /// Begins an upload of a file that will be sent.
    ///
    /// - Parameter byteCount: The length of the file.
    /// - Throws: `locked`, `stopped`, `tooLarge`, `limited` if the home has no room for it, or the disk's error.
    package func upload(byteCount: UInt64) async throws(ChatError) -> FileUpload {
        try checkRunning()
        return try await account.upload(byteCount: byteCount)
    }

    // MARK: - State

    /// Returns the events from now on, for bots and logs; a screen shows ``Updates`` instead.
    ///
    /// The sequence is bounded, and reports the number of events that a slow reader missed.
    ///
    /// - Throws: `limited` if too many sequences are being read.
    public nonisolated func events() throws(ChatError) -> ChatEvents { try feed.subscribe() }

    /// The states of the node, from the present one on; the sequence ends when the node stops.
    public nonisolated var states: Updates<State> {
        Updates(
            feed,
            after: { event in
                switch event {
                case .linkUp, .linkDown: true
                default: false
                }
            },
            read: { () async throws(ChatError) in try await self.state() }
        )
    }

    private func state() throws(ChatError) -> State {
        guard !isStopped else { throw Self.stopped }
        if isSuspended { return .suspended }
        if isLocked { return .locked }
        return isStarted ? .running(linkCount: feed.linkCount) : .ready
    }

    /// The present status of the node.
    public var status: NodeStatus {
        get async {
            let snapshot = await mesh.snapshot()
            let own = await account.status
            var status = lockedStatus ?? own
            status.uptime = started.map { $0.duration(to: environment.now) } ?? .zero
            (status.linkCount, status.neighbourCount) = (snapshot.links.count, snapshot.neighbours.count)
            status.carriedCount = snapshot.storedCount
            status.hasPassphrase = home?.key.hasPassphrase ?? false
            status.mediaByteCount = mediaQuota.byteCount
            status.mediaByteLimit = mediaQuota.limit
            status.hubs = await hubControl?.reports() ?? []
            return status
        }
    }

    /// The metrics of the mesh, of transfers, of hubs, and of changes and records that were ignored, in the form that
    /// monitoring programs take; they name no person.
    public var metrics: [Metric] {
        get async { await mesh.metrics() + account.metrics + (hubControl?.metrics() ?? []) }
    }

    /// Returns what this node knows of the mesh at this moment.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func map() async throws(ChatError) -> MeshMap {
        try checkRunning()
        let snapshot = await mesh.snapshot()
        let now = await mesh.now
        return MeshMap(snapshot, at: now, await account.peersByNode, try await contacts.all())
    }
}
