public import ChatCore
import Logging
import MeshCore

/// The locking of a node: its home is closed, its place in the mesh stays.
extension ChatNode {
    /// Whether the node is locked.
    public var isLocked: Bool { lockedFace != nil }

    /// Whether the node was stopped or is locked.
    var isClosed: Bool { isStopped || isLocked }

    /// Closes the home: keys, sessions, names and history leave memory.
    ///
    /// The node continues to relay and to store for others. Envelopes for this node stay sealed in the mesh's store, as
    /// while a node is off, and are handled when it is unlocked. Ephemeral rooms end here.
    ///
    /// - Throws: `noPassphrase` if nothing could unlock it.
    public func lock() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isLocked else { return }
        guard home?.key.hasPassphrase == true else {
            throw ChatError(.noPassphrase, "This node has no passphrase. Set one first.")
        }
        await unlocking?.value
        var face = await status
        guard !isClosed else { return }
        (face.contactCount, face.outboxCount, face.isLocked) = (0, 0, true)
        lockedFace = face
        feed.finishWatching()
        let closing = Task { await closeHome() }
        locking = closing
        await closing.value
        locking = nil
        feed.tell(.locked)
    }

    /// Opens the home of a locked node, and handles what came meanwhile.
    ///
    /// - Parameter passphrase: The home's passphrase.
    /// - Throws: `locked` for a wrong passphrase, or the reason why the home cannot be opened.
    public func unlock(passphrase: String) async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard isLocked, let home else { return }
        guard locking == nil else { throw ChatError(.locked, "The node is being locked. Try again in a moment.") }
        var settings = configuration
        settings.passphrase = passphrase
        let opened = try NodeOpening(settings, home)
        registry = try RoomRegistry(restoring: opened, configuration, mesh, mediaSpace, after: registry)
        lockedFace = nil
        // The time starts here, so that the opening of a large home does not count as absence.
        defer { noteUse() }
        let (steps, opening) = AsyncStream.makeStream(of: Void.self)
        unlocking = Task { for await _ in steps {} }
        await account.open(opened)
        opening.finish()
        unlocking = nil
        feed.tell(.unlocked)
        guard isStarted else { return }
        try await account.start()
        await startRooms()
        await recallAll()
    }

    /// Handles the envelopes that came while the home was closed: prekey bundles, prekey messages, sealed messages and
    /// room beacons.
    private func recallAll() async {
        for kind in [EnvelopeKind.bundle, .prekey, .sealed, .room] {
            let envelopes = await mesh.storedEnvelopes(kind, startingWith: [[]])
            await account.recall(envelopes)
            for room in registry.accounts { await room.recall(envelopes) }
        }
    }

    /// Closes the home except for its lock, and forgets everything that was read from it.
    private func closeHome() async {
        await stopRooms()
        registry = RoomRegistry(after: registry)
        await account.end(because: Self.locked)
        do {
            try await account.close()
            try await account.forget()
        } catch {
            configuration.logger.error("the store did not close cleanly", metadata: ["reason": "\(error.reason)"])
        }
    }

    // MARK: - Locking after a time

    /// Notes that the user is active: the time until the node locks itself starts again.
    public func noteUse() {
        lastUse = clock.now
        guard let pause = configuration.autoLock, autoLocking == nil, !isClosed else { return }
        autoLocking = Task { [weak self, clock] in
            while let last = await self?.lastUseIfUnlocked {
                let deadline = last.advanced(by: pause)
                guard (try? await clock.sleep(until: deadline)) != nil else { return }
                await self?.lockIfUnused(since: last)
            }
            await self?.endAutoLocking()
        }
    }

    private var lastUseIfUnlocked: ContinuousClock.Instant? { isClosed ? nil : lastUse }

    private func endAutoLocking() {
        autoLocking = nil
        // The node was unlocked in the same moment.
        if !isClosed { noteUse() }
    }

    private func lockIfUnused(since last: ContinuousClock.Instant) async {
        guard lastUse == last else { return }
        do {
            try await lock()
        } catch {
            // There is no passphrase yet.
            lastUse = clock.now
        }
    }
}
