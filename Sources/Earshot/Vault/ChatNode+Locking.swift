public import ChatCore
import Logging
import MeshCore

/// A node that is locked: its home is closed, its place in the mesh is kept.
extension ChatNode {
    /// Whether the node is locked.
    public var isLocked: Bool { lockedFace != nil }

    /// Whether there is nothing to work on: the node was stopped or is locked.
    var isClosed: Bool { isStopped || isLocked }

    /// Closes the home: keys, sessions, names and history leave memory.
    ///
    /// The node goes on to relay and to carry for others. What comes for it stays sealed in the mesh's store, as at a node
    /// that is off, and is taken when it is unlocked. Ephemeral rooms end here.
    ///
    /// - Throws: `noPassphrase` where nothing could unlock it.
    public func lock() async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard !isLocked else { return }
        guard home?.key.hasPassphrase == true else {
            throw ChatError(.noPassphrase, "This node has no passphrase to unlock it with: set one first.")
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

    /// Opens the home of a locked node, and takes what came meanwhile.
    ///
    /// - Parameter passphrase: The home's.
    /// - Throws: `locked` for a wrong passphrase, or what keeps the home from being opened.
    public func unlock(passphrase: String) async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        guard isLocked, let home else { return }
        guard locking == nil else { throw ChatError(.locked, "The node is being locked: try again in a moment.") }
        var settings = configuration
        settings.passphrase = passphrase
        let opened = try NodeOpening(settings, home)
        registry = try RoomRegistry(restoring: opened, configuration, mesh, mediaSpace, after: registry)
        lockedFace = nil
        // From here on, so that opening a large home does not count as being away.
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

    /// Takes what the mesh holds that came while nobody could open it: who is there, and what is sealed.
    private func recallAll() async {
        for kind in [EnvelopeKind.bundle, .prekey, .sealed, .room] {
            let envelopes = await mesh.storedEnvelopes(kind, startingWith: [[]])
            await account.recall(envelopes)
            for room in registry.accounts { await room.recall(envelopes) }
        }
    }

    /// Closes the home but for its lock, and forgets everything that was read of it.
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

    // MARK: - After a time

    /// Tells that the user is there: the time until the node locks itself begins anew.
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
        // Unlocked in the same moment.
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
