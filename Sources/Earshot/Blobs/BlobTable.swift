package import ChatCrypto
package import MeshCore

/// Names an object of a message.
package struct BlobID: Hashable, Comparable, Sendable {
    /// The index of a message's long text, behind those of all files.
    static let longTextIndex = ChatLimits.fileCount

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
    var name: [UInt8] { message.bytes + [UInt8(index)] }
}

/// A large object that is to be fetched from the peer that sent it, or from another member of its group.
package struct BlobOrder: Equatable, Sendable {
    package let id: BlobID
    /// Who sent it.
    package let peer: PeerID
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
        var peer: PeerID
        /// The group in which it was sent; nil for a direct conversation.
        var group: GroupID?
        let isOutgoing: Bool
        /// The file's name in the folder of blobs.
        package let file: String
        let reference: BlobReference
        /// The pieces, or chunks of a large object, that are in the file; nil once all are.
        var pieces: ChunkSet?
        /// Units: milliseconds since 1970 when it was first expected; 0 for an own object.
        var since: UInt64 = 0
        /// What opens it, where that is not what its message says: the file of an imported message.
        var key: [UInt8]?

        package var isComplete: Bool { pieces == nil }

        var conversation: ConversationID { group.map { .group($0) } ?? .direct(peer) }

        /// Whether it is given to those who ask for it: an own one, or one of a group, large and all here.
        var isHeld: Bool { !reference.isSmall && (isOutgoing || group != nil && isComplete) }

        /// What is to be fetched of it; nil for what comes by itself or is here.
        package var order: BlobOrder? {
            guard let pieces, !isOutgoing, !reference.isSmall else { return nil }
            return BlobOrder(id: id, peer: peer, file: file, reference: reference, chunks: pieces)
        }
    }

    private var entries: [BlobID: Entry] = [:]
    private var waiting: [[UInt8]: [BlobID]] = [:]
    /// The large objects that others may ask for by their roots; more than one only if a sealed object was sent twice.
    private var held: [[UInt8]: [BlobID]] = [:]
    /// How many large objects are missing from each peer.
    private var missing: [PeerID: Int] = [:]
    /// How many large objects are missing of each group.
    private var missingInGroups: [GroupID: Int] = [:]

    /// Units: bytes of all objects, what is still missing of them too.
    package private(set) var byteCount: UInt64 = 0

    package var count: Int { entries.count }

    /// The files in which something is kept.
    package var files: Set<String> { Set(entries.values.map(\.file)) }

    /// The tags of pieces that are missing, in order.
    var waitingTags: [[UInt8]] { waiting.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    package subscript(id: BlobID) -> Entry? { entries[id] }

    /// The objects of which pieces with this tag are missing; more than one only if a peer sent one object twice.
    func waiting(for tag: [UInt8]) -> [BlobID] { waiting[tag] ?? [] }

    /// The large objects with this root that others may ask for.
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

    /// A message's objects in order.
    func entries(of message: MessageID) -> [Entry] {
        (0...BlobID.longTextIndex).compactMap { entries[BlobID(message: message, index: $0)] }
    }

    /// Whether something of a message's objects is missing.
    func isIncomplete(_ message: MessageID) -> Bool { entries(of: message).contains { !$0.isComplete } }

    /// Whether so many more bytes in so many more objects may come in.
    func hasRoom(for byteCounts: [UInt64]) -> Bool {
        byteCounts.reduce(byteCount, +) <= ChatLimits.blobByteCount && count + byteCounts.count <= ChatLimits.blobCount
    }

    /// Adds an object, or notes what has become of it.
    mutating func set(_ entry: Entry) {
        remove(entry.id)
        entries[entry.id] = entry
        byteCount += entry.reference.byteCount
        if entry.isHeld { held[entry.reference.root, default: []].append(entry.id) }
        if entry.order != nil { count(entry, 1) }
        guard !entry.isComplete, entry.reference.isSmall else { return }
        waiting[ChunkLabel.tag(root: entry.reference.root), default: []].append(entry.id)
    }

    /// Notes which chunks of a large object are here.
    mutating func note(_ chunks: ChunkSet, of id: BlobID) {
        guard entries[id]?.order != nil else { return }
        entries[id]?.pieces = chunks
    }

    /// Forgets an object.
    mutating func remove(_ id: BlobID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        byteCount -= entry.reference.byteCount
        if entry.isHeld {
            held[entry.reference.root]?.removeAll { $0 == id }
            if held[entry.reference.root]?.isEmpty == true { held[entry.reference.root] = nil }
        }
        if entry.order != nil { count(entry, -1) }
        guard !entry.isComplete, entry.reference.isSmall else { return }
        let tag = ChunkLabel.tag(root: entry.reference.root)
        waiting[tag]?.removeAll { $0 == id }
        if waiting[tag]?.isEmpty == true { waiting[tag] = nil }
    }

    /// Forgets the objects of a conversation and answers them.
    mutating func removeAll(of conversation: ConversationID) -> [Entry] {
        let removed = entries.values.filter { $0.conversation == conversation }
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
        guard !record.pieces.isEmpty else { return }
        let count = reference.unitCount
        pieces = ChunkSet(restoring: [UInt8](record.pieces), chunkCount: count) ?? ChunkSet(chunkCount: count)
    }

    var record: ProtoBlobRecord {
        var record = ProtoBlobRecord()
        record.message = .init(id.message.bytes)
        record.index = UInt32(id.index)
        record.peer = .init(peer.bytes)
        record.group = .init(group?.bytes ?? [])
        record.outgoing = isOutgoing
        record.file = file
        record.root = .init(reference.root)
        record.size = reference.byteCount
        record.pieces = .init(pieces?.bytes ?? [])
        record.since = since
        record.key = .init(key ?? [])
        return record
    }
}
