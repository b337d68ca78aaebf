package import ChatCrypto
package import ChatHistory
package import MeshCore
import SwiftProtobuf

/// What steps of the engine read from the store and want written to it, and what is to follow once it is durable.
///
/// Reads see the writes of these steps. Nothing reaches the store before `apply`, as a whole, and no effect is carried
/// out before that: a packet never leaves, and a text is never shown, on a state that a crash could take back.
package struct ChatTransaction {
    private let book: RecordBook
    /// Where the sealed bytes of objects are.
    let blobs: BlobFolder
    private var blobWrites: [BlobFolder.Write] = []
    private var blobDeletions: [String] = []
    private var writes: [RecordName: RecordWrite] = [:]
    private var recent: RecentWrites
    private var order: [RecordName] = []
    /// Records whose earlier content is to be gone from the store's log too.
    private var erased: Set<RecordName> = []
    /// Conversations whose keys and rows are to be destroyed before the batch is applied.
    private(set) var destroyed: [RowID] = []

    /// Writes and effects of all steps, those included that replaced an earlier one.
    private(set) var changeCount = 0
    /// Units: bytes of all writes, those included that were replaced since.
    private(set) var byteCount = 0
    /// What had been written when the present step began.
    private var stepStart = (writeCount: 0, byteCount: 0)

    /// The moment of the present step.
    package private(set) var time: ChatTime
    package private(set) var effects: [ChatEffect] = []

    package init(book: RecordBook, blobs: BlobFolder, time: ChatTime, recent: RecentWrites = RecentWrites()) {
        self.recent = recent
        self.book = book
        self.blobs = blobs
        self.time = time
    }

    /// Begins another step on what those before have left.
    mutating func beginStep(at time: ChatTime) {
        self.time = time
        stepStart = (writeCount, byteCount)
    }

    /// Rows that are to be written or deleted.
    var writeCount: Int { order.count }

    /// The messages that these steps write or delete.
    var touchedMessages: [RecordName] { order.filter { $0.table == .messages } }

    /// All writes, in the order in which their rows were first touched.
    private var batch: RecordBatch {
        var batch = RecordBatch()
        for key in order {
            switch writes[key] {
            case .put(let conversation, let sequence, let plaintext):
                if erased.contains(key) { batch.delete(key.table, name: key.bytes) }
                batch.put(
                    key.table,
                    name: key.bytes,
                    conversation: conversation,
                    sequence: sequence,
                    plaintext: plaintext
                )
            case .delete:
                batch.delete(key.table, name: key.bytes)
            case nil:
                break
            }
        }
        return batch
    }

    /// Whether the store is watched, and no sign was noticed that something else has changed it.
    var isUntouched: Bool { book.isUntouched }

    /// Makes the steps durable.
    ///
    /// Bytes of objects come first, so that no record ever counts what is not on the disk; what is deleted of them
    /// comes last, so that a crash leaves a file without a record and never the opposite.
    package func apply() throws(StoreError) {
        try blobs.write(blobWrites)
        for conversation in destroyed { try book.deleteConversation(conversation) }
        try book.apply(batch)
        for file in blobDeletions { blobs.delete(file) }
    }

    /// Whether the step has written so much that the rest is better left to the next.
    package var isFull: Bool {
        writeCount - stepStart.writeCount >= ChatLimits.stepWriteCount
            || byteCount - stepStart.byteCount >= ChatLimits.batchByteCount
    }

    mutating func perform(_ effect: ChatEffect) {
        effects.append(effect)
        changeCount += 1
    }

    /// The record of this name, with its place in its conversation.
    func record(_ table: RecordTable, _ name: [UInt8]) throws(StoreError) -> (sequence: UInt64, plaintext: [UInt8])? {
        let record = RecordName(table, name)
        switch writes[record] ?? recent[record] {
        case .put(_, let sequence, let plaintext): return (sequence, plaintext)
        case .delete: return nil
        case nil: return try book.get(table, name: name).map { ($0.sequence, $0.plaintext) }
        }
    }

    /// The message of this name decoded; nil if there is none.
    func message<Record: SwiftProtobuf.Message>(
        _ table: RecordTable,
        _ name: [UInt8],
        as type: Record.Type
    ) throws(StoreError) -> Record? {
        try record(table, name).flatMap { try? Record(serializedBytes: $0.plaintext) }
    }

    mutating func put(
        _ table: RecordTable,
        _ name: [UInt8],
        conversation: RowID = .zero,
        sequence: UInt64 = 0,
        _ plaintext: [UInt8]
    ) {
        note(.put(conversation: conversation, sequence: sequence, plaintext: plaintext), RecordName(table, name))
    }

    mutating func put(
        _ table: RecordTable,
        _ name: [UInt8],
        conversation: RowID = .zero,
        sequence: UInt64 = 0,
        _ record: some SwiftProtobuf.Message
    ) {
        // Encoding fails only for required fields that are missing, which proto3 has not.
        guard let bytes = try? record.serializedBytes() as [UInt8] else { return }
        put(table, name, conversation: conversation, sequence: sequence, bytes)
    }

    /// Writes a record in place of one whose content nobody is to find again, not in the store's log either.
    mutating func erase(
        _ table: RecordTable,
        _ name: [UInt8],
        conversation: RowID,
        sequence: UInt64,
        leaving record: some SwiftProtobuf.Message
    ) {
        erased.insert(RecordName(table, name))
        put(table, name, conversation: conversation, sequence: sequence, record)
    }

    mutating func delete(_ table: RecordTable, _ name: [UInt8]) {
        note(.delete, RecordName(table, name))
    }

    /// Writes bytes of an object.
    mutating func write(_ bytes: [UInt8], at offset: UInt64, ofBlob file: String) {
        blobWrites.append(BlobFolder.Write(file: file, offset: offset, bytes: bytes))
        changeCount += 1
        byteCount += bytes.count
    }

    /// Deletes an object's file.
    mutating func deleteBlob(_ file: String) {
        blobDeletions.append(file)
        changeCount += 1
    }

    /// The first bytes of an object's file, those that these steps write too.
    func bytes(ofBlob file: String, count: Int) -> [UInt8] {
        var bytes = blobs.prefix(file, count: count)
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        for write in blobWrites where write.file == file {
            let place = Int(write.offset)
            bytes.replaceSubrange(place..<(place + write.bytes.count), with: write.bytes)
        }
        return bytes
    }

    /// Destroys the key and all messages of a conversation.
    mutating func destroyConversation(_ conversation: RowID) {
        destroyed.append(conversation)
        changeCount += 1
        // What earlier steps wrote goes too; the destruction comes before all that is written.
        for (key, write) in writes {
            if case .put(conversation, _, _) = write { writes[key] = nil }
        }
        order.removeAll { writes[$0] == nil }
        recent = RecentWrites()
    }

    /// Destroys the key and all messages of a conversation at once, before anything is read of it.
    func destroyNow(_ conversation: ConversationID) throws(StoreError) {
        try book.deleteConversation(rowID(of: conversation))
    }

    /// Gives up what is remembered of the last writes, those of these steps included.
    mutating func takeRecent() -> RecentWrites {
        // Moved out, so that it is not copied.
        var taken = recent
        recent = RecentWrites()
        taken.add(writes)
        return taken
    }

    /// The row id under which a conversation's messages stand.
    func conversationID(_ peer: PeerID) -> RowID {
        book.rowID(.conversations, name: peer.bytes)
    }

    /// The row id under which a conversation's messages stand.
    func rowID(of conversation: ConversationID) -> RowID {
        switch conversation {
        case .direct(let peer): conversationID(peer)
        case .group(let group): conversationID(group)
        }
    }

    /// The row id under which a group's messages stand.
    func conversationID(_ group: GroupID) -> RowID {
        book.rowID(.conversations, name: group.bytes)
    }

    /// A page of a conversation's messages, newest first.
    func page(of peer: PeerID, before place: UInt64?, limit: Int) throws(StoreError) -> [ProtoMessageRecord] {
        try page(of: conversationID(peer), before: place, limit: limit)
    }

    /// A page of the messages of a conversation of any kind, newest first.
    func page(of conversation: RowID, before place: UInt64?, limit: Int) throws(StoreError) -> [ProtoMessageRecord] {
        try placedPage(of: conversation, before: place, limit: limit).map(\.record)
    }

    /// The same, each message with its place.
    func placedPage(
        of conversation: RowID,
        before place: UInt64?,
        limit: Int
    ) throws(StoreError) -> [(place: UInt64, record: ProtoMessageRecord)] {
        guard limit > 0 else { return [] }
        var stored: [Record] = []
        if !destroyed.contains(conversation) {
            let position = place.map { RowPosition(sequence: $0, id: .zero) }
            stored = try book.page(.messages, conversation: conversation, before: position, limit: limit)
        }
        return merged(stored, of: conversation, limit: limit, by: >) { $0 < place ?? .max }
    }

    /// A page of the messages of a conversation from a place on, oldest first, each with its place.
    func placedPage(
        of conversation: RowID,
        from place: UInt64,
        limit: Int
    ) throws(StoreError) -> [(place: UInt64, record: ProtoMessageRecord)] {
        guard limit > 0 else { return [] }
        var stored: [Record] = []
        if !destroyed.contains(conversation) {
            let position = RowPosition(sequence: place, id: .zero)
            stored = try book.page(.messages, conversation: conversation, after: position, limit: limit)
        }
        return merged(stored, of: conversation, limit: limit, by: <) { $0 >= place }
    }

    /// A page as these steps leave it.
    private func merged(
        _ stored: [Record],
        of conversation: RowID,
        limit: Int,
        by comesFirst: (UInt64, UInt64) -> Bool,
        where isWanted: (UInt64) -> Bool
    ) -> [(place: UInt64, record: ProtoMessageRecord)] {
        var page = stored.map { (sequence: $0.sequence, plaintext: $0.plaintext) }
        let written = writes.values.compactMap { write -> (sequence: UInt64, plaintext: [UInt8])? in
            guard case .put(conversation, let sequence, let plaintext) = write, isWanted(sequence) else { return nil }
            return (sequence, plaintext)
        }
        if !written.isEmpty {
            let replaced = Set(written.map(\.sequence))
            page.removeAll { replaced.contains($0.sequence) }
            page = Array((page + written).sorted { comesFirst($0.sequence, $1.sequence) }.prefix(limit))
        }
        return page.compactMap { stored in
            (try? ProtoMessageRecord(serializedBytes: stored.plaintext)).map { (stored.sequence, $0) }
        }
    }

    /// All records of a table as stored before these steps.
    func all(_ table: RecordTable) throws(StoreError) -> [[UInt8]] {
        try book.all(table).map(\.plaintext)
    }

    /// The highest place taken in a conversation before these steps.
    func highestSequence(_ conversation: RowID) throws(StoreError) -> UInt64 {
        try book.highestSequence(.messages, conversation: conversation) ?? 0
    }

    /// The lowest place taken in a conversation before these steps, of which one that is taken is known.
    ///
    /// Pages lead down only, so the lowest is found by halving.
    func lowestSequence(_ conversation: RowID, upTo taken: UInt64) throws(StoreError) -> UInt64 {
        var (low, high) = (UInt64.min, taken)
        while low < high {
            let middle = low + (high - low) / 2
            let position = RowPosition(sequence: middle + 1)
            let found = try book.page(.messages, conversation: conversation, before: position, limit: 1).first
            if let found { high = found.sequence } else { low = middle + 1 }
        }
        return high
    }

    /// The number of messages of a conversation before these steps, or of those before a place.
    func messageCount(of conversation: RowID, before place: UInt64? = nil) throws(StoreError) -> Int {
        try book.count(.messages, conversation: conversation, before: place.map { RowPosition(sequence: $0) })
    }

    private mutating func note(_ write: RecordWrite, _ key: RecordName) {
        changeCount += 1
        if case .put(_, _, let plaintext) = write { byteCount += plaintext.count }
        if writes.updateValue(write, forKey: key) == nil { order.append(key) }
    }
}

/// What a step tells the transfers of large objects, which are no part of it.
package enum TransferNews: Sendable {
    /// An object is to be fetched.
    case fetch(BlobOrder)
    /// An object is gone, or not wanted any more.
    case drop(BlobID, file: String)
    /// There is a path to a peer.
    case pathOpened(PeerID)
    /// There is no path to a peer any more.
    case pathLost(PeerID)
    /// Something came from a peer.
    case heard(PeerID)
    /// A message of a transfer came by a path.
    case message(BlobMessage, from: PeerID, on: PathLabel)
}

/// What follows once the step that asks for it is durable.
package enum ChatEffect: Sendable {
    /// Spread an envelope.
    case submit(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// Look for a path: flood a hello under an own label.
    case openPath(PathLabel, hello: [UInt8])
    /// Send a payload along a path.
    case sendOnPath(PathMessage)
    /// Link to a node, if it is heard here.
    case linkDirectly(NodeID)
    /// The owner of a group may sign its next operation.
    case confirmed(GroupID)
    /// A ping has its answer, or none in time.
    case endPing(UInt64, PingAnswer?)
    /// Spread the pieces of an object.
    case spread(BlobSource)
    /// Hand over once more what the mesh holds here: to groups alone, or with what sessions bring.
    case recallSealed(withNotes: Bool)
    /// Hand over once more the pieces with these tags that the mesh holds here.
    case recall(tags: [[UInt8]])
    /// Something that the transfers of large objects go by.
    case transfer(TransferNews)
    /// Something that who keeps this room has to know.
    case room(RoomNews)
    /// Tell the subscribers.
    case tell(ChatEvent)
}
