package import ChatCrypto
package import MeshCore

/// What the transfers of large objects need of conversations: paths, and a durable note of how far they are.
extension ChatEngine {
    // MARK: - Paths

    /// Whether a path to a peer may be opened: to who is talked to, and for files of a group to its other members.
    package func mayOpenPath(to peer: PeerID) -> Bool {
        isAccepted(peer) || trust.mayReceive(from: peer) && trust.maySend(to: peer) && groups.isFellow(peer)
    }

    /// Looks for a path to a peer, or tells that there is one.
    package mutating func lookForPath(to peer: PeerID) {
        guard mayOpenPath(to: peer) else { return }
        guard paths.path(to: peer) == nil else { return step.perform(.transfer(.pathOpened(peer))) }
        // What refuses a hello now may not refuse the next.
        if paths.takeHello(to: peer, now: step.time.monotonic) { try? sayHello(to: peer) }
    }

    /// Shows those who have not got all of a message's large objects where this node is.
    package mutating func offerPaths() {
        let peers = outbox.inOrder.filter { entry in
            !entry.isReceipt && blobs.entries(of: entry.id).contains { $0.isOutgoing && !$0.reference.isSmall }
        }
        for peer in Set(peers.map(\.peer)).sorted().prefix(ChatLimits.offerCount) where paths.path(to: peer) == nil {
            lookForPath(to: peer)
        }
    }

    // MARK: - Objects

    /// The objects with this root that are here and that a peer may ask for: they went to that peer, or stand in a group
    /// that both are in.
    ///
    /// Of those of a group ``mayGive(_:to:in:)`` decides.
    package func heldObjects(_ root: [UInt8], for peer: PeerID) -> [BlobTable.Entry] {
        blobs.held(root).filter { entry in
            guard let group = entry.group else {
                return entry.peer == peer || trust.isSuccessor(peer, of: entry.peer)
            }
            return groups.membership(group)?.log.member(peer) != nil
        }
    }

    /// Whether files that somebody sends to a conversation are fetched: nothing of a stranger's, but what the members of
    /// a group send there.
    func wantsFiles(of peer: PeerID, in conversation: ConversationID) -> Bool {
        switch conversation {
        case .direct: isAccepted(peer)
        case .group(let group), .room(let group): trust.mayReceive(from: peer) && groups.membership(group) != nil
        }
    }

    /// Whether a peer may have something large that is to be fetched.
    func isFetching(from peer: PeerID) -> Bool {
        blobs.isFetching(from: peer)
            || blobs.fetchingGroups.contains { groups.membership($0)?.log.member(peer) != nil }
    }

    /// Has an object fetched from its sender or, in a group, from whichever member has it: those heard last first.
    mutating func fetch(_ entry: BlobTable.Entry) {
        guard var order = entry.order else { return }
        let holders = entry.isPulled ? holders(of: entry) : nil
        if let first = holders?.first {
            order.peer = first
            order.others = Array(holders?.dropFirst() ?? [])
        } else if let group = entry.group {
            order.others = fellows(in: group).filter { $0 != entry.peer }
        }
        step.perform(.transfer(.fetch(order)))
    }

    /// The other members of a group, those heard last in front.
    func fellows(in group: GroupID) -> [PeerID] {
        let members = groups.membership(group)?.recipients.map(\.identity.id) ?? []
        let byTime = members.map { (lastSeen: peers[$0]?.lastSeen ?? 0, id: $0) }
        return byTime.sorted { ($1.lastSeen, $0.id) < ($0.lastSeen, $1.id) }.map(\.id)
    }

    /// Notes durably which chunks of an object are in its file.
    package mutating func noteChunks(_ chunks: ChunkSet, of id: BlobID) {
        blobs.note(chunks, of: id)
        guard let entry = blobs[id], entry.order != nil else { return }
        step.put(.blobs, id.name, entry.record)
    }

    /// The bytes of an object turned out to be others: all of it is fetched again.
    package mutating func fetchAnew(_ id: BlobID) {
        guard var entry = blobs[id], entry.order != nil else { return }
        entry.pieces = entry.noPieces
        entry.isOverdue = false
        blobs.set(entry)
        step.put(.blobs, id.name, entry.record)
        if entry.order != nil { fetch(entry) }
    }

    /// An object is here: tells it, and lets the receipt go if it was the last.
    package mutating func completeFile(_ id: BlobID) throws {
        guard var entry = blobs[id], entry.order != nil else { return }
        entry.pieces = nil
        blobs.set(entry)
        step.put(.blobs, id.name, entry.record)
        try tellProgress(of: entry)
        // It took long, and its sender waits for nothing else: no receipt that could join this one is worth a wait.
        guard !blobs.isIncomplete(id.message) else { return }
        let now = step.time.monotonic
        if entry.group == nil { owed.release(entry.peer, at: now) } else { groups.owed.release(entry.peer, at: now) }
    }

    /// Gives up a file of a message that is not here yet.
    package mutating func cancelFile(
        _ index: Int,
        of message: MessageID
    ) throws {
        let files = try self.message(message)?.files ?? []
        guard files.indices.contains(index) else {
            throw ChatError(.notFound, "There is no message with this id, or it has no such file.")
        }
        guard let entry = blobs[BlobID(message: message, index: index)], !entry.isOutgoing, !entry.isComplete else {
            throw ChatError(.notFound, "'\(files[index].name)' is not on its way.")
        }
        giveUp(entry, .cancelled)
        if !blobs.isIncomplete(message) { try confirmComplete(message, to: entry.peer) }
    }

    /// Gives up what has not become whole for long; its sender has given up too.
    mutating func expireFiles() throws {
        guard step.time.wall >= ChatLimits.fileAge else { return }
        for entry in blobs.incomplete(since: step.time.wall - ChatLimits.fileAge) where !step.isFull {
            giveUp(entry, .expired)
            guard !blobs.isIncomplete(entry.id.message) else { continue }
            owed.drop(entry.id.message, to: entry.peer)
            groups.owed.drop(entry.id.message, to: entry.peer)
            step.delete(.owed, entry.id.message.bytes)
        }
    }

    mutating func giveUp(
        _ entry: BlobTable.Entry,
        _ reason: FileFailure
    ) {
        blobs.remove(entry.id)
        step.delete(.blobs, entry.id.name)
        step.deleteBlob(entry.file)
        step.perform(.transfer(.drop(entry.id, file: entry.file)))
        guard entry.id.index != BlobID.longTextIndex else { return }
        step.perform(.tell(.fileFailed(entry.id.message, file: entry.id.index, reason)))
    }
}
