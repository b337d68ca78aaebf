import Bytes
package import ChatCore
package import ChatCrypto
package import MeshCore

/// The downloads of blobs from the peers that have them: the requests to each peer, and their times.
///
/// A value without clock, disk or path: its owner passes in events and carries out the effects. A few blobs are fetched
/// at once; the others wait in the order in which they were expected. A blob whose holders are offline does not block
/// the others. Source: PROTOCOL §5.4.
package struct BlobDownloads: Sendable {
    /// An action for the owner.
    package enum Effect: Equatable, Sendable {
        /// A message to send to a peer by the best path.
        case send(BlobMessage, to: PeerID)
        /// A search for a path to a peer.
        case findPath(PeerID)
        /// The end of the paths to a peer, which bring no answers.
        case abandonPaths(PeerID)
        /// A sealed chunk to write to its place.
        case write([UInt8], chunk: Int, file: String, of: BlobID)
        /// The chunks to record as durable; `noted` or `failed` answers.
        case note(BlobID, file: String, ChunkSet)
        /// A blob of which all chunks are here; `remove` or `failed` answers.
        case finish(BlobID, file: String)
        /// A blob that no peer has that may give it.
        case miss(BlobID)
        /// The progress to report.
        case notify(BlobID, byteCount: UInt64, total: UInt64)
    }

    /// One blob.
    ///
    /// Invariant: it has a fetch and a number while it is one of `active`.
    private struct Download: Sendable {
        let order: BlobOrder
        var holders: BlobHolders
        /// The peer that the blob is fetched from, during a fetch.
        var source: PeerID
        /// The chunks that a crash would leave.
        var durable: ChunkSet
        /// The chunks that are here, while nothing is fetched.
        var chunks: ChunkSet
        var fetch: BlobFetch?
        var transfer: UInt32 = 0
        var isNoting = false
        var isFinishing = false
        var nextNote = MeshInstant.zero
        var nextTelling = MeshInstant.zero
        /// The time before which no request is sent.
        var notBefore = MeshInstant.zero

        init(_ order: BlobOrder, now: MeshInstant) {
            self.order = order
            holders = BlobHolders(order, now: now)
            source = order.peer
            durable = order.chunks
            chunks = order.chunks
        }
    }

    /// One peer that blobs are fetched from.
    private struct Source: Sendable {
        var hasPath = false
        var nextPathSearch = MeshInstant.zero
        /// The wait after the next search for a path; minimal again after a chunk from the peer.
        var pause = ChatLimits.helloInterval
    }

    private let hashing: any BlobHashing
    private var downloads: [BlobID: Download] = [:]
    /// The blobs in the order in which they were expected.
    private var queue: [BlobID] = []
    private var active: [UInt32: BlobID] = [:]
    private var sources: [PeerID: Source] = [:]
    private var nextTransfer: UInt32
    private var pathSearchAllowance = TokenBucket(rate: ChatLimits.pathSearchRate, burst: ChatLimits.pathSearchBurst)
    /// The time at which an inactive download is due.
    private var nextStart = MeshInstant.distantFuture

    /// Makes a value without downloads; `firstTransfer` should be random, so that a restart does not reuse old numbers.
    package init(hashing: any BlobHashing, firstTransfer: UInt32 = .random(in: 0 ... .max)) {
        self.hashing = hashing
        nextTransfer = firstTransfer
    }

    /// Parts that were requested again, because they were late or false.
    package private(set) var retryCount = 0

    /// Blobs that are fetched at the moment.
    package var activeCount: Int { active.count }

    /// Blobs that are not complete yet.
    package var count: Int { downloads.count }

    /// The time at which `tick` has work.
    package var nextDeadline: MeshInstant {
        var deadline = nextStart
        for id in active.values {
            guard let download = downloads[id] else { continue }
            deadline = min(deadline, download.fetch?.nextDeadline ?? .distantFuture)
            if hasProgress(download) { deadline = min(deadline, download.nextNote) }
        }
        return deadline
    }

    private func hasPath(to peer: PeerID) -> Bool { sources[peer]?.hasPath ?? false }

    private func hasProgress(_ download: Download) -> Bool {
        !download.isNoting && (download.fetch?.chunks.count ?? 0) > download.durable.count
    }

    /// The chunks that are here of each blob with chunks that are not durable yet, in order.
    package var unnoted: [(id: BlobID, file: String, chunks: ChunkSet)] {
        queue.compactMap { id in
            guard let download = downloads[id] else { return nil }
            let chunks = download.fetch?.chunks ?? download.chunks
            return chunks.count > download.durable.count ? (id, download.order.file, chunks) : nil
        }
    }

    // MARK: - Blobs

    /// Begins to fetch a blob, or continues.
    package mutating func add(_ order: BlobOrder, now: MeshInstant, into effects: inout [Effect]) {
        guard downloads[order.id] == nil else { return }
        var download = Download(order, now: now)
        // The last run ended before it could report this.
        download.isFinishing = order.chunks.isComplete
        if download.isFinishing { effects.append(.finish(order.id, file: order.file)) }
        downloads[order.id] = download
        queue.append(order.id)
        for holder in download.holders.all where sources[holder] == nil {
            sources[holder] = Source(nextPathSearch: now)
        }
        proceed(now: now, into: &effects)
    }

    /// Gives up a blob, or forgets a finished one.
    package mutating func remove(_ id: BlobID, now: MeshInstant, into effects: inout [Effect]) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        queue.removeAll { $0 == id }
        if download.fetch != nil {
            active[download.transfer] = nil
            effects.append(.send(.cancel(transfer: download.transfer), to: download.source))
        }
        let wanted = Set(downloads.values.flatMap(\.holders.all))
        for holder in download.holders.all where !wanted.contains(holder) { sources[holder] = nil }
        proceed(now: now, into: &effects)
    }

    /// Whether a blob is not complete yet.
    package func contains(_ id: BlobID) -> Bool { downloads[id] != nil }

    /// Whether the chunks of a blob are being made durable; false once the disk has refused one of them.
    package func isNoting(_ id: BlobID) -> Bool { downloads[id]?.isNoting ?? false }

    /// Whether the complete blob is being made durable; false once the disk has refused a part of it.
    package func isFinishing(_ id: BlobID) -> Bool { downloads[id]?.isFinishing ?? false }

    /// Notes that chunks are durable now.
    package mutating func noted(_ id: BlobID, _ chunks: ChunkSet) {
        downloads[id]?.durable = chunks
        downloads[id]?.isNoting = false
    }

    /// Handles an error of the disk: the chunks that are not durable are fetched again later.
    package mutating func failed(_ id: BlobID, now: MeshInstant, into effects: inout [Effect]) {
        guard var download = downloads[id] else { return }
        if download.fetch != nil {
            active[download.transfer] = nil
            effects.append(.send(.cancel(transfer: download.transfer), to: download.source))
        }
        download.fetch = nil
        download.chunks = download.durable
        (download.isNoting, download.isFinishing) = (false, false)
        download.notBefore = now.advanced(by: ChatLimits.fetchPause)
        downloads[id] = download
        proceed(now: now, into: &effects)
    }

    // MARK: - Paths

    /// Notes that there is a path to a peer.
    package mutating func pathOpened(to peer: PeerID, now: MeshInstant, into effects: inout [Effect]) {
        guard sources[peer]?.hasPath == false else { return }
        sources[peer]?.hasPath = true
        proceed(now: now, into: &effects)
    }

    /// Notes that there is no path to a peer any more.
    package mutating func pathLost(to peer: PeerID, now: MeshInstant, into effects: inout [Effect]) {
        guard let source = sources[peer], source.hasPath else { return }
        sources[peer]?.hasPath = false
        // A path by which nothing came is no better than no path.
        let isProven = source.pause == ChatLimits.helloInterval
        sources[peer]?.nextPathSearch = isProven ? now : now.advanced(by: source.pause)
        for id in queue where downloads[id]?.source == peer { rest(id) }
        proceed(now: now, into: &effects)
    }

    /// Notes a sign that a peer may be within reach again.
    package mutating func discovered(_ peer: PeerID, now: MeshInstant, into effects: inout [Effect]) {
        guard sources[peer]?.hasPath == false else { return }
        sources[peer] = Source(nextPathSearch: min(sources[peer]?.nextPathSearch ?? now, now))
        for id in queue where downloads[id]?.fetch == nil { downloads[id]?.holders.prefer(peer, now: now) }
        proceed(now: now, into: &effects)
    }

    /// Notes a new link, by which every peer may be within reach.
    package mutating func linkUp(now: MeshInstant, into effects: inout [Effect]) {
        for peer in sources.keys.sorted() { discovered(peer, now: now, into: &effects) }
    }

    /// Puts a blob back among those that wait.
    private mutating func rest(_ id: BlobID) {
        guard let fetch = downloads[id]?.fetch, let transfer = downloads[id]?.transfer else { return }
        downloads[id]?.chunks = fetch.chunks
        downloads[id]?.fetch = nil
        active[transfer] = nil
    }

    // MARK: - Messages and time

    /// Handles a message of a peer; a message that belongs to no transfer from this peer changes nothing.
    package mutating func receive(
        _ message: BlobMessage,
        from peer: PeerID,
        now: MeshInstant,
        into effects: inout [Effect]
    ) {
        switch message {
        case .fragment(let transfer, _, _, _):
            guard let id = active[transfer], downloads[id]?.source == peer else { return }
            perform(id, now: now, into: &effects) { $0.receive(message, now: now, into: &$1) }
        case .absent(let transfer):
            guard let id = active[transfer], downloads[id]?.source == peer else { return }
            // The path is good. A peer that does not have the blob now may have it after a restart.
            rest(id)
            downloads[id]?.holders.markAbsent(peer, now: now)
            if downloads[id]?.holders.areAllWithout(now: now) == true { effects.append(.miss(id)) }
            proceed(now: now, into: &effects)
        case .get, .cancel: break
        }
    }

    /// Does the work that is due.
    package mutating func tick(now: MeshInstant, into effects: inout [Effect]) {
        for id in active.values.sorted() where downloads[id]?.fetch?.nextDeadline ?? .distantFuture <= now {
            perform(id, now: now, into: &effects) { $0.tick(now: now, into: &$1) }
        }
        for id in active.values.sorted() { note(id, now: now, into: &effects) }
        proceed(now: now, into: &effects)
    }

    /// Searches for missing paths, and begins the fetches that are possible.
    private mutating func proceed(now: MeshInstant, into effects: inout [Effect]) {
        nextStart = .distantFuture
        var wanted: [PeerID: MeshInstant] = [:]
        for id in queue {
            guard let download = downloads[id], download.fetch == nil, !download.isFinishing else { continue }
            let holder = download.holders.all.first { hasPath(to: $0) && download.holders.notBefore($0) <= now }
            if let holder, download.notBefore <= now {
                if active.count < ChatLimits.fetchCount { begin(id, download, from: holder, now: now, into: &effects) }
                continue
            }
            for peer in downloads[id]?.holders.wanted(now: now) ?? [] {
                let start = max(download.notBefore, download.holders.notBefore(peer))
                if hasPath(to: peer) {
                    nextStart = min(nextStart, start)
                } else {
                    wanted[peer] = min(wanted[peer] ?? .distantFuture, start)
                }
            }
            nextStart = min(nextStart, downloads[id]?.holders.turnEnds ?? .distantFuture)
        }
        findPath(for: wanted, now: now, into: &effects)
    }

    /// Searches for paths to the wanted peers, as often as the mesh can bear.
    private mutating func findPath(
        for wanted: [PeerID: MeshInstant],
        now: MeshInstant,
        into effects: inout [Effect]
    ) {
        for (peer, instant) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let source = sources[peer] else { continue }
            let due = max(source.nextPathSearch, instant, pathSearchAllowance.nextToken)
            guard due <= now else {
                nextStart = min(nextStart, due)
                continue
            }
            let next = now.advanced(by: source.pause)
            sources[peer]?.nextPathSearch = next
            sources[peer]?.pause = min(source.pause * 2, ChatLimits.pathSearchPause)
            nextStart = min(nextStart, next)
            pathSearchAllowance.spend(now: now)
            effects.append(.findPath(peer))
        }
    }

    private mutating func begin(
        _ id: BlobID,
        _ download: Download,
        from holder: PeerID,
        now: MeshInstant,
        into effects: inout [Effect]
    ) {
        while active[nextTransfer] != nil { nextTransfer &+= 1 }
        active[nextTransfer] = id
        var download = download
        download.source = holder
        download.transfer = nextTransfer
        download.nextNote = now.advanced(by: ChatLimits.noteInterval)
        download.fetch = BlobFetch(
            download.order.reference,
            transfer: nextTransfer,
            chunks: download.chunks,
            hashing: hashing
        )
        downloads[id] = download
        nextTransfer &+= 1
        perform(id, now: now, into: &effects) { $0.resume(now: now, into: &$1) }
    }

    /// Lets one fetch act, and carries out its answers.
    private mutating func perform(
        _ id: BlobID,
        now: MeshInstant,
        into effects: inout [Effect],
        _ body: (inout BlobFetch, inout [BlobFetch.Effect]) -> Void
    ) {
        guard var fetch = downloads[id]?.fetch, let order = downloads[id]?.order, let source = downloads[id]?.source
        else { return }
        // This lets the fetch change in place instead of being copied.
        downloads[id]?.fetch = nil
        var answers: [BlobFetch.Effect] = []
        let retryCountBefore = fetch.retryCount
        body(&fetch, &answers)
        retryCount += fetch.retryCount - retryCountBefore
        downloads[id]?.fetch = fetch
        for answer in answers {
            switch answer {
            case .send(let message): effects.append(.send(message, to: source))
            case .keep(let chunk, let bytes):
                sources[source]?.pause = ChatLimits.helloInterval
                effects.append(.write(bytes, chunk: chunk, file: order.file, of: id))
                notify(id, now: now, into: &effects)
            case .finished:
                rest(id)
                downloads[id]?.isFinishing = true
                effects.append(.finish(id, file: order.file))
                proceed(now: now, into: &effects)
            case .wantsPath:
                effects.append(.abandonPaths(source))
                pathLost(to: source, now: now, into: &effects)
            }
        }
        note(id, now: now, into: &effects)
    }

    /// Asks at intervals that the present chunks are made durable.
    private mutating func note(_ id: BlobID, now: MeshInstant, into effects: inout [Effect]) {
        guard let download = downloads[id], let fetch = download.fetch, download.nextNote <= now, hasProgress(download)
        else { return }
        downloads[id]?.isNoting = true
        downloads[id]?.nextNote = now.advanced(by: ChatLimits.noteInterval)
        effects.append(.note(id, file: download.order.file, fetch.chunks))
    }

    private mutating func notify(_ id: BlobID, now: MeshInstant, into effects: inout [Effect]) {
        guard let download = downloads[id], let fetch = download.fetch, download.nextTelling <= now,
            !fetch.chunks.isComplete
        else { return }
        downloads[id]?.nextTelling = now.advanced(by: ChatLimits.progressInterval)
        let reference = download.order.reference
        // The last byte is reported when all is durable, never before.
        let byteCount = reference.progress(UInt64(fetch.chunks.count * BlobReference.chunkByteCount))
        effects.append(.notify(id, byteCount: byteCount, total: reference.byteCount))
    }
}
