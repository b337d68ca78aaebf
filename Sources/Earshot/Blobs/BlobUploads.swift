package import ChatCore
package import ChatCrypto
package import MeshCore

/// The pieces of this node's large blobs that peers have requested and not received yet, and the turns of the peers.
///
/// Pieces that a path does not take wait here as numbers, except for the few that were refused. Invariant: at most one
/// batch of a peer is under way. Source: PROTOCOL §5.4.
package struct BlobUploads: Sendable {
    /// A blob that this node has.
    package struct Blob: Equatable, Sendable {
        package let id: BlobID
        /// The file's name in the folder of blobs.
        package let file: String
        package let reference: BlobReference

        package init(id: BlobID, file: String, reference: BlobReference) {
            self.id = id
            self.file = file
            self.reference = reference
        }
    }

    /// The pieces that go to one peer next.
    package struct Batch: Sendable {
        package let peer: PeerID
        /// This node's end of the path on which they were requested.
        package let path: PathLabel
        /// Messages that were sealed already, and refused then.
        package let refused: [PathMessage]
        package let fragments: [(fragment: BlobRequests.Fragment, blob: Blob)]
    }

    private struct Client: Sendable {
        var path: PathLabel
        var requests = BlobRequests()
        var blobs: [[UInt8]: Blob] = [:]
        var refused: [PathMessage] = []
        /// The label of the path that refused a message.
        var blockedBy: PathLabel?
        var isSending = false
        /// The labels that took messages again while a batch was under way.
        var readyLabels: Set<PathLabel> = []
        var nextTelling = MeshInstant.zero

        var hasWork: Bool { !isSending && blockedBy == nil && !(refused.isEmpty && requests.isEmpty) }
        var isIdle: Bool { !isSending && refused.isEmpty && requests.isEmpty }
    }

    private var clients: [PeerID: Client] = [:]
    /// The peers in the order of their turns.
    private var turns: [PeerID] = []
    /// The highest progress that was reported of each blob.
    ///
    /// Peers ask again for lost pieces, and progress never goes back. There are at most as many blobs here as there may
    /// be peers.
    private var reportedByteCounts: [BlobID: UInt64] = [:]

    /// Makes a value without requests.
    package init() {}

    /// Peers that have requested something.
    package var clientCount: Int { clients.count }

    /// Whether something can be sent.
    package var hasWork: Bool { clients.values.contains(where: \.hasWork) }

    /// Returns the number of pieces that wait for a peer.
    package func waitingCount(for peer: PeerID) -> Int { clients[peer]?.requests.waitingCount ?? 0 }

    // MARK: - Requests

    /// Takes a peer's request for ranges of a blob that it may have.
    package mutating func ask(
        _ ranges: [Range<UInt32>],
        of blob: Blob,
        transfer: UInt32,
        by peer: PeerID,
        on path: PathLabel
    ) {
        if clients[peer] == nil {
            if clients.count >= ChatLimits.pathCount {
                guard let idle = turns.first(where: { clients[$0]?.isIdle ?? true }) else { return }
                forget(idle)
            }
            turns.append(peer)
        }
        var client = clients.removeValue(forKey: peer) ?? Client(path: path)
        if client.path != path { client.refused = [] }
        client.path = path
        // The notice that there is room again may have been lost, so a new request ends the wait for it.
        client.blockedBy = nil
        client.blobs[blob.reference.root] = blob
        client.requests.add(ranges, of: blob.reference, transfer: transfer)
        clients[peer] = client
    }

    /// Cancels a transfer that a peer no longer wants.
    package mutating func cancel(_ transfer: UInt32, by peer: PeerID) {
        clients[peer]?.requests.cancel(transfer)
        settle(peer)
    }

    /// Forgets a peer whose path is gone; the peer asks again when there is another.
    package mutating func forget(_ peer: PeerID) {
        clients[peer] = nil
        turns.removeAll { $0 == peer }
    }

    /// Removes a blob that is gone.
    package mutating func remove(_ id: BlobID) {
        reportedByteCounts[id] = nil
        for peer in turns {
            for blob in clients[peer]?.blobs.values.filter({ $0.id == id }) ?? [] {
                clients[peer]?.blobs[blob.reference.root] = nil
                clients[peer]?.requests.remove(blob.reference.root)
            }
            settle(peer)
        }
    }

    // MARK: - Batches

    /// Takes out the next batch; `sent` must follow.
    package mutating func next() -> Batch? {
        guard let index = turns.firstIndex(where: { clients[$0]?.hasWork ?? false }) else { return nil }
        let peer = turns.remove(at: index)
        turns.append(peer)
        guard var client = clients.removeValue(forKey: peer) else { return nil }
        var fragments: [(BlobRequests.Fragment, Blob)] = []
        while fragments.count + client.refused.count < ChatLimits.uploadBatchCount, let fragment = client.requests.first
        {
            client.requests.removeFirst()
            if let blob = client.blobs[fragment.root] { fragments.append((fragment, blob)) }
        }
        let refused = client.refused
        client.refused = []
        client.isSending = true
        client.readyLabels = []
        clients[peer] = client
        return Batch(peer: peer, path: client.path, refused: refused, fragments: fragments)
    }

    /// Notes that a batch was sent, except for what the path refused; returns the progress to report.
    package mutating func sent(
        _ batch: Batch,
        refused: [PathMessage],
        now: MeshInstant
    ) -> (id: BlobID, byteCount: UInt64, total: UInt64)? {
        guard clients[batch.peer] != nil else { return nil }
        clients[batch.peer]?.isSending = false
        if let label = refused.first?.to, clients[batch.peer]?.path == batch.path {
            clients[batch.peer]?.refused = refused
            let isReady = clients[batch.peer]?.readyLabels.contains(label) ?? false
            clients[batch.peer]?.blockedBy = isReady ? nil : label
        }
        defer { settle(batch.peer) }
        guard let (fragment, blob) = batch.fragments.last, clients[batch.peer]?.nextTelling ?? now <= now,
            let chunk = blob.reference.chunk(ofPart: fragment.part)
        else { return nil }
        let count = blob.reference.progress(UInt64(chunk + 1) * UInt64(BlobReference.chunkByteCount))
        guard count > reportedByteCounts[blob.id] ?? 0 else { return nil }
        if reportedByteCounts[blob.id] == nil, reportedByteCounts.count >= ChatLimits.pathCount {
            reportedByteCounts = [:]
        }
        reportedByteCounts[blob.id] = count
        clients[batch.peer]?.nextTelling = now.advanced(by: ChatLimits.progressInterval)
        // The receipt of the message reports the arrival.
        return (blob.id, count, blob.reference.byteCount)
    }

    /// Notes that a label takes messages again.
    package mutating func ready(_ label: PathLabel) {
        for peer in turns {
            if clients[peer]?.blockedBy == label { clients[peer]?.blockedBy = nil }
            if clients[peer]?.isSending == true { clients[peer]?.readyLabels.insert(label) }
        }
    }

    /// Forgets the blobs of a peer once nothing of them waits.
    private mutating func settle(_ peer: PeerID) {
        guard let client = clients[peer], client.requests.isEmpty, !client.isSending else { return }
        clients[peer]?.blobs = [:]
    }
}
