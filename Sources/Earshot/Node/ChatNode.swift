public import ChatCore
public import ChatCrypto
import Foundation
import Logging
import MeshCore
public import MeshTransport

/// One node: an identity, its conversations and its place in the mesh.
///
/// The node owns the mesh, the data directory and the accounts: one for the home's identity, one for each room. Every
/// call goes to the account of its conversation.
public actor ChatNode {
    /// The version of this library.
    public static let version = "0.1.0"

    let configuration: ChatConfiguration
    let home: NodeHome?
    /// The account of the home's identity.
    let account: Account
    /// The home's space for files.
    let mediaSpace: MediaSpace
    let mesh: MeshNode
    let clock = ContinuousClock()
    let feed = EventFeed()
    /// The rooms, each with an account of its own.
    var registry: RoomRegistry
    /// The task that passes on the reports of the mesh.
    private var pumping: Task<Void, Never>?
    private(set) var started: ContinuousClock.Instant?
    private(set) var isStopped = false
    /// The node's status at the moment when it was locked.
    var lockedFace: NodeStatus?
    /// The task that closes the home while the node is being locked.
    var locking: Task<Void, Never>?
    /// The task that ends once the home is open, while the node is being unlocked.
    var unlocking: Task<Void, Never>?
    /// The time of the last user activity, and the task that locks the node some time after it.
    var lastUse: ContinuousClock.Instant
    var autoLocking: Task<Void, Never>?

    /// Opens the home, or creates it if the settings give a name and there is none; `start()` joins the mesh.
    ///
    /// - Parameter configuration: The node's settings.
    /// - Throws: `ChatError` with what to do about it; then nothing has been overwritten.
    public init(_ configuration: ChatConfiguration) throws(ChatError) {
        let mediaSpace = MediaSpace(limit: configuration.mediaByteLimit)
        let opened = try NodeOpening(configuration)
        var configuration = configuration
        // The secrets that opened the home are not needed any more.
        configuration.passphrase = nil
        configuration.restored = nil
        let figures = TransferFigures()
        mesh = try Self.makeMesh(configuration, figures)
        registry = try RoomRegistry(restoring: opened, configuration, mesh, mediaSpace)
        home = opened.home
        account = Account(
            opened,
            configuration,
            mesh,
            mediaSpace.share(),
            figures: figures,
            feed: feed,
            mediaFolder: home?.directory.appending(path: HomeFile.media)
        )
        self.configuration = configuration
        self.mediaSpace = mediaSpace
        lastUse = clock.now
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

    /// Joins the mesh: from now on the node finds neighbours, and messages move.
    ///
    /// - Throws: `meshUnavailable` if no socket can be opened, or the store's error.
    public func start() async throws(ChatError) {
        try checkRunning()
        guard started == nil else { return }
        started = clock.now
        try await joinMesh()
        pumping = Task { [weak self, mesh] in await Self.pump(mesh) { self } }
        do {
            try await account.start()
            await startRooms()
        } catch {
            await stop()
            throw error
        }
        noteUse()
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

    /// Passes on the reports of the mesh until it stops or the node is gone; this does not keep the node alive.
    private static func pump(_ mesh: MeshNode, into node: () -> ChatNode?) async {
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
        await locking?.value
        await unlocking?.value
        autoLocking?.cancel()
        await stopRooms()
        await account.end(because: Self.stopped)
        await mesh.stop(quietly: erasing)
        await pumping?.value
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

    /// Throws once the node has been stopped, and while it is locked.
    func checkRunning() throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isLocked else { throw Self.locked }
    }

    /// Whether the mesh was joined.
    var isStarted: Bool { started != nil }

    static let stopped = ChatError(.stopped, "This node has been stopped. Create a new one.")
    static let locked = ChatError(.locked, "The node is locked. Unlock it with its passphrase.")

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

    /// Returns the account of a group or room.
    func account(of group: GroupID) async throws(ChatError) -> Account {
        try await account(of: conversationID(of: group))
    }

    /// Returns the account that holds a message; the home's account if no account holds it.
    ///
    /// The registry knows the newest messages of rooms. For others the node asks the accounts: the home's first, then
    /// those of the rooms, of which there are ``RoomRules/roomCount`` at most.
    func account(holding message: MessageID) async throws(ChatError) -> Account {
        try checkRunning()
        if let room = registry.account(ofRecent: message) { return room }
        let others = registry.accounts
        if others.isEmpty { return account }
        if await account.holds(message) { return account }
        for room in others where await room.holds(message) { return room }
        return account
    }

    /// Returns the conversation of a group: that of a room, or of a group of the home.
    package func conversationID(of group: GroupID) -> ConversationID {
        registry.number(of: group) == nil ? .group(group) : .room(group)
    }

    // MARK: - Events

    /// Returns the events from now on; the sequence is bounded, and reports the number of events that a slow reader
    /// missed.
    public func events() -> AsyncStream<ChatEvent> { feed.subscribe() }

    /// Returns the statuses of a message from now until the final one; none for an unknown message.
    public func statuses(of message: MessageID) async -> AsyncStream<DeliveryStatus> {
        await ((try? account(holding: message)) ?? account).statuses(of: message)
    }

    /// The present status of the node.
    public var status: NodeStatus {
        get async {
            let snapshot = await mesh.snapshot()
            let own = await account.status
            var status = lockedFace ?? own
            status.uptime = started.map { $0.duration(to: clock.now) } ?? .zero
            status.linkCount = snapshot.links.count
            status.neighbourCount = snapshot.neighbours.count
            status.carriedCount = snapshot.storedCount
            status.hasPassphrase = home?.key.hasPassphrase ?? false
            status.mediaByteCount = mediaSpace.byteCount
            status.mediaByteLimit = mediaSpace.limit
            return status
        }
    }

    /// The metrics of the mesh, of transfers, and of changes and records that were ignored, in the form that monitoring
    /// programs take; they name no person.
    public var metrics: [Metric] {
        get async { await mesh.metrics() + account.metrics }
    }
}
