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

/// A large object that is to be fetched from the peer that sent it.
package struct BlobOrder: Equatable, Sendable {
    package let id: BlobID
    package let peer: PeerID
    /// The file's name in the folder of blobs.
    package let file: String
    package let reference: BlobReference
    /// The chunks that are in the file.
    package let chunks: ChunkSet

    package init(id: BlobID, peer: PeerID, file: String, reference: BlobReference, chunks: ChunkSet) {
        self.id = id
        self.peer = peer
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
        let peer: PeerID
        let isOutgoing: Bool
        /// The file's name in the folder of blobs.
        package let file: String
        let reference: BlobReference
        /// The pieces, or chunks of a large object, that are in the file; nil once all are.
        var pieces: ChunkSet?
        /// Units: milliseconds since 1970 when it was first expected; 0 for an own object.
        var since: UInt64 = 0

        package var isComplete: Bool { pieces == nil }

        /// What is to be fetched of it; nil for what comes by itself or is here.
        package var order: BlobOrder? {
            guard let pieces, !isOutgoing, !reference.isSmall else { return nil }
            return BlobOrder(id: id, peer: peer, file: file, reference: reference, chunks: pieces)
        }
    }

    private var entries: [BlobID: Entry] = [:]
    private var waiting: [[UInt8]: [BlobID]] = [:]
    /// The own large objects by their roots; more than one only if the user sent one sealed object twice.
    private var large: [[UInt8]: [BlobID]] = [:]
    /// How many large objects are missing from each peer.
    private var missing: [PeerID: Int] = [:]

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

    /// The own large object with this root that went to a peer.
    package func largeObject(_ root: [UInt8], for peer: PeerID) -> Entry? {
        large[root]?.lazy.compactMap { entries[$0] }.first { $0.peer == peer }
    }

    /// Whether a large object of a peer is to be fetched.
    func isFetching(from peer: PeerID) -> Bool { missing[peer] != nil }

    /// What is to be fetched, in order.
    var orders: [BlobOrder] {
        entries.values.compactMap(\.order).sorted { $0.id < $1.id }
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
        if entry.isOutgoing, !entry.reference.isSmall { large[entry.reference.root, default: []].append(entry.id) }
        if entry.order != nil { missing[entry.peer, default: 0] += 1 }
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
        if entry.isOutgoing, !entry.reference.isSmall {
            large[entry.reference.root]?.removeAll { $0 == id }
            if large[entry.reference.root]?.isEmpty == true { large[entry.reference.root] = nil }
        }
        if entry.order != nil { missing[entry.peer] = missing[entry.peer].flatMap { $0 > 1 ? $0 - 1 : nil } }
        guard !entry.isComplete, entry.reference.isSmall else { return }
        let tag = ChunkLabel.tag(root: entry.reference.root)
        waiting[tag]?.removeAll { $0 == id }
        if waiting[tag]?.isEmpty == true { waiting[tag] = nil }
    }

    /// Forgets the objects of a conversation and answers them.
    mutating func removeAll(of peer: PeerID) -> [Entry] {
        let removed = entries.values.filter { $0.peer == peer }
        for entry in removed { remove(entry.id) }
        return removed
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
        isOutgoing = record.outgoing
        file = record.file
        self.reference = reference
        since = record.since
        guard !record.pieces.isEmpty else { return }
        let count = reference.unitCount
        pieces = ChunkSet(restoring: [UInt8](record.pieces), chunkCount: count) ?? ChunkSet(chunkCount: count)
    }

    var record: ProtoBlobRecord {
        var record = ProtoBlobRecord()
        record.message = .init(id.message.bytes)
        record.index = UInt32(id.index)
        record.peer = .init(peer.bytes)
        record.outgoing = isOutgoing
        record.file = file
        record.root = .init(reference.root)
        record.size = reference.byteCount
        record.pieces = .init(pieces?.bytes ?? [])
        record.since = since
        return record
    }
}
