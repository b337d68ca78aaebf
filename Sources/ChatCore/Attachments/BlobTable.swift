package import ChatCrypto

/// The objects of messages that are on this disk, or on their way to it.
package struct BlobTable: Sendable {
    private var entries: [BlobID: Entry] = [:]
    private var waiting: [[UInt8]: [BlobID]] = [:]
    /// The objects that others may ask for by their roots; more than one only if a sealed object was sent twice.
    private var held: [[UInt8]: [BlobID]] = [:]
    /// How many large objects are missing from each peer.
    private var missing: [PeerID: Int] = [:]
    /// How many large objects are missing of each group.
    private var missingInGroups: [GroupID: Int] = [:]

    /// How many objects wait for room.
    private var parkedCount = 0
    /// Whether something that waits for room may have it now.
    private(set) var mayUnpark = false

    /// The part of its home's room that this table takes; nil where it has all of ``ChatLimits/blobByteCount``.
    package var share: MediaShare? {
        didSet { publish() }
    }

    /// Units: bytes of all objects, what is still missing of them too, but for what waits for room.
    package private(set) var byteCount: UInt64 = 0

    package var count: Int { entries.count }

    /// The files in which something is kept.
    package var files: Set<String> { Set(entries.values.map(\.file)) }

    /// The tags of pieces that are missing, in order.
    var waitingTags: [[UInt8]] { waiting.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    /// The tags of pieces that are missing of a message's objects, in order.
    func waitingTags(of message: MessageID) -> [[UInt8]] {
        let waiting = entries(of: message).filter(\.waitsForPieces)
        return Set(waiting.map { ChunkLabel.tag(root: $0.reference.root) }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    package subscript(id: BlobID) -> Entry? { entries[id] }

    /// The objects of which pieces with this tag are missing; more than one only if a peer sent one object twice.
    func waiting(for tag: [UInt8]) -> [BlobID] { waiting[tag] ?? [] }

    /// The objects with this root that others may ask for.
    func held(_ root: [UInt8]) -> [Entry] { held[root, default: []].compactMap { entries[$0] } }

    /// Whether a large object that a peer sent is to be fetched.
    func isFetching(from peer: PeerID) -> Bool { missing[peer] != nil }

    /// The groups of which a large object is to be fetched.
    var fetchingGroups: Dictionary<GroupID, Int>.Keys { missingInGroups.keys }

    /// The objects that are to be fetched, in order.
    var incompleteLarge: [Entry] {
        entries.values.filter { $0.order != nil }.sorted { $0.id < $1.id }
    }

    /// The objects of which something was missing already so long ago, in order.
    func incomplete(since limit: UInt64) -> [Entry] {
        entries.values.filter { !$0.isOutgoing && !$0.isComplete && $0.since <= limit }.sorted { $0.id < $1.id }
    }

    /// The objects of which pieces were missing already so long ago and that are not fetched, those first that are
    /// missing longest.
    func overdue(since limit: UInt64) -> [Entry] {
        entries.values.filter { $0.waitsForPieces && !$0.isOverdue && $0.since <= limit }
            .sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    /// A message's objects in order.
    func entries(of message: MessageID) -> [Entry] {
        (0...BlobID.longTextIndex).compactMap { entries[BlobID(message: message, index: $0)] }
    }

    /// The small ones of an own message's objects, to be spread; nil if it has none at all.
    func sources(of message: MessageID) -> [BlobSource]? {
        let own = entries(of: message).filter(\.isOutgoing)
        guard !own.isEmpty else { return nil }
        return own.filter(\.reference.isSmall).map { BlobSource(file: $0.file, reference: $0.reference) }
    }

    /// Whether something of a message's objects is missing that is on its way.
    func isIncomplete(_ message: MessageID) -> Bool { entries(of: message).contains { !$0.isComplete && !$0.isParked } }

    /// Units: bytes of all objects that may be here.
    var limit: UInt64 { share?.limit ?? ChatLimits.blobByteCount }

    /// Whether so many more bytes in so many more objects may come in.
    package func hasRoom(for byteCounts: [UInt64]) -> Bool {
        guard hasPlaces(for: byteCounts.count) else { return false }
        let sum = ([byteCount] + byteCounts).saturatingSum
        return share?.canTake(sum) ?? (sum <= limit)
    }

    /// Takes the room for so many more bytes in so many more objects, which are to be added in the same step; `publish` at
    /// its end says what became of it.
    package func takeRoom(for byteCounts: [UInt64]) -> Bool {
        guard hasPlaces(for: byteCounts.count) else { return false }
        let sum = ([byteCount] + byteCounts).saturatingSum
        return share?.take(sum) ?? (sum <= limit)
    }

    /// The refusal of a file that the home has no room for.
    package var noRoom: ChatError {
        var error = ChatError(
            .limited,
            "This home holds as many files as it may, \(limit) bytes in at most \(ChatLimits.blobCount): delete "
                + "messages that have some, or raise the limit."
        )
        error.limit = Int(clamping: limit)
        return error
    }

    /// Whether so many more objects may be known.
    func hasPlaces(for newCount: Int) -> Bool { count + newCount <= ChatLimits.blobCount }

    /// Tells those with whom the room is shared what is taken.
    package func publish() { share?.set(byteCount) }

    /// Those that wait for room, the first to be expected in front; they are not to be looked at again before more goes.
    mutating func takeParked() -> [Entry] {
        mayUnpark = false
        guard parkedCount > 0 else { return [] }
        return entries.values.filter(\.isParked).sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    /// Adds an object, or notes what has become of it.
    package mutating func set(_ entry: Entry) {
        remove(entry.id)
        entries[entry.id] = entry
        if entry.isParked { parkedCount += 1 } else { byteCount += entry.reference.byteCount }
        if entry.isHeld { held[entry.reference.root, default: []].append(entry.id) }
        if entry.order != nil { count(entry, 1) }
        guard entry.waitsForPieces else { return }
        waiting[ChunkLabel.tag(root: entry.reference.root), default: []].append(entry.id)
    }

    /// Notes which chunks of a large object are here; of one that comes in pieces those count alone.
    mutating func note(_ chunks: ChunkSet, of id: BlobID) {
        guard let entry = entries[id], entry.order != nil, !entry.waitsForPieces else { return }
        entries[id]?.pieces = chunks
    }

    /// Forgets an object, and answers it.
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
        if entry.waitsForPieces {
            let tag = ChunkLabel.tag(root: entry.reference.root)
            waiting[tag]?.removeAll { $0 == id }
            if waiting[tag]?.isEmpty == true { waiting[tag] = nil }
        }
        return entry
    }

    /// Forgets the objects of a conversation and answers them.
    mutating func removeAll(of conversation: ConversationID) -> [Entry] {
        let removed = entries.values.filter { $0.isPart(of: conversation) }
        for entry in removed { remove(entry.id) }
        return removed
    }

    /// Counts a large object that is missing, or is not any more.
    private mutating func count(_ entry: Entry, _ step: Int) {
        let count = missing[entry.peer, default: 0] + step
        missing[entry.peer] = count > 0 ? count : nil
        guard let group = entry.group else { return }
        let groupCount = missingInGroups[group, default: 0] + step
        missingInGroups[group] = groupCount > 0 ? groupCount : nil
    }

    // MARK: - Files of messages

    /// The files of a message as people see them.
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

    /// The place of a message's file, and the key that opens it.
    package func file(
        _ index: Int,
        of message: MessageID,
        in snapshot: some Snapshot
    ) throws -> (file: String, reference: FileReference) {
        let file = try Self.claim(index, of: message, in: snapshot).file
        let known = entries[BlobID(message: message, index: index)]
        guard let known, known.isComplete else {
            let way = known.map { $0.isParked ? "it comes when the home has room for it." : "it is on its way." }
            throw ChatError(.notHere, "'\(file.name)' is not here yet: \(way ?? "ask for it first.")")
        }
        guard let key = known.key else { return (known.file, file) }
        return (known.file, file.sealed(as: known.reference, under: key))
    }

    /// The object to fetch for a file that the user requests; nil for one that is here or on its way.
    func wish(_ index: Int, of message: MessageID, in snapshot: some Snapshot) throws -> (entry: Entry, name: String)? {
        let (record, file) = try Self.claim(index, of: message, in: snapshot)
        guard let sender = PeerID(bytes: record.sender), let conversation = record.conversationID else {
            throw Self.noSuchFile
        }
        let id = BlobID(message: message, index: index)
        let known = entries[id]
        guard known?.isParked ?? true else { return nil }
        guard !record.outgoing else {
            throw ChatError(.notHere, "'\(file.name)' was sent from here and is not here any more.")
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

    /// The record of a message with the reference to one of its files.
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

    static let noSuchFile = ChatError(.notFound, "There is no message with this id, or it has no such file.")
}
