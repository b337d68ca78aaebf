package import ChatCrypto
import MeshCore
import SwiftProtobuf

extension ChatEngine {
    /// Makes a new identity and writes it.
    ///
    /// - Parameters:
    ///   - room: The state of the room, if this is the engine of a room.
    ///   - backup: An identity from another place, instead of a new one.
    package init(
        making nickname: Nickname,
        _ seals: SecretSeals,
        for room: RoomState? = nil,
        of backup: Identity? = nil,
        in step: ChatStep
    ) throws {
        let identity = backup ?? Identity()
        let contacts = try Contacts(making: identity, named: nickname, at: step.time.seconds)
        self.init(records: seals, contacts: contacts)
        self.step = step
        self.room = room
        writeContacts()
    }

    /// Restores the engine from the store; nil if no identity was ever made in it.
    ///
    /// - Parameter room: The known state of the room, if this is the engine of a room.
    package init?(restoring seals: SecretSeals, of room: RoomState? = nil, in step: ChatStep) throws {
        let erased = try Self.interruptedErasures(in: step)
        guard let sealed = try step.record(.identity, Contacts.identityName)?.plaintext,
            let node = try step.message(.settings, Contacts.nodeName, as: ProtoNodeRecord.self)
        else { return nil }
        var stored: [StoredRecord] = []
        let contacts = try Contacts(restoring: sealed, node, seals, in: step, at: step.time, leaving: &stored)
        self.init(records: seals, contacts: contacts)
        self.step = step
        writeContacts()
        setWatched(node.watched)
        self.room = room
        // Groups and rooms know one identity only.
        if room != nil, let record = stored.first(where: { $0.id.kind == .roomHost }) {
            let host = try RoomHost(restoring: record, as: sessions.identity, at: step.time.seconds)
            self.room?.restore(host)
        }
        for record in try step.records(.conversations, as: ProtoConversationRecord.self) {
            conversations.restore(try ConversationRecord(record))
        }
        for record in try step.records(.blobs, as: ProtoBlobRecord.self) {
            attachments.restore(record, at: step.time.wall)
        }
        try restoreOutbox()
        try restoreReorderBuffer()
        pending.restore(try step.records(.pendingChanges, as: ProtoEarlyRecord.self))
        for record in try step.records(.timers, as: ProtoTimerRecord.self) { timers.restore(record) }
        timers.schedule(at: step.time)
        try restoreSettings()
        try restoreGroups(stored)
        try restoreInvites()
        for conversation in erased { try erase(conversation) }
    }

    private mutating func restoreOutbox() throws {
        let stored = try step.records(.outbox, as: ProtoOutboxRecord.self)
        for record in stored {
            guard
                let conversation = PeerID(bytes: record.peer).map(ConversationID.direct)
                    ?? GroupID(bytes: record.group).map(conversationID(of:))
            else { continue }
            try outbox.restore(record, in: conversation) { id in
                let message = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self)
                return DeliveryStatus(rank: Int(message?.status ?? 0), failure: "")
            }
        }
    }

    private mutating func restoreReorderBuffer() throws {
        let now = step.time.monotonic
        for record in try step.records(.reorderBuffer, as: ProtoMessageRecord.self) { reorder.restore(record, at: now) }
        for record in try step.records(.pendingReceipts, as: ProtoOwedRecord.self) {
            let id = receipts.restore(record, at: now) { contacts.isAccepted($0) }
            if let id, !attachments.blobs.isIncomplete(id) { confirmComplete(id) }
        }
    }
}
