package import ChatCrypto

/// The files and long texts of messages: kept, expected, fetched, and given up.
///
/// The mesh stores small attachments in pieces for offline peers. Paths carry large ones. Paths also carry small ones
/// that the user requests or that had to wait for room, because their senders no longer wait for a receipt. Times are
/// in milliseconds since 1970. Source: PROTOCOL §5.4.
package struct Attachments: Sendable {
    /// All attachments, by their ids.
    package private(set) var blobs = BlobTable()
    private var effects: [AttachmentEffect] = []

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [AttachmentEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: - Keeping

    /// Restores the record of an attachment.
    mutating func restore(_ record: ProtoBlobRecord, at wall: UInt64) {
        guard var entry = BlobTable.Entry(record) else { return }
        // Records of earlier versions have no time.
        if entry.since == 0 { entry.since = wall }
        blobs.set(entry)
    }

    /// Shares the room of a data directory.
    package mutating func join(_ share: MediaQuotaShare) { blobs.share = share }

    /// Keeps an attachment whose file is in the directory already.
    ///
    /// - Parameter isImported: Whether it was sealed again here, under a key that its message does not name.
    package mutating func keep(
        _ blob: SealedFile,
        as id: BlobID,
        in conversation: ConversationID,
        from sender: PeerID,
        isOutgoing: Bool = true,
        isImported: Bool = false
    ) {
        let peer = if case .direct(let peer) = conversation { peer } else { sender }
        let entry = BlobTable.Entry(
            id: id,
            peer: peer,
            group: conversation.group,
            isOutgoing: isOutgoing,
            file: blob.file,
            reference: blob.reference.reference,
            key: isImported ? blob.reference.key : nil
        )
        keep(entry)
    }

    private mutating func keep(_ entry: BlobTable.Entry) {
        blobs.set(entry)
        effects.append(.put(entry))
    }

    // MARK: - Expecting

    /// Expects the attachments of a message in the history, unless they are here already.
    ///
    /// The receipt of the message waits for them: until it arrives, their sender spreads the small ones and keeps the
    /// large ones.
    mutating func expect(_ record: ProtoMessageRecord, from peer: PeerID, among sources: some AttachmentSources) {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID,
            sources.wantsFiles(of: peer, in: conversation.group), blobs.entries(of: id).isEmpty,
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body, !text.attachments.isEmpty
        else { return }
        let missing = text.attachments.filter { index, _ in index != BlobID.longTextIndex || record.longText.isEmpty }
        let files = missing.filter { $0.index != BlobID.longTextIndex }
        if blobs.hasPlaces(for: missing.count) {
            // A long text is no file: it moves into its message.
            let hasCapacity = files.isEmpty || blobs.reserveSpace(for: files.map(\.reference.reference.byteCount))
            for (index, file) in missing {
                let waits = !hasCapacity && index != BlobID.longTextIndex
                let entry = BlobTable.Entry(
                    id: BlobID(message: id, index: index),
                    peer: peer,
                    group: conversation.group,
                    isOutgoing: false,
                    file: randomBytes(16).hex,
                    reference: file.reference,
                    isPulled: waits,
                    isParked: waits
                )
                expect(entry, among: sources)
            }
        } else {
            for (index, _) in files {
                effects.append(.failed(BlobID(message: id, index: index), in: conversation, .noRoom))
            }
        }
        guard blobs.isIncomplete(id) else { return effects.append(.completed(id)) }
        effects.append(.waits(id))
        let tags = blobs.waitingTags(of: id)
        guard !tags.isEmpty else { return }
        effects.append(.recall(tags: tags))
        // Pieces that many want come by themselves.
        let isForMany = conversation.group.map { sources.spreadsToAll($0) } ?? false
        if !isForMany { effects.append(.fetchPieces(tags: tags)) }
    }

    /// Expects an attachment of which nothing is here.
    private mutating func expect(_ blob: BlobTable.Entry, among sources: some AttachmentSources) {
        var entry = blob
        entry.fragments = entry.noFragments
        entry.since = sources.time.wall
        keep(entry)
        if entry.isParked {
            effects.append(.missed(entry, .noRoom))
        } else {
            fetch(entry, among: sources)
        }
    }

    // MARK: - Pieces

    /// Accepts a piece of an expected attachment; any other piece changes nothing.
    ///
    /// - Parameter isFar: Whether it came by a mailbox.
    mutating func receive(
        _ body: [UInt8],
        isFar: Bool,
        among sources: some AttachmentSources,
        in snapshot: some Snapshot
    ) {
        guard let fragment = ChunkFragment(decoding: body) else { return }
        for id in blobs.waiting(for: fragment.label.tag) {
            take(fragment, of: id, isFar: isFar, among: sources, in: snapshot)
        }
    }

    private mutating func take(
        _ fragment: ChunkFragment,
        of id: BlobID,
        isFar: Bool,
        among sources: some AttachmentSources,
        in snapshot: some Snapshot
    ) {
        guard var entry = blobs[id], var fragments = entry.fragments,
            sources.wantsFiles(of: entry.peer, in: entry.group), !fragments.contains(Int(fragment.index)),
            fragment.isGenuine(of: entry.reference)
        else { return }
        // Any member of a group can forge pieces: they do not count if a path brings the attachment. Of a sender in
        // another mesh no path may bring it.
        guard
            !entry.isOverdue || entry.group == nil || isFar && !sources.isReachable(entry.peer)
                || !isNear(entry, among: sources)
        else { return }
        effects.append(.write(fragment.bytes, at: ChunkFragment.offset(Int(fragment.index)), file: entry.file))
        fragments.insert(Int(fragment.index))
        entry.fragments = fragments
        let bytes = fragments.isComplete ? Self.sealed(entry, with: fragment, in: snapshot) : []
        if fragments.isComplete {
            // The sender, or in a group any member, knows the root and can make pieces of other bytes.
            entry.fragments = entry.reference.names(bytes) ? nil : entry.noFragments
        }
        keep(entry)
        if entry.isComplete, entry.isOverdue { effects.append(.transfer(.drop(id, file: entry.file))) }
        notifyProgress(of: entry) { bytes }
    }

    /// Reads the sealed bytes of an attachment, with a piece that is not in its file yet.
    private static func sealed(_ entry: BlobTable.Entry, with fragment: ChunkFragment?, in snapshot: some Snapshot)
        -> [UInt8]
    {
        let count = Int(entry.reference.sealedByteCount)
        var bytes = snapshot.prefix(ofBlob: entry.file, count: count)
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        if let fragment {
            let start = Int(ChunkFragment.offset(Int(fragment.index)))
            bytes.replaceSubrange(start..<(start + fragment.bytes.count), with: fragment.bytes)
        }
        return bytes
    }

    /// Reports the bytes of an attachment that are here, and the effects of a complete one.
    ///
    /// - Parameter sealed: Reads its sealed bytes once it is complete.
    private mutating func notifyProgress(of entry: BlobTable.Entry, sealed: () -> [UInt8]) {
        let message = entry.id.message
        if entry.isComplete {
            effects.append(.arrived(entry))
            effects.append(.endFetch(tag: ChunkLabel.tag(root: entry.reference.root)))
        }
        if !entry.id.isLongText {
            let count = UInt64((entry.fragments?.count ?? 0) * entry.fragmentByteCount)
            // The last byte is reported only after the check of the whole.
            let byteCount = entry.isComplete ? entry.reference.byteCount : entry.reference.progress(count)
            effects.append(.progress(entry, byteCount: byteCount))
        } else if entry.isComplete {
            drop(entry)
            effects.append(.longText(sealed(), message))
        }
        if !blobs.isIncomplete(message) { effects.append(.completed(message)) }
    }

    // MARK: - Fetching

    /// Resumes the attachments that were in transfer when the node stopped.
    mutating func resume(among sources: some AttachmentSources) {
        let tags = blobs.waitingTags
        if !tags.isEmpty { effects += [.recall(tags: tags), .fetchPieces(tags: tags)] }
        for entry in blobs.incompleteLarge { fetch(entry, among: sources) }
    }

    /// Fetches a file that the user requests, as ``BlobTable/request(_:of:in:)`` returns it.
    mutating func fetch(_ wanted: BlobTable.Entry, named name: String, among sources: some AttachmentSources) throws {
        guard !holders(of: wanted, among: sources).isEmpty else {
            throw ChatError(.notHere, "No peer has '\(name)' any more. Ask its sender to send it again.")
        }
        guard blobs.reserveSpace(for: [wanted.reference.byteCount]) else { throw blobs.noRoom }
        expect(wanted, among: sources)
    }

    /// Returns the attachments that wait for room, in the order in which they were expected.
    mutating func takeParked() -> [BlobTable.Entry] { blobs.takeParked() }

    /// Fetches an attachment that has waited for room, if there is some.
    mutating func unpark(_ parked: BlobTable.Entry, among sources: some AttachmentSources) {
        guard blobs.reserveSpace(for: [parked.reference.byteCount]) else { return }
        var entry = parked
        entry.isParked = false
        keep(entry)
        fetch(entry, among: sources)
    }

    /// Fetches attachments along paths whose pieces are overdue, if a peer that has them is reachable.
    ///
    /// A piece that arrived before its message may have been removed from the mesh's store, and is spread again only
    /// after ``ChatLimits/spreadAge``. Pieces that still arrive count.
    mutating func fetchOverdue(among sources: some AttachmentSources) {
        let wall = sources.time.wall
        guard wall >= ChatLimits.fragmentPatience else { return }
        var isNear: [ConversationID: Bool] = [:]
        var count = 0
        for var entry in blobs.overdue(since: wall - ChatLimits.fragmentPatience)
        where count < ChatLimits.overdueCount {
            let place = entry.group.map(ConversationID.group) ?? .direct(entry.peer)
            let near = isNear[place] ?? self.isNear(entry, among: sources)
            isNear[place] = near
            guard near, sources.wantsFiles(of: entry.peer, in: entry.group) else { continue }
            entry.isOverdue = true
            blobs.set(entry)
            fetch(entry, among: sources)
            count += 1
        }
    }

    /// Asks the nodes that keep missing pieces for them, again and again in ever longer intervals.
    mutating func fetchPiecesAgain(among sources: some AttachmentSources) {
        let wall = sources.time.wall
        var tags: Set<[UInt8]> = []
        for var entry in blobs.overdue(at: wall) where sources.wantsFiles(of: entry.peer, in: entry.group) {
            let pause = min(ChatLimits.fragmentPatience << UInt64(entry.fetchCount), ChatLimits.longestFetchPause)
            entry.fetchCount = min(entry.fetchCount + 1, ChatLimits.largestFetchCount)
            entry.fetchDue = wall + pause
            blobs.set(entry)
            tags.insert(ChunkLabel.tag(root: entry.reference.root))
        }
        if !tags.isEmpty { effects.append(.fetchPieces(tags: tags.sorted { $0.lexicographicallyPrecedes($1) })) }
    }

    /// Fetches a whole attachment again after its bytes turned out to be wrong.
    mutating func fetchAnew(_ id: BlobID, among sources: some AttachmentSources) {
        guard var entry = blobs[id], entry.order != nil else { return }
        entry.fragments = entry.noFragments
        entry.isOverdue = false
        keep(entry)
        fetch(entry, among: sources)
    }

    /// Fetches an attachment from its sender or, in a group, from any member that has it, the most recently seen first.
    private mutating func fetch(_ entry: BlobTable.Entry, among sources: some AttachmentSources) {
        guard var order = entry.order else { return }
        let holders = entry.isPulled ? holders(of: entry, among: sources) : []
        if let first = holders.first {
            order.peer = first
            order.others = Array(holders.dropFirst())
        } else if let group = entry.group {
            order.others = sources.groupMembers(in: group).filter { $0 != entry.peer }
        }
        effects.append(.transfer(.fetch(order)))
    }

    /// Lists the peers that may have an attachment: its sender; in a group then the attesters of its message and all
    /// other members.
    private func holders(of entry: BlobTable.Entry, among sources: some AttachmentSources) -> [PeerID] {
        guard let group = entry.group else { return sources.mayOpenPath(to: entry.peer) ? [entry.peer] : [] }
        let members = sources.groupMembers(in: group)
        var holders: [PeerID] = []
        for peer in [entry.peer] + sources.attesters(of: entry.id.message) + members
        where members.contains(peer) && !holders.contains(peer) && sources.mayOpenPath(to: peer) {
            holders.append(peer)
        }
        return holders
    }

    /// Whether a peer that may have an attachment is reachable.
    private func isNear(_ entry: BlobTable.Entry, among sources: some AttachmentSources) -> Bool {
        (entry.group.map(sources.groupMembers) ?? [entry.peer]).contains { sources.isReachable($0) }
    }

    // MARK: - Reports of the transfers

    /// Notes which chunks of an attachment are in its file.
    mutating func note(_ chunks: ChunkSet, of id: BlobID) {
        blobs.note(chunks, of: id)
        guard let entry = blobs[id], entry.order != nil else { return }
        effects.append(.put(entry))
    }

    /// Notes that an attachment is complete.
    mutating func complete(_ id: BlobID, in snapshot: some Snapshot) {
        guard var entry = blobs[id], entry.order != nil else { return }
        entry.fragments = nil
        keep(entry)
        notifyProgress(of: entry) { Self.sealed(entry, with: nil, in: snapshot) }
        // The transfer took long, and the sender waits for nothing else: no receipt that could join this one is worth a
        // delay.
        guard !blobs.isIncomplete(id.message) else { return }
        effects.append(.releaseReceipts(entry.peer, isMember: entry.group != nil))
    }

    /// Gives up an attachment that the user requested and that none of its holders has.
    mutating func miss(_ id: BlobID) {
        guard let entry = blobs[id], entry.isPulled, entry.order != nil else { return }
        giveUp(entry, .gone)
    }

    // MARK: - Giving up

    /// Gives up one file of a message that is not complete yet.
    mutating func cancel(_ index: Int, of message: MessageID, with files: [MessageFile]) throws {
        guard files.indices.contains(index) else { throw BlobTable.noSuchFile }
        guard let entry = blobs[BlobID(message: message, index: index)], !entry.isOutgoing, !entry.isComplete else {
            throw ChatError(.notFound, "'\(files[index].name)' is not being fetched.")
        }
        giveUp(entry, .cancelled)
        if !blobs.isIncomplete(message) { effects.append(.completed(message)) }
    }

    /// Lists the attachments that have been incomplete for too long: their senders have given up too.
    func expired(at wall: UInt64) -> [BlobTable.Entry] {
        wall >= ChatLimits.fileAge ? blobs.incomplete(since: wall - ChatLimits.fileAge) : []
    }

    /// Gives up an attachment that has been incomplete for too long.
    mutating func expire(_ entry: BlobTable.Entry) {
        giveUp(entry, .expired)
        guard !blobs.isIncomplete(entry.id.message) else { return }
        effects.append(.expired(entry.id.message))
    }

    private mutating func giveUp(_ entry: BlobTable.Entry, _ reason: FileFailure) {
        drop(entry)
        guard !entry.id.isLongText else { return }
        effects.append(.missed(entry, reason))
    }

    /// Forgets the attachments of a message whose content is removed.
    mutating func forget(_ message: MessageID, isOutgoing: Bool) {
        let isIncomplete = blobs.isIncomplete(message)
        for entry in blobs.entries(of: message) { drop(entry) }
        if isIncomplete, !isOutgoing { effects.append(.completed(message)) }
    }

    /// Removes the long text of a message and returns it, so that the caller drops it.
    mutating func takeLongText(of message: MessageID) -> BlobTable.Entry? {
        blobs.remove(BlobID(message: message, index: BlobID.longTextIndex))
    }

    /// Removes the attachments of a conversation and returns them, so that the caller drops them.
    mutating func takeAll(of conversation: ConversationID) -> [BlobTable.Entry] { blobs.removeAll(of: conversation) }

    private mutating func drop(_ entry: BlobTable.Entry) {
        blobs.remove(entry.id)
        effects.append(.drop(entry))
    }
}
