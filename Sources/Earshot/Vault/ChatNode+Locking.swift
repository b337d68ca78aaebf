public import ChatCore
import ChatCrypto
public import Foundation
import Logging
import MeshCore

/// The locking of a node: its home is closed, its place in the mesh stays.
extension ChatNode {
    /// Whether the node is locked.
    public var isLocked: Bool { lockedStatus != nil }

    /// Closes the home: keys, sessions, names and history leave memory.
    ///
    /// The node continues to relay and to store for others. Envelopes for this node stay sealed in the mesh's store, as
    /// while a node is off, and are handled when it is unlocked. Ephemeral rooms end here.
    ///
    /// - Throws: `noPassphrase` if nothing could unlock it.
    public func lock() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isSuspended else { throw Self.suspended }
        guard !isLocked else { return }
        guard home?.key.hasPassphrase == true else {
            throw ChatError(.noPassphrase, "This node has no passphrase. Set one first.")
        }
        await unlocking?.value
        var last = await status
        guard !isClosed else { return }
        (last.contactCount, last.outboxCount, last.isLocked) = (0, 0, true)
        last.delivery = configuration.delivery
        lockedStatus = last
        let closing = Task { await closeHome(because: Self.locked) }
        locking = closing
        await closing.value
        locking = nil
        feed.notify(.locked)
    }

    /// Opens the home of a locked node, and handles what came meanwhile.
    ///
    /// - Parameter key: The passphrase of the home, or the key that the application keeps for it.
    /// - Throws: `locked` for a wrong passphrase or key, or the reason why the home cannot be opened.
    public func unlock(_ key: Home.Key) async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isSuspended else { throw Self.suspended }
        guard isLocked, let home else { return }
        guard locking == nil else { throw ChatError(.locked, "The node is being locked. Try again in a moment.") }
        try await openHome(home) { settings throws(ChatError) in
            try NodeOpening(settings, home, key: .protected(key))
        }
        // The time starts at the end, so that the opening of a large home does not count as absence.
        defer { noteActivity() }
        feed.notify(.unlocked)
        guard isStarted else { return }
        try await account.start()
        await startRooms()
        await recallAll()
    }

    /// Handles the envelopes that came while the home was closed: prekey bundles, prekey messages, sealed messages and
    /// room beacons.
    private func recallAll() async {
        for kind in [EnvelopeKind.bundle, .prekey, .sealed, .room, .far] {
            let envelopes = await mesh.storedEnvelopes(kind, startingWith: [[]])
            await account.recall(envelopes)
            for room in registry.accounts { await room.recall(envelopes) }
        }
    }

    /// Opens the accounts of a home that this node owns.
    ///
    /// - Parameter open: Reads the home; if it throws, nothing has changed.
    private func openHome(
        _ home: NodeHome,
        _ open: (ChatConfiguration) throws(ChatError) -> NodeOpening
    ) async throws(ChatError) {
        let opened = try open(configuration)
        registry = try RoomRegistry(restoring: opened, configuration, mesh, mediaQuota, after: registry)
        lockedStatus = nil
        let (steps, opening) = AsyncStream.makeStream(of: Void.self)
        unlocking = Task { for await _ in steps {} }
        await account.open(opened)
        opening.finish()
        unlocking = nil
    }

    /// Closes the home except for its lock, and forgets everything that was read from it.
    private func closeHome(because reason: ChatError) async {
        await stopRooms()
        registry = RoomRegistry(after: registry)
        await account.end(because: reason)
        do {
            try await account.close()
            try await account.forget()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }

    // MARK: - Suspending

    /// Leaves the mesh and closes the home, its lock included, until the next `start()`.
    ///
    /// An application calls it when the system is about to take its sockets away. All sequences stay open and wait. The
    /// keys of the records stay in protected memory. Ephemeral rooms end here, as by `lock()`.
    ///
    /// - Throws: `stopped`.
    public func suspend() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        await locking?.value
        await unlocking?.value
        guard !isStopped, !isSuspended else { return }
        isSuspended = true
        started = nil
        // The accounts end first, because a store that refuses to write would hold up the reports of the mesh.
        let closing = Task { await closeAccounts() }
        locking = closing
        await closing.value
        locking = nil
        await leaveMesh(quietly: false)
        home?.close()
        feed.wakeObservers()
    }

    /// Leaves the hubs, and the mesh once all its reports are taken.
    ///
    /// The hubs go first: mail that a gateway hands to a mesh that has ended is lost.
    func leaveMesh(quietly: Bool) async {
        await hubControl?.leave()
        await mesh.stop(quietly: quietly)
        await pumping?.value
    }

    /// Closes the accounts of a node that is being suspended; those of a home in memory only leave the mesh.
    private func closeAccounts() async {
        guard home != nil else {
            for account in [account] + registry.accounts { await account.leaveMesh() }
            return
        }
        guard !isLocked else { return }
        suspendedHome = await account.suspendedHome
        await closeHome(because: Self.suspended)
    }

    /// Opens the home of a suspended node, with a mesh node that has not started.
    func resume() async throws(ChatError) {
        try await replaceMesh()
        if let directory = place.directory {
            let home = try NodeHome(directory)
            if let suspendedHome {
                do throws(ChatError) {
                    try await openHome(home) { settings throws(ChatError) in
                        try NodeOpening(settings, home, key: .suspended(suspendedHome))
                    }
                } catch {
                    home.close()
                    throw error
                }
            }
            self.home = home
        }
        suspendedHome = nil
        isSuspended = false
    }

    /// Puts another node of the mesh, which has not started, in place of one that has stopped.
    func replaceMesh() async throws(ChatError) {
        mesh = try Self.makeMesh(configuration, place.directory, meshSeals, statistics)
        for account in [account] + registry.accounts { await account.join(mesh) }
    }

    // MARK: - Locking after a time

    /// Notes that the user is active: the time until the node locks itself starts again.
    public func noteActivity() {
        lastActivity = environment.now
        if autoLocking == nil { scheduleAutoLock() }
    }

    private func scheduleAutoLock() {
        guard let pause = configuration.autoLock, !isClosed else { return }
        autoLocking = environment.schedule(at: lastActivity.advanced(by: pause)) { [weak self] in
            await self?.lockIfInactive(for: pause)
        }
    }

    private func lockIfInactive(for pause: Duration) async {
        if !isClosed, lastActivity.advanced(by: pause) <= environment.now {
            do {
                try await lock()
            } catch {
                // There is no passphrase yet.
                lastActivity = environment.now
            }
        }
        autoLocking = nil
        // The user was active meanwhile, or has unlocked the node.
        scheduleAutoLock()
    }

    // MARK: - The key

    /// Changes the protection of the home's key: the key is wrapped again, and nothing else is written.
    ///
    /// If the machine stops at any moment, the home opens with the old protection or with the new one.
    ///
    /// - Parameters:
    ///   - old: The present protection.
    ///   - new: The future protection. With a key file, everyone who can read the home's files can read everything.
    /// - Throws: `locked` for a wrong passphrase or key, `hasPassphrase`, `noPassphrase`, `badPassphrase`, or
    ///   `homeUnusable`; then nothing has changed.
    public func changeKey(from old: Home.Key, to new: Home.Key) throws(ChatError) {
        try checkRunning()
        guard let home else {
            throw ChatError(.homeUnusable, "A node in memory stores nothing and needs no passphrase.")
        }
        try home.changeKey(from: old, to: new, cost: configuration.passphraseCost)
    }

    /// Changes the protection of the key of a home that no node has open.
    ///
    /// - Parameters:
    ///   - old: The present protection.
    ///   - new: The future protection.
    ///   - directory: The home.
    /// - Throws: The same errors, `noIdentity`, or `homeInUse`.
    public static func changeKey(from old: Home.Key, to new: Home.Key, at directory: URL) throws(ChatError) {
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        let home = try NodeHome(directory)
        defer { home.close() }
        try home.changeKey(from: old, to: new, cost: .standard)
    }

    // MARK: - Destroying

    /// Destroys everything that this node keeps and stops it: first the keys of the home, within milliseconds.
    ///
    /// Nobody is notified. This needs no passphrase and works while the node is locked. If a crash interrupts it, the
    /// next process that opens the home finishes it.
    ///
    /// - Throws: `homeUnusable` if something cannot be deleted; then the keys are gone, unless the error says
    ///   otherwise.
    public func destroy() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        if isSuspended { try await resume() }
        try home?.eraseKey()
        try await stop(erasing: true)
    }

    /// Destroys a home that no node has open.
    ///
    /// - Parameter directory: The home.
    /// - Throws: `noIdentity` if there is nothing to destroy, `homeInUse`, or `homeUnusable`.
    public static func destroy(_ directory: URL) throws(ChatError) {
        guard NodeHome.isHome(directory) else { throw NodeOpening.noIdentity(in: directory) }
        let home = try NodeHome(existing: directory)
        defer { home.close() }
        try home.erase()
    }
}
