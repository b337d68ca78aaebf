package import ChatCrypto
import MeshCore

/// Names an object of a message.
package struct BlobID: Hashable, Sendable {
    /// The index of a message's long text, behind those of all files.
    static let longTextIndex = ChatLimits.fileCount

    /// The message.
    package let message: MessageID
    /// Which file of it.
    package let index: Int

    /// The name of its record.
    ///
    /// Shape: message id 16 ‖ index 1.
    var name: [UInt8] { message.bytes + [UInt8(index)] }
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
        /// The pieces that are in the file; nil once all are.
        var pieces: ChunkSet?

        package var isComplete: Bool { pieces == nil }
    }

    private var entries: [BlobID: Entry] = [:]
    private var waiting: [[UInt8]: [BlobID]] = [:]

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
        if !entry.isComplete { waiting[ChunkLabel.tag(root: entry.reference.root), default: []].append(entry.id) }
    }

    /// Forgets an object.
    mutating func remove(_ id: BlobID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        byteCount -= entry.reference.byteCount
        guard !entry.isComplete else { return }
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
        guard !record.pieces.isEmpty else { return }
        let count = ChunkPiece.count(of: reference)
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
        return record
    }
}
