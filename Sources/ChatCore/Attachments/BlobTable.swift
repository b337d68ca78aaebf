package import ChatCrypto
package import MeshCore

/// Names an object of a message.
package struct BlobID: Hashable, Comparable, Sendable {
    /// The index of a message's long text, behind those of all files.
    package static let longTextIndex = ChatLimits.fileCount

    /// The message.
    package let message: MessageID
    /// Which file of it.
    package let index: Int

    package init(message: MessageID, index: Int) {
        self.message = message
        self.index = index
    }

    package static func < (left: BlobID, right: BlobID) -> Bool {
        left.name.lexicographicallyPrecedes(right.name)
    }

    /// The name of its record.
    ///
    /// Shape: message id 16 ‖ index 1.
    package var name: [UInt8] { message.bytes + [UInt8(index)] }
}

/// A large object that is to be fetched from the peer that sent it, or from another member of its group.
package struct BlobOrder: Equatable, Sendable {
    package let id: BlobID
    /// Who is asked first: whoever sent it, if that one can be asked.
    package var peer: PeerID
    /// Who may have it as well, in the order in which they are asked.
    package var others: [PeerID] = []
    /// The file's name in the folder of blobs.
    package let file: String
    package let reference: BlobReference
    /// The chunks that are in the file.
    package let chunks: ChunkSet

    package init(
        id: BlobID,
        peer: PeerID,
        others: [PeerID] = [],
        file: String,
        reference: BlobReference,
        chunks: ChunkSet
    ) {
        self.id = id
        self.peer = peer
        self.others = others
        self.file = file
        self.reference = reference
        self.chunks = chunks
    }
}

/// The objects of messages that are on this disk, or on their way to it.
package struct BlobTable: Sendable {
    /// One object.
    package struct Entry: Sendable {
        package let id: BlobID
        /// The other peer of a direct conversation; in a group whoever sent it.
        package var peer: PeerID
        /// The group in which it was sent; nil for a direct conversation.
        package var group: GroupID?
        package let isOutgoing: Bool
        /// The file's name in the folder of blobs.
        package let file: String
        package let reference: BlobReference
        /// The pieces, or chunks of one that is fetched, that are in the file; nil once all are.
        var pieces: ChunkSet?
        /// Units: milliseconds since 1970 when it was first expected; 0 for an own object.
        var since: UInt64 = 0
        /// What opens it, where that is not what its message says: the file of an imported message.
        package var key: [UInt8]?
        /// Whether it is fetched however small it is, since nobody spreads it for this node any more.
        var isPulled = false
        /// Whether it is fetched only once the home has room for it.
        var isParked = false
        /// Whether it is fetched besides, for its pieces have been missing for long; until the node stops.
        var isOverdue = false

        package var isComplete: Bool { pieces == nil }

        /// Whether it comes in pieces that the mesh keeps; what does not is fetched along a path.
        private var comesInPieces: Bool { reference.isSmall && !isPulled }

        /// How many pieces or chunks it has.
        fileprivate var pieceCount: Int { comesInPieces ? ChunkPiece.count(of: reference) : reference.chunkCount }

        /// None of its pieces or chunks.
        var noPieces: ChunkSet { ChunkSet(chunkCount: pieceCount) }

        /// Units: bytes of each of its pieces or chunks but the last.
        var pieceByteCount: Int { comesInPieces ? ChunkPiece.byteCount : BlobReference.chunkByteCount }

        /// Whether pieces of it are waited for.
        var waitsForPieces: Bool { !isComplete && !isParked && comesInPieces }

        /// Whether it belongs to a conversation.
        func isPart(of conversation: ConversationID) -> Bool {
            conversation.group == group && (group != nil || conversation == .direct(peer))
        }

        /// Whether it is given to those who ask for it: an own one, or one of a group that is all here.
        var isHeld: Bool { isOutgoing || group != nil && isComplete }

        /// What is to be fetched of it; nil for what comes by itself in time, or is here.
        package var order: BlobOrder? {
            guard let pieces, !isOutgoing, !isParked, !comesInPieces || isOverdue else { return nil }
            let chunks = comesInPieces ? ChunkSet(chunkCount: reference.chunkCount) : pieces
            return BlobOrder(id: id, peer: peer, file: file, reference: reference, chunks: chunks)
        }

        /// Makes one of its parts.
        package init(
            id: BlobID,
            peer: PeerID,
            group: GroupID? = nil,
            isOutgoing: Bool,
            file: String,
            reference: BlobReference,
            pieces: ChunkSet? = nil,
            since: UInt64 = 0,
            key: [UInt8]? = nil,
            isPulled: Bool = false,
            isParked: Bool = false,
            isOverdue: Bool = false
        ) {
            self.id = id
            self.peer = peer
            self.group = group
            self.isOutgoing = isOutgoing
            self.file = file
            self.reference = reference
            self.pieces = pieces
            self.since = since
            self.key = key
            self.isPulled = isPulled
            self.isParked = isParked
            self.isOverdue = isOverdue
        }
    }

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

    /// What this table takes of the room that its home has; nil where it has all of ``ChatLimits/blobByteCount``.
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

    package subscript(id: BlobID) -> Entry? { entries[id] }

    /// The objects of which pieces with this tag are missing; more than one only if a peer sent one object twice.
    func waiting(for tag: [UInt8]) -> [BlobID] { waiting[tag] ?? [] }

    /// The objects with this root that others may ask for.
    func held(_ root: [UInt8]) -> [Entry] { held[root, default: []].compactMap { entries[$0] } }

    /// Whether a large object that a peer sent is to be fetched.
    func isFetching(from peer: PeerID) -> Bool { missing[peer] != nil }

    /// The groups of which a large object is to be fetched.
    var fetchingGroups: Dictionary<GroupID, Int>.Keys { missingInGroups.keys }

    /// What is to be fetched, in order.
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

    /// Forgets an object.
    mutating func remove(_ id: BlobID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if entry.isParked { parkedCount -= 1 } else { byteCount -= entry.reference.byteCount }
        if !entry.isParked, parkedCount > 0 { mayUnpark = true }
        if entry.isHeld {
            held[entry.reference.root]?.removeAll { $0 == id }
            if held[entry.reference.root]?.isEmpty == true { held[entry.reference.root] = nil }
        }
        if entry.order != nil { count(entry, -1) }
        guard entry.waitsForPieces else { return }
        let tag = ChunkLabel.tag(root: entry.reference.root)
        waiting[tag]?.removeAll { $0 == id }
        if waiting[tag]?.isEmpty == true { waiting[tag] = nil }
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
}

extension BlobTable.Entry {
    /// Takes up a record; nil if it is not one of this version.
    init?(_ record: ProtoBlobRecord) {
        guard let message = MessageID(bytes: record.message), let peer = PeerID(bytes: record.peer),
            let reference = BlobReference(root: [UInt8](record.root), byteCount: record.size),
            record.index <= UInt32(BlobID.longTextIndex)
        else { return nil }
        id = BlobID(message: message, index: Int(record.index))
        self.peer = peer
        group = GroupID(bytes: record.group)
        isOutgoing = record.outgoing
        file = record.file
        self.reference = reference
        since = record.since
        key = record.key.isEmpty ? nil : [UInt8](record.key)
        isPulled = record.pulled
        isParked = record.parked
        guard !record.pieces.isEmpty else { return }
        pieces = ChunkSet(restoring: [UInt8](record.pieces), chunkCount: pieceCount) ?? noPieces
    }

    package var record: ProtoBlobRecord {
        var record = ProtoBlobRecord()
        record.message = .bytes(id.message.bytes)
        record.index = UInt32(id.index)
        record.peer = .bytes(peer.bytes)
        record.group = .bytes(group?.bytes ?? [])
        record.outgoing = isOutgoing
        record.file = file
        record.root = .bytes(reference.root)
        record.size = reference.byteCount
        record.pieces = .bytes(pieces?.bytes ?? [])
        record.since = since
        record.key = .bytes(key ?? [])
        record.pulled = isPulled
        record.parked = isParked
        return record
    }
}
