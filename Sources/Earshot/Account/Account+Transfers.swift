import ChatCore
import ChatCrypto
import MeshCore
import MeshTransport

/// The transfers of large blobs: their files, their paths, and engine steps for what has to be durable.
extension Account {
    // MARK: - Events

    /// Handles the effects that concern transfers alone, and returns the others.
    ///
    /// It takes no step: pieces arrive by the thousand, and nothing but their bytes is stored.
    func takeTransfers(_ arrived: [MeshEffect]) -> [MeshEffect] {
        var effects: [BlobDownloads.Effect] = []
        var isLinked = false
        let now = now().monotonic
        let rest = arrived.filter { effect in
            switch effect {
            case .pathMessage(let message):
                guard let (peer, path, content) = steps.paths.openBlob(message, now: now) else { return true }
                guard engine.mayOpenPath(to: peer) else { return false }
                if content.isBulk { transfers.statistics.count { $0.receivedByteCount += message.payload.count } }
                take(content, from: peer, on: path, now: now, into: &effects)
                return false
            case .pathReady(let label):
                transfers.uploads.ready(label)
                return false
            case .pathRefused(let label): return steps.paths.peer(at: label) != nil
            case .linkUp:
                isLinked = true
                return true
            default: return true
            }
        }
        if isLinked {
            transfers.downloads.linkUp(now: now, into: &effects)
            perform { engine in engine.offerPaths() }
        }
        proceed(effects)
        return rest
    }

    /// Handles a transfer event of a step.
    func take(_ event: TransferEvent) {
        var effects: [BlobDownloads.Effect] = []
        let now = now().monotonic
        switch event {
        case .fetch(let order): transfers.downloads.add(order, now: now, into: &effects)
        case .drop(let id, let file):
            if transfers.downloads.contains(id), !transfers.downloads.isFinishing(id) {
                transfers.statistics.count { $0.givenUp += 1 }
            }
            transfers.downloads.remove(id, now: now, into: &effects)
            transfers.uploads.remove(id)
            transfers.close(file)
        case .pathOpened(let peer): transfers.downloads.pathOpened(to: peer, now: now, into: &effects)
        case .pathLost(let peer):
            transfers.downloads.pathLost(to: peer, now: now, into: &effects)
            transfers.uploads.forget(peer)
        case .discovered(let peer): transfers.downloads.discovered(peer, now: now, into: &effects)
        case .message(let message, let peer, let path):
            take(message, from: peer, on: path, now: now, into: &effects)
        }
        proceed(effects)
    }

    private func take(
        _ message: BlobMessage,
        from peer: PeerID,
        on path: PathLabel,
        now: MeshInstant,
        into effects: inout [BlobDownloads.Effect]
    ) {
        switch message {
        case .get(let transfer, let root, let ranges):
            guard let entry = blob(root, for: peer),
                (try? blobs.completeHashes(of: entry.reference, in: entry.file)) != nil
            else { return send(.absent(transfer: transfer), on: path) }
            steps.markOpened(entry.id.message)
            let blob = BlobUploads.Blob(id: entry.id, file: entry.file, reference: entry.reference)
            transfers.uploads.ask(ranges, of: blob, transfer: transfer, by: peer, on: path)
        case .cancel(let transfer): transfers.uploads.cancel(transfer, by: peer)
        case .fragment, .absent: transfers.downloads.receive(message, from: peer, now: now, into: &effects)
        }
    }

    /// Returns the blob with this root, if it is here and the peer may fetch it.
    ///
    /// The permission is determined once for each peer, blob and epoch.
    private func blob(_ root: [UInt8], for peer: PeerID) -> BlobTable.Entry? {
        engine.heldBlobs(root, for: peer).first { entry in
            let epoch = entry.group.flatMap { engine.groups.membership($0)?.log.epoch } ?? 0
            return transfers.isGranted(BlobTransfers.Grant(peer: peer, blob: entry.id, epoch: epoch)) {
                let mayShare = try? read { engine in
                    try engine.mayShare(entry, to: peer)
                }
                return mayShare ?? false
            }
        }
    }

    private func send(_ message: BlobMessage, on path: PathLabel) {
        // A refused request is made again when its answer is late.
        if let message = steps.paths.seal(message, on: path) { submit([.sendOnPath(message)]) }
    }

    // MARK: - Effects

    private func proceed(_ effects: [BlobDownloads.Effect]) {
        for effect in effects { carryOut(effect) }
        transfers.startWriting(in: environment) { [weak self] chunk, error in
            await self?.fail(chunk.id, chunk.name, ChatError(error))
        }
        upload()
        scheduleTransfers()
        let (running, all, retries) = (
            transfers.downloads.activeCount, transfers.downloads.count, transfers.downloads.retryCount
        )
        transfers.statistics.count { counts in
            (counts.running, counts.waiting, counts.retries) = (running, all - running, retries)
        }
    }

    private func carryOut(_ effect: BlobDownloads.Effect) {
        switch effect {
        case .send(let message, let peer):
            guard let path = steps.paths.bestPath(to: peer) else { return take(.pathLost(peer)) }
            send(message, on: path)
        case .findPath(let peer): perform { engine in engine.findPath(to: peer) }
        case .abandonPaths(let peer):
            steps.paths.abandonAll(to: peer)
            transfers.uploads.forget(peer)
        case .write(let bytes, let chunk, let file, let id):
            do {
                try transfers.keep(bytes, chunk: chunk, file: file, of: id, in: blobs)
            } catch {
                fail(id, file, ChatError(error))
            }
        case .note(let id, let file, let chunks):
            environment.run { [weak self] in await self?.note(chunks, of: id, file) }
        case .finish(let id, let file):
            environment.run { [weak self] in await self?.finish(id, file) }
        case .miss(let id): perform { engine in try engine.missFile(id) }
        case .notify(let id, let byteCount, let total):
            guard id.index != BlobID.longTextIndex, let blob = engine.attachments.blobs[id] else { return }
            notifyProgress(of: blob, byteCount: byteCount, total: total)
        }
    }

    // MARK: - Durability

    private func note(_ chunks: ChunkSet, of id: BlobID, _ file: String) async {
        await transfers.writing?.value
        guard transfers.downloads.isNoting(id) else { return }
        do {
            try await blobs.flush(file)
            guard !isClosed else { return }
            try await transact { engine in try engine.noteChunks(chunks, of: id) }
            transfers.downloads.noted(id, chunks)
        } catch {
            fail(id, file, ChatError(error))
        }
    }

    private func finish(_ id: BlobID, _ file: String) async {
        await transfers.writing?.value
        guard transfers.downloads.isFinishing(id) else { return }
        do {
            if let blob = engine.attachments.blobs[id], blob.group != nil {
                // Other members may ask for it, and for its hashes first.
                guard try await blobs.addHashes(of: blob.reference, to: file) else {
                    take(.drop(id, file: file))
                    return try await transact { engine in try engine.fetchAnew(id) }
                }
            }
            try await blobs.flush(file)
            guard !isClosed else { return }
            try await transact { engine in try engine.completeFile(id) }
            transfers.statistics.count { $0.finished += 1 }
            take(.drop(id, file: file))
        } catch {
            fail(id, file, ChatError(error))
        }
    }

    private func fail(_ id: BlobID, _ file: String, _ error: ChatError) {
        var effects: [BlobDownloads.Effect] = []
        transfers.downloads.failed(id, now: now().monotonic, into: &effects)
        transfers.close(file)
        transfers.statistics.count { $0.failed += 1 }
        guard !isClosed else { return }
        report(error)
        proceed(effects)
    }

    /// Records the chunks that are here, so that the next start continues from them.
    func endTransfers() async {
        transfers.timer?.work.cancel()
        await transfers.writing?.value
        for (id, file, chunks) in transfers.downloads.unnoted where (try? blobs.synchronize(file)) != nil {
            try? steps.step(at: now()) { engine in try engine.noteChunks(chunks, of: id) }
        }
    }

    // MARK: - Uploads

    private func upload() {
        guard !transfers.isUploading, transfers.uploads.hasWork, !isClosed else { return }
        transfers.isUploading = true
        environment.run { [weak self] in await self?.uploadAll() }
    }

    /// Sends batches on the paths that take them, until none does.
    private func uploadAll() async {
        while !isClosed, let batch = transfers.uploads.next() {
            let messages = batch.refused + seal(batch)
            let takenCount = await mesh.send(messages)
            transfers.statistics.count { counts in
                for message in messages.prefix(takenCount) where message.isBulk {
                    counts.sentByteCount += message.payload.count
                }
            }
            let refused = Array(messages.dropFirst(takenCount))
            guard let (id, byteCount, total) = transfers.uploads.sent(batch, refused: refused, now: now().monotonic),
                id.index != BlobID.longTextIndex, let blob = engine.attachments.blobs[id], blob.isOutgoing
            else { continue }
            notifyProgress(of: blob, byteCount: byteCount, total: total)
        }
        transfers.isUploading = false
    }

    private func notifyProgress(of blob: BlobTable.Entry, byteCount: UInt64, total: UInt64) {
        let (conversation, id) = (engine.conversationID(of: blob), blob.id)
        notify(.progress(conversation, id.message, file: id.index, byteCount: byteCount, total: total))
    }

    private func seal(_ batch: BlobUploads.Batch) -> [PathMessage] {
        batch.fragments.compactMap { fragment, blob in
            if let message = transfers.read(fragment, of: blob, in: blobs) {
                return steps.paths.seal(message, on: batch.path)
            }
            // The file is gone or damaged.
            transfers.uploads.cancel(fragment.transfer, by: batch.peer)
            return steps.paths.seal(.absent(transfer: fragment.transfer), on: batch.path)
        }
    }

    // MARK: - Time

    private func scheduleTransfers() {
        let deadline = transfers.downloads.nextDeadline
        guard isStarted, !isClosed, deadline < transfers.timer?.deadline ?? .distantFuture else { return }
        transfers.timer?.work.cancel()
        let work = environment.schedule(at: moment(deadline)) { [weak self] in await self?.wakeTransfers() }
        transfers.timer = (deadline, work)
    }

    private func wakeTransfers() {
        transfers.timer = nil
        guard !isClosed else { return }
        var effects: [BlobDownloads.Effect] = []
        transfers.downloads.tick(now: now().monotonic, into: &effects)
        proceed(effects)
    }

    /// Runs a step in the background; a failure is reported and does no harm.
    private func perform(_ body: @escaping @Sendable (inout ChatEngine) throws -> Void) {
        environment.run { [weak self] in await self?.take(body) }
    }

    private func take(_ body: @Sendable (inout ChatEngine) throws -> Void) async {
        guard !isClosed else { return }
        do {
            try await transact(body)
        } catch {
            report(error)
        }
    }
}
