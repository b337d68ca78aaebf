import ChatCore
import ChatCrypto
import ChatHistory
import MeshCore
import SwiftProtobuf

/// A read-only engine over the rescued records of a home, of which any may be missing.
struct RescuedEngine {
    let recordStore: RecordStore
    let engine: ChatEngine
    /// The owner of the history, as far as any record tells.
    let owner: PeerID
    /// The known conversations, by the rows of their messages.
    let conversations: [RowID: (id: ConversationID, title: String)]

    /// Restores an engine from the rows of a store in memory, to which this adds what an engine needs.
    init(_ history: SalvagedHistory, _ seals: RecordSeals, _ blobs: BlobFolder, at time: ChatTime) throws {
        let recordStore = RecordStore(store: history.store, keys: seals)
        func begin() -> ChatStep { ChatStep(recordStore: recordStore, blobs: blobs, time: time) }
        let own = try OwnTraces(seals, in: begin())
        var step = begin()
        try seals.secrets.dropUnfitSessions(in: &step)
        try step.apply(to: recordStore, blobs)
        if !own.isWhole {
            let nickname = try Nickname(own.nickname ?? "unknown")
            var engine = try ChatEngine(making: nickname, seals.secrets, of: own.identity, in: begin())
            try engine.takeStep().apply(to: recordStore, blobs)
        }
        step = begin()
        try step.appendReordered()
        try step.apply(to: recordStore, blobs)
        guard var engine = try ChatEngine(restoring: seals.secrets, in: begin()) else {
            throw ChatError(.homeCorrupt, "The owner of the history is unknown.")
        }
        // The engine is only read from here on: what restoring it wrote is dropped.
        engine.step = begin()
        owner = own.id ?? engine.ownID
        for row in history.conversations.keys {
            // The records alone tell which conversation a row stands for.
            let newest = try recordStore.page(.messages, conversation: row, before: nil, limit: 1).first
            guard let newest, let record = try? ProtoMessageRecord(serializedBytes: newest.plaintext),
                let conversation = record.conversationID, recordStore.rowID(of: conversation) == row
            else { continue }
            try engine.listRescued(conversation)
        }
        (self.recordStore, self.engine) = (recordStore, engine)
        let listed = try engine.conversationList().map { conversation in
            (recordStore.rowID(of: conversation.id), (id: conversation.id, title: conversation.title))
        }
        conversations = Dictionary(listed) { first, _ in first }
    }
}

/// The traces of a home's user.
private struct OwnTraces {
    var identity: Identity?
    var nickname: String?
    var id: PeerID?
    /// Whether none of them is missing.
    var isWhole = false

    init(_ seals: RecordSeals, in step: ChatStep) throws {
        identity = try Contacts.storedIdentity(seals.secrets, in: step)
        let node = try step.message(.settings, Contacts.nodeName, as: ProtoNodeRecord.self)
        isWhole = identity != nil && node != nil
        nickname = node?.nickname
        id = identity?.publicIdentity.id
        guard !isWhole else { return }
        // Own bundles have both, and are in other records.
        for bundle in try seals.secrets.ownBundles(in: step) {
            nickname = nickname ?? bundle.nickname?.text
            id = id ?? bundle.identity.id
        }
        if id == nil { id = try step.ownSender() }
    }
}

extension ChatStep {
    /// Returns the sender of an own message that was written with this home's identity.
    fileprivate func ownSender() throws -> PeerID? {
        for bytes in try rows(.messages) {
            guard let record = try? ProtoMessageRecord(serializedBytes: bytes), record.outgoing, !record.imported
            else { continue }
            return PeerID(bytes: record.sender)
        }
        return nil
    }

    /// Appends messages that wait for earlier ones to their conversations, because no more messages come.
    fileprivate mutating func appendReordered() throws {
        var last: [ConversationID: UInt64] = [:]
        for bytes in try rows(.reorderBuffer) {
            guard let record = try? ProtoMessageRecord(serializedBytes: bytes),
                let conversation = record.conversationID, let id = MessageID(bytes: record.id),
                try self.record(.messages, id.bytes) == nil
            else { continue }
            let place = try ChatEngine.place(after: last[conversation] ?? highestPosition(of: conversation))
            last[conversation] = place
            put(.messages, id.bytes, conversation: conversation, sequence: place, record)
        }
    }
}

extension SecretSeals {
    /// Returns the bundles of this home's user that are stored with its prekeys.
    fileprivate func ownBundles(in step: ChatStep) throws -> [PrekeyBundle] {
        try rescuedRecords(in: step).compactMap { _, record in
            guard record.id.kind == .prekey else { return nil }
            return try? PrekeyBundle(ofPrekey: record.value)
        }
    }

    /// Deletes the records of sessions, except for groups that stand by themselves, and the earlier identities.
    ///
    /// An engine refuses records that do not fit each other, and reading needs no others.
    fileprivate func dropUnfitSessions(in step: inout ChatStep) throws {
        let records = try rescuedRecords(in: step)
        let groups = try? GroupTable.restore(records.map(\.record))
        for (generation, record) in records {
            let group = GroupTable.group(of: record.id)
            let isKept = group.map { groups?[$0] != nil } ?? false
            if !isKept { delete(record.id, of: generation, in: &step) }
        }
        guard
            var standing = try step.message(.settings, Contacts.historyName, as: ProtoStandingRecord.self),
            !standing.formers.isEmpty
        else { return }
        standing.formers = []
        step.put(.settings, Contacts.historyName, standing)
    }
}

extension ChatEngine {
    /// Lists a conversation of which there are messages, and little else.
    fileprivate mutating func listRescued(_ conversation: ConversationID) throws {
        guard let newest = try step.page(of: conversation, before: nil, limit: 1).first else { return }
        conversations.list(conversation, at: max(newest.receivedAt, 1))
        guard let group = conversation.group, view(of: group) == nil else { return }
        var imported = ProtoImportedGroup()
        imported.title = String(group.description.prefix(8))
        let records = try step.page(of: conversation, before: nil, limit: HistoryLimits.pageRowCount)
        let members = Set(records.compactMap { PeerID(bytes: $0.sender) })
        imported.members = members.sorted().map { .init($0.bytes) }
        groups.keep(imported, of: group)
    }
}
