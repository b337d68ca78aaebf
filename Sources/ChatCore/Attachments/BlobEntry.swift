package import ChatCrypto

/// The name of an attachment of a message.
package struct BlobID: Hashable, Comparable, Sendable {
    /// The index of a message's long text, after those of all files.
    package static let longTextIndex = ChatLimits.fileCount

    /// The message.
    package let message: MessageID
    /// The file's index among those of the message.
    package let index: Int

    package init(message: MessageID, index: Int) {
        self.message = message
        self.index = index
    }

    /// Whether the attachment is the message's long text.
    package var isLongText: Bool { index == Self.longTextIndex }

    package static func < (left: BlobID, right: BlobID) -> Bool {
        left.name.lexicographicallyPrecedes(right.name)
    }

    /// The name of the attachment's record.
    ///
    /// Shape: message id 16 ‖ index 1.
    package var name: [UInt8] { message.bytes + [UInt8(index)] }
}

/// A request to fetch a large attachment from its sender, or from another member of its group.
package struct BlobOrder: Equatable, Sendable {
    package let id: BlobID
    /// The first peer to request it from: the sender, if the sender can be reached.
    package var peer: PeerID
    /// The other peers that may have it, in the order of requests.
    package var others: [PeerID] = []
    /// The file's name in the directory of blobs.
    package let file: String
    package let reference: BlobReference
    /// The chunks that are in the file.
    package let chunks: ChunkSet
}

extension BlobTable {
    /// One attachment.
    package struct Entry: Sendable {
        package let id: BlobID
        /// The other peer of a direct conversation; in a group the sender.
        package var peer: PeerID
        /// The group of the message; nil for a direct conversation.
        package var group: GroupID?
        package let isOutgoing: Bool
        /// The file's name in the directory of blobs.
        package let file: String
        package let reference: BlobReference
        /// The pieces in the file, or the chunks of an attachment that is fetched; nil once it is complete.
        var fragments: ChunkSet?
        /// The time when it was first expected.
        ///
        /// Units: milliseconds since 1970; 0 for an own attachment.
        var since: UInt64 = 0
        /// The key of an imported message's file, which its message does not name.
        package var key: [UInt8]?
        /// Whether it is fetched along a path, whatever its size, because its sender no longer spreads it.
        var isPulled = false
        /// Whether it is fetched only once the data directory has room for it.
        var isParked = false
        /// Whether it is also fetched along a path, because its pieces are overdue; until the node stops.
        var isOverdue = false

        /// The number of times that its pieces were asked for, and the time to ask again; until the node stops.
        ///
        /// Units: milliseconds since 1970.
        var fetchCount = 0
        var fetchDue: UInt64 = 0

        package var isComplete: Bool { fragments == nil }

        /// Whether it arrives in pieces that the mesh stores; all others are fetched along a path.
        private var comesInFragments: Bool { reference.isSmall && !isPulled }

        /// The number of its pieces or chunks.
        fileprivate var fragmentCount: Int {
            comesInFragments ? ChunkFragment.count(of: reference) : reference.chunkCount
        }

        /// The empty set of its pieces or chunks.
        var noFragments: ChunkSet { ChunkSet(chunkCount: fragmentCount) }

        /// The length of each of its pieces or chunks but the last.
        ///
        /// Units: bytes.
        var fragmentByteCount: Int { comesInFragments ? ChunkFragment.byteCount : BlobReference.chunkByteCount }

        /// Whether the node waits for pieces of it.
        var waitsForFragments: Bool { !isComplete && !isParked && comesInFragments }

        /// Whether it belongs to a conversation.
        func isPart(of conversation: ConversationID) -> Bool {
            conversation.group == group && (group != nil || conversation == .direct(peer))
        }

        /// Whether the node provides it on request: an own one, or a complete one of a group.
        var isHeld: Bool { isOutgoing || group != nil && isComplete }

        /// The request for its missing chunks; nil for a complete attachment, or one whose pieces arrive without a
        /// request.
        package var order: BlobOrder? {
            guard let fragments, !isOutgoing, !isParked, !comesInFragments || isOverdue else { return nil }
            let chunks = comesInFragments ? ChunkSet(chunkCount: reference.chunkCount) : fragments
            return BlobOrder(id: id, peer: peer, file: file, reference: reference, chunks: chunks)
        }
    }
}

extension BlobTable.Entry {
    /// Restores a record; nil if this version cannot read it.
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
        fragments = ChunkSet(restoring: [UInt8](record.pieces), chunkCount: fragmentCount) ?? noFragments
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
        record.pieces = .bytes(fragments?.bytes ?? [])
        record.since = since
        record.key = .bytes(key ?? [])
        record.pulled = isPulled
        record.parked = isParked
        return record
    }
}
