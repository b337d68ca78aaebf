package import ChatCrypto

/// The attachments of messages that are on this disk, or on their way to it.
package struct BlobTable: Sendable {
    private var entries: [BlobID: Entry] = [:]
    private var waiting: [[UInt8]: [BlobID]] = [:]
    /// The attachments that peers may request by their roots; more than one for a root only if a sealed object was sent
    /// twice.
    private var held: [[UInt8]: [BlobID]] = [:]
    /// The number of large attachments missing from each peer.
    private var missing: [PeerID: Int] = [:]
    /// The number of large attachments missing in each group.
    private var missingInGroups: [GroupID: Int] = [:]

    /// The number of attachments that wait for room.
    private var parkedCount = 0
    /// Whether a waiting attachment may have room now.
    private(set) var mayUnpark = false

    /// The part of the data directory's room that this table takes; nil if it has all of ``ChatLimits/blobByteCount``.
    package var share: MediaQuotaShare? {
        didSet { publish() }
    }

    /// The size of all attachments, including their missing parts, except those that wait for room.
    ///
    /// Units: bytes.
    package private(set) var byteCount: UInt64 = 0

    package var count: Int { entries.count }

    /// The files of all attachments.
    package var files: Set<String> { Set(entries.values.map(\.file)) }

    /// The tags of missing pieces, in order.
    var waitingTags: [[UInt8]] { waiting.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    /// Returns the tags of missing pieces of a message's attachments, in order.
    func waitingTags(of message: MessageID) -> [[UInt8]] {
        let waiting = entries(of: message).filter(\.waitsForFragments)
        return Set(waiting.map { ChunkLabel.tag(root: $0.reference.root) }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    package subscript(id: BlobID) -> Entry? { entries[id] }

    /// Returns the attachments that miss pieces with this tag; more than one only if a peer sent one object twice.
    func waiting(for tag: [UInt8]) -> [BlobID] { waiting[tag] ?? [] }

    /// Returns the attachments with this root that peers may request.
    func held(_ root: [UInt8]) -> [Entry] { held[root, default: []].compactMap { entries[$0] } }

    /// Whether a large attachment of a peer is yet to be fetched.
    func isFetching(from peer: PeerID) -> Bool { missing[peer] != nil }

    /// The groups with a large attachment yet to be fetched.
    var fetchingGroups: Dictionary<GroupID, Int>.Keys { missingInGroups.keys }

    /// The attachments yet to be fetched, in order.
    var incompleteLarge: [Entry] {
        entries.values.filter { $0.order != nil }.sorted { $0.id < $1.id }
    }

    /// Returns the attachments that have been incomplete since this time or longer, in order.
    func incomplete(since limit: UInt64) -> [Entry] {
        entries.values.filter { !$0.isOutgoing && !$0.isComplete && $0.since <= limit }.sorted { $0.id < $1.id }
    }

    /// Returns the attachments that have missed pieces since this time or longer and that are not fetched, those that
    /// are missing longest first.
    func overdue(since limit: UInt64) -> [Entry] {
        entries.values.filter { $0.waitsForFragments && !$0.isOverdue && $0.since <= limit }
            .sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    /// Returns the attachments that miss pieces which should be fetched again by now, in order.
    func overdue(at wall: UInt64) -> [Entry] {
        guard wall >= ChatLimits.fragmentPatience else { return [] }
        let limit = wall - ChatLimits.fragmentPatience
        return entries.values.filter { $0.waitsForFragments && $0.fetchDue <= wall && $0.since <= limit }
            .sorted { $0.id < $1.id }
    }

    /// Returns a message's attachments in order.
    func entries(of message: MessageID) -> [Entry] {
        (0...BlobID.longTextIndex).compactMap { entries[BlobID(message: message, index: $0)] }
    }

    /// Returns the small attachments of an own message, to spread them; nil if it has no attachment at all.
    func sources(of message: MessageID) -> [BlobSource]? {
        let own = entries(of: message).filter(\.isOutgoing)
        guard !own.isEmpty else { return nil }
        return own.filter(\.reference.isSmall).map { entry in
            BlobSource(
                file: entry.file,
                reference: entry.reference,
                isText: entry.id.index == BlobID.longTextIndex
            )
        }
    }

    /// Whether a message misses a part of an attachment that is on its way.
    func isIncomplete(_ message: MessageID) -> Bool { entries(of: message).contains { !$0.isComplete && !$0.isParked } }

    /// The greatest size of all attachments together.
    ///
    /// Units: bytes.
    var limit: UInt64 { share?.limit ?? ChatLimits.blobByteCount }

    /// Whether attachments with these sizes may be added.
    package func hasCapacity(for byteCounts: [UInt64]) -> Bool {
        guard hasPlaces(for: byteCounts.count) else { return false }
        let sum = ([byteCount] + byteCounts).saturatingSum
        return share?.canTake(sum) ?? (sum <= limit)
    }

    /// Reserves the room for attachments with these sizes, which the caller adds in the same step; `publish` at its end
    /// reports the result.
    package func reserveSpace(for byteCounts: [UInt64]) -> Bool {
        guard hasPlaces(for: byteCounts.count) else { return false }
        let sum = ([byteCount] + byteCounts).saturatingSum
        return share?.take(sum) ?? (sum <= limit)
    }

    /// The refusal of a file for which the data directory has no room.
    package var noRoom: ChatError {
        var error = ChatError(
            .limited,
            "The limit for attachments is reached, \(limit) bytes in at most \(ChatLimits.blobCount) files. Delete "
                + "messages with attachments, or raise the limit."
        )
        error.limit = Int(clamping: limit)
        return error
    }

    /// Whether this number of further attachments may be known.
    func hasPlaces(for newCount: Int) -> Bool { count + newCount <= ChatLimits.blobCount }

    /// Reports the room taken to the shared space.
    package func publish() { share?.set(byteCount) }

    /// Returns the attachments that wait for room, the first expected one first; they are not tried again before more
    /// room is freed.
    mutating func takeParked() -> [Entry] {
        mayUnpark = false
        guard parkedCount > 0 else { return [] }
        return entries.values.filter(\.isParked).sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    /// Adds an attachment, or replaces its entry.
    package mutating func set(_ entry: Entry) {
        remove(entry.id)
        entries[entry.id] = entry
        if entry.isParked { parkedCount += 1 } else { byteCount += entry.reference.byteCount }
        if entry.isHeld { held[entry.reference.root, default: []].append(entry.id) }
        if entry.order != nil { count(entry, 1) }
        guard entry.waitsForFragments else { return }
        waiting[ChunkLabel.tag(root: entry.reference.root), default: []].append(entry.id)
    }

    /// Notes which chunks of a large attachment are here; for one that arrives in pieces only the pieces count.
    mutating func note(_ chunks: ChunkSet, of id: BlobID) {
        guard let entry = entries[id], entry.order != nil, !entry.waitsForFragments else { return }
        entries[id]?.fragments = chunks
    }

    /// Removes an attachment and returns it.
    @discardableResult
    mutating func remove(_ id: BlobID) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if entry.isParked { parkedCount -= 1 } else { byteCount -= entry.reference.byteCount }
        if !entry.isParked, parkedCount > 0 { mayUnpark = true }
        if entry.isHeld {
            held[entry.reference.root]?.removeAll { $0 == id }
            if held[entry.reference.root]?.isEmpty == true { held[entry.reference.root] = nil }
        }
        if entry.order != nil { count(entry, -1) }
        if entry.waitsForFragments {
            let tag = ChunkLabel.tag(root: entry.reference.root)
            waiting[tag]?.removeAll { $0 == id }
            if waiting[tag]?.isEmpty == true { waiting[tag] = nil }
        }
        return entry
    }

    /// Removes the attachments of a conversation and returns them.
    mutating func removeAll(of conversation: ConversationID) -> [Entry] {
        let removed = entries.values.filter { $0.isPart(of: conversation) }
        for entry in removed { remove(entry.id) }
        return removed
    }

    /// Adds a missing large attachment to the counts, or removes it.
    private mutating func count(_ entry: Entry, _ step: Int) {
        let count = missing[entry.peer, default: 0] + step
        missing[entry.peer] = count > 0 ? count : nil
        guard let group = entry.group else { return }
        let groupCount = missingInGroups[group, default: 0] + step
        missingInGroups[group] = groupCount > 0 ? groupCount : nil
    }

    // MARK: - Files of messages

    /// Returns the files of a message as the user sees them.
    func files(_ references: [FileReference], of message: MessageID) -> [MessageFile] {
        references.enumerated().map { index, file in
            let entry = entries[BlobID(message: message, index: index)]
            return MessageFile(
                name: file.name,
                type: file.type,
                byteCount: file.reference.byteCount,
                isComplete: entry?.isComplete ?? false,
                isExpected: entry?.isComplete == false,
                media: file.media
            )
        }
    }

    /// Returns the file name of a message's file, and its reference with the key that opens it.
    package func file(
        _ index: Int,
        of message: MessageID,
        in snapshot: some Snapshot
    ) throws -> (file: String, reference: FileReference) {
        let file = try Self.claim(index, of: message, in: snapshot).file
        let known = entries[BlobID(message: message, index: index)]
        guard let known, known.isComplete else {
            let way = known.map { $0.isParked ? "it is fetched when there is room for it." : "it is being fetched." }
            throw ChatError(.notHere, "'\(file.name)' is not here yet: \(way ?? "fetch it first.")")
        }
        guard let key = known.key else { return (known.file, file) }
        return (known.file, file.sealed(as: known.reference, under: key))
    }

    /// Returns the attachment to fetch for a file that the user requests; nil for one that is here or on its way.
    func request(_ index: Int, of message: MessageID, in snapshot: some Snapshot) throws -> (
        entry: Entry, name: String
    )? {
        let (record, file) = try Self.claim(index, of: message, in: snapshot)
        guard let sender = PeerID(bytes: record.sender), let conversation = record.conversationID else {
            throw Self.noSuchFile
        }
        let id = BlobID(message: message, index: index)
        let known = entries[id]
        guard known?.isParked ?? true else { return nil }
        guard !record.outgoing else {
            throw ChatError(.notHere, "'\(file.name)' was sent from this node and is no longer stored here.")
        }
        let entry = Entry(
            id: id,
            peer: sender,
            group: conversation.group,
            isOutgoing: false,
            file: known?.file ?? randomBytes(16).hex,
            reference: file.reference,
            isPulled: true
        )
        return (entry, file.name)
    }

    /// Returns the record of a message with the reference to one of its files.
    private static func claim(
        _ index: Int,
        of message: MessageID,
        in snapshot: some Snapshot
    ) throws -> (record: ProtoMessageRecord, file: FileReference) {
        guard let record = try snapshot.message(.messages, message.bytes, as: ProtoMessageRecord.self),
            case .text(let text) = MessageContent.decode([UInt8](record.content))?.body,
            text.files.indices.contains(index)
        else { throw noSuchFile }
        return (record, text.files[index])
    }

    static let noSuchFile = ChatError(.notFound, "There is no message with this id, or it has no such attachment.")
}
